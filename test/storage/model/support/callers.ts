import { once } from 'node:events'
import { Agent, createServer, IncomingMessage, request, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import express from 'express'
import { type Actor, type ApiKey, apiKeys, type ChangeRequestRouter, type Grant } from '../../../../src'

const grants = (...permissions: string[]) => permissions.map((permission) => ({ permission }))
const reviewer = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']

/**
 * Ann writes (and can approve those of others), Ben reviews, Cleo reviews only production, Dora is an admin. Bot is an agent that
 * acts for Ben.
 */
export const people = {
  ann: key(1, 'ann', grants('CREATE_CHANGE_REQUEST', ...reviewer)),
  ben: key(2, 'ben', grants(...reviewer)),
  cleo: key(
    3,
    'cleo',
    grants(...reviewer).map((grant) => ({ ...grant, environment: 'production' })),
  ),
  dora: key(4, 'dora', grants('ADMIN')),
  bot: key(5, 'bot', grants('CREATE_CHANGE_REQUEST', ...reviewer), {
    kind: 'agent',
    onBehalfOf: { id: 2, username: 'ben' },
  }),
} satisfies Record<string, ApiKey>

export type Who = keyof typeof people

export const authenticate = apiKeys(Object.values(people))

function key(
  id: number,
  name: string,
  grants: readonly Grant[],
  kind: Pick<Actor, 'kind' | 'onBehalfOf'> = {},
): ApiKey {
  const user = { id, username: name, email: `${name}@example.com`, ...kind }
  return { key: `key-of-${name}-0123456789`, user, grants }
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to a caller. `name` is the name of the error, if there is one. */
export interface Answer {
  readonly status: number
  readonly name: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of the answers are tested elsewhere.
  readonly body: any
  readonly headers: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Send = (who: Who, method: Method, path: string, sent?: Sent) => Promise<Answer>

/** Calls an app with the router without a socket, after a body parser of the host. */
export function inProcess(router: ChangeRequestRouter): Send {
  const app = express().use(router)
  const socket = new Socket()
  return (who, method, path, { body, headers = {} } = {}) =>
    new Promise((resolve) => {
      const req = new IncomingMessage(socket)
      const sent = { authorization: people[who].key, 'content-type': 'application/json', ...headers }
      Object.assign(req, { method, url: path, headers: sent })
      if (body !== undefined) Object.assign(req, { body: JSON.parse(JSON.stringify(body)) })
      Object.defineProperty(req, 'readable', { value: false })
      const res = new ServerResponse(req)
      res.end = (chunk?: unknown) => {
        const got = Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)])
        resolve(toAnswer(res.statusCode, chunk === undefined ? '' : String(chunk), Object.fromEntries(got)))
        return res
      }
      app(req as never, res as never)
    })
}

/** Calls a server on its own port, over persistent connections. */
export async function overHttp(router: ChangeRequestRouter): Promise<{ send: Send; close(): Promise<void> }> {
  const server = createServer(express().use(router)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const send: Send = (who, method, path, { body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = { authorization: people[who].key, 'content-type': 'application/json', ...headers }
      const req = request({ port, host: '127.0.0.1', agent, method, path, headers: sent }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        res.on('end', () =>
          resolve(toAnswer(res.statusCode ?? 0, Buffer.concat(chunks).toString(), res.headers as Answer['headers'])),
        )
      }).on('error', reject)
      req.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    send,
    async close() {
      agent.destroy()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function toAnswer(status: number, text: string, headers: Answer['headers']): Answer {
  const body = text === '' ? undefined : JSON.parse(text)
  return { status, name: status >= 400 ? body?.name : undefined, body, headers }
}
