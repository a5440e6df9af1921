import { createServer } from 'node:net'

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** Repeats a request until a server listens, and returns its response. */
export async function whenListening(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await send()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
