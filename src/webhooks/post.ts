import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { type Agent, request as requestHttps } from 'node:https'
import { BlockList, type Socket } from 'node:net'
import type { Message } from './message'

/** The maximum part of a response body that is read, so that the connection can be used again. */
const maxResponseBytes = 1_024

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export interface Response {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** A request without a response. Its message has no part of the address. */
export class NoResponse extends Error {}

/**
 * POSTs the message. Redirects are not followed, and the body of the response is not kept.
 * @throws NoResponse if there is no status in time, or when the signal aborts
 */
export async function post(...request: Parameters<typeof attempt>): Promise<Response> {
  const first = await attempt(...request)
  // The receiver may close an idle connection at the moment it is used again.
  const last = first === 'connection-was-closed' ? await attempt(...request) : first
  if (last === 'connection-was-closed') throw new NoResponse('the connection was closed')
  return last
}

/** @param timeoutMs for the whole request; once there is a status, the rest of the response is cut off instead */
function attempt(
  url: URL,
  { body, headers }: Message,
  agent: Agent,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Response | 'connection-was-closed'> {
  return new Promise((resolve, reject) => {
    const isPlain = url.protocol === 'http:'
    const request = (isPlain ? requestHttp : requestHttps)(url, { method: 'POST', headers, agent })
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    const fail = (reason: string) => {
      end()
      request.destroy()
      reject(new NoResponse(reason))
    }
    const abort = () => fail('the attempt was aborted')
    let cutOff = () => fail('no response in time')
    const timer = setTimeout(() => cutOff(), timeoutMs).unref()
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    request.on('error', (error: NodeJS.ErrnoException) => {
      end()
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve('connection-was-closed')
      else reject(new NoResponse(describe(error)))
    })
    request.on('response', (response) => {
      const finish = () => {
        end()
        resolve({ status: response.statusCode ?? 0, headers: response.headers })
      }
      cutOff = () => response.destroy()
      discard(response, finish)
    })
    if (isPlain) afterLoopbackCheck(request, () => request.end(body), fail)
    else request.end(body)
  })
}

/** Reads a short body to its end, and destroys the connection otherwise. */
function discard(response: IncomingMessage, finish: () => void): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxResponseBytes) response.destroy()
  })
  response.on('error', () => undefined)
  response.on('close', finish)
}

/** Sends nothing over plain HTTP unless the connection leads to this machine, whatever its name resolves to. */
function afterLoopbackCheck(request: ClientRequest, send: () => void, fail: (reason: string) => void): void {
  request.once('socket', (socket: Socket) => {
    const check = () => (isLoopback(socket) ? send() : fail('http is accepted for loopback addresses only'))
    if (socket.connecting) socket.once('connect', check)
    else check()
  })
}

function isLoopback({ remoteAddress = '', remoteFamily }: Socket): boolean {
  return loopback.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4')
}

/** The code of an error: its message has the address. */
function describe({ code }: NodeJS.ErrnoException): string {
  return `the connection failed${/^[A-Z0-9_]{1,60}$/.test(code ?? '') ? ` (${code})` : ''}`
}
