import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, and can fall silent without closing anything, as a broken network does. */
export interface TcpProxy {
  readonly url: string
  /** From now on the connections there are forward nothing more, in either direction; new ones work. */
  freeze(): void
  /** The same, once this many more bytes have come from the server. */
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
