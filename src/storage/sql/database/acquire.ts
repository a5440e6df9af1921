/** Waits for a connection of the host's pool, with our time limit. One that arrives later is released. */
export async function acquireInTime<Connection>(
  acquired: Promise<Connection>,
  timeoutMs: number,
  release: (connection: Connection) => unknown,
): Promise<Connection> {
  let timer: NodeJS.Timeout | undefined
  let late = false
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true
      reject(new AcquireTimeoutError(timeoutMs))
    }, timeoutMs)
  })
  acquired.then(
    (connection) => (late ? release(connection) : undefined),
    () => undefined,
  )
  try {
    return await Promise.race([acquired, deadline])
  } finally {
    clearTimeout(timer)
  }
}

export class AcquireTimeoutError extends Error {
  override readonly name = 'AcquireTimeoutError'

  constructor(timeoutMs: number) {
    super(`No database connection became free within ${timeoutMs} ms.`)
  }
}
