import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can fail like a network, and that can be pointed at another server. */
export interface TcpProxy {
  readonly url: string
  /** Existing connections stop forwarding in both directions; new ones work. */
  freeze(): void
  /** Does the same after this many more bytes from the server. */
  freezeAfter(bytes: number): void
  /** All connections stop forwarding, and new ones get no answer, until `forward` is called. */
  drop(): void
  /** Connections that were dropped continue, and new ones work. */
  forward(): void
  /** Resets all connections. */
  reset(): void
  /** Resets a connection instead of forwarding the next bytes from the server: the client does not get the answer. */
  resetAtAnswer(): void
  /** Delays what the server sends by this time, for all connections. */
  delay(milliseconds: number): void
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
  let allowance = Number.POSITIVE_INFINITY
  let isDropping = false
  let isCutting = false
  let delayMs = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair: Pair = { client, upstream, port: target.port, isFrozen: false }
    pairs.push(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      allowance -= bytes.length
      if (isCutting) {
        isCutting = false
        return resetPair(pair)
      }
      if (delayMs === 0) client.write(bytes)
      else setTimeout(() => client.write(bytes), delayMs)
      if (allowance < 0) freeze()
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

  function freeze(): void {
    allowance = Number.POSITIVE_INFINITY
    for (const pair of pairs) {
      pair.isFrozen = true
      pause(pair)
    }
  }

  function resetPair({ client, upstream }: Pair): void {
    client.resetAndDestroy()
    upstream.resetAndDestroy()
  }

  return {
    url: url.href,
    freeze,
    freezeAfter(bytes) {
      allowance = bytes
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
    delay(milliseconds) {
      delayMs = milliseconds
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
