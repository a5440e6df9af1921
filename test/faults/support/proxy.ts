import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can stop forwarding without closing anything, like a broken network. */
export interface TcpProxy {
  readonly url: string
  /** Existing connections stop forwarding in both directions; new ones work. */
  freeze(): void
  /** Does the same after this many more bytes from the server. */
  freezeAfter(bytes: number): void
  connections(): number
  close(): void
}

export async function startProxy(target: URL): Promise<TcpProxy> {
  const pairs: [Socket, Socket][] = []
  let allowance = Number.POSITIVE_INFINITY
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    pairs.push([client, upstream])
    client.pipe(upstream)
    upstream.pipe(client)
    upstream.on('data', ({ length }) => {
      allowance -= length
      if (allowance < 0) freeze()
    })
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)

  function freeze(): void {
    allowance = Number.POSITIVE_INFINITY
    for (const [client, upstream] of pairs) {
      client.unpipe()
      upstream.unpipe()
    }
  }

  return {
    url: url.href,
    freeze,
    freezeAfter(bytes) {
      allowance = bytes
    },
    connections: () => pairs.length,
    close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}
