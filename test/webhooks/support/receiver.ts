import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export const certificate = readFileSync(join(__dirname, 'certificate.pem'))
const key = readFileSync(join(__dirname, 'key.pem'))

/** A request as the receiver got it. */
export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Differs for each connection. */
  readonly port: number | undefined
}

/** Answers the request with this index; by default with 204. */
export type Respond = (res: ServerResponse, index: number, received: Received) => void

/** A receiver of webhooks on 127.0.0.1. */
export async function startReceiver(respond: Respond = (res) => void res.writeHead(204).end(), isTls = false) {
  const requests: Received[] = []
  const listener: RequestListener = async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { method, url: path, headers, socket } = req
    const received = { method, path, headers, body: Buffer.concat(chunks).toString(), port: socket.remotePort }
    requests.push(received)
    respond(res, requests.length - 1, received)
  }
  const server = isTls ? createTlsServer({ cert: certificate, key }, listener) : createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    requests,
    server,
    port,
    url: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}/hooks/s3cret-path`,
    connections: () => connections,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
