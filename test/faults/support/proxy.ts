import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can fail like a network, and that can be pointed at another server. */
export interface TcpProxy {
  readonly url: string
  /** Existing connections stop forwarding in both directions; new ones work. */
  freeze(): void
  /** All connections stop forwarding, and new ones get no answer, until `forward` is called. */
  drop(): void
  /** Connections that were dropped continue, and new ones work. */
  forward(): void
  /** Resets all connections. */
  reset(): void
  /** Resets a connection instead of forwarding the next bytes from the server: the client does not get the answer. */
  resetAtAnswer(): void
  /** New connections go to this server; existing ones stay open. */
  pointAt(target: URL): void
  /** The number of connections until now. */
  connections(): number
  /** The number of open connections to a server. */
  openTo(target: URL): number
  close(): void
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
  readonly port: string
  isFrozen: boolean
}

export async function startProxy(first: URL): Promise<TcpProxy> {
  const pairs: Pair[] = []
  let target = first
  let isDropping = false
  let isCutting = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair: Pair = { client, upstream, port: target.port, isFrozen: false }
    pairs.push(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (isCutting) {
        isCutting = false
        return resetPair(pair)
      }
      client.write(bytes)
    })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('end', () => to.end())
      // A connection that ends while it is dropped is not closed on the other side.
      from.on('close', () => !pair.isFrozen && !isDropping && to.destroy())
    }
    if (isDropping) pause(pair)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(first)
  url.port = String((server.address() as AddressInfo).port)

  function pause({ client, upstream }: Pair): void {
    client.pause()
    upstream.pause()
  }

  function resetPair({ client, upstream }: Pair): void {
    client.resetAndDestroy()
    upstream.resetAndDestroy()
  }

  return {
    url: url.href,
    freeze() {
      for (const pair of pairs) {
        pair.isFrozen = true
        pause(pair)
      }
    },
    drop() {
      isDropping = true
      pairs.forEach(pause)
    },
    forward() {
      isDropping = false
      for (const { client, upstream, isFrozen } of pairs) {
        if (isFrozen) continue
        client.resume()
        upstream.resume()
      }
    },
    reset: () => pairs.forEach(resetPair),
    resetAtAnswer() {
      isCutting = true
    },
    pointAt(other) {
      target = other
    },
    connections: () => pairs.length,
    openTo: ({ port }) => pairs.filter((pair) => pair.port === port && !pair.client.destroyed).length,
    close() {
      for (const { client, upstream } of pairs) {
        client.destroy()
        upstream.destroy()
      }
      server.close()
    },
  }
}
