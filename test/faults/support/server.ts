import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Knex } from 'knex'
import type { KnexStorageOptions } from '../../../src/storage/knex'
import { longTimeoutLimits, longTimeoutMs } from '../../support/databases/long-timeouts'

export const support = join(__dirname, '../../support')

/** A process that runs a server. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** The exit code or signal; undefined while it runs. */
  ended(): string | undefined
  /** What it wrote to stderr. */
  errors(): string
  /** Kills it with SIGKILL; resolves when it has ended. Can be called twice. */
  kill(): Promise<void>
  /** Resolves when the process has ended. */
  gone(): Promise<void>
}

interface ServerConfig {
  readonly knex: Knex.Config
  readonly storage?: Omit<KnexStorageOptions, 'knex'>
  readonly point?: string
  /** Which handle the server opens; by default Knex. */
  readonly handle?: 'database' | 'pool'
}

/** Starts test/support/processes/kill-server.cjs, optionally under a command that traces it. */
export function startServer(config: ServerConfig, under: readonly string[] = []): Promise<Server> {
  return listening([
    ...under,
    process.execPath,
    join(support, 'processes/kill-server.cjs'),
    JSON.stringify({ limits: longTimeoutLimits, ...config }),
  ])
}

/** Starts a command that prints `listening on http://host:port`. */
export async function listening(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Server> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: { ...process.env, ...env } })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const url = await ready(child, () => errors)
  const closed = once(child, 'close')
  const ended = () => child.signalCode ?? child.exitCode?.toString()
  return {
    url,
    pid: child.pid as number,
    ended,
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async gone() {
      await closed
    },
  }
}

function ready(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /^listening on (http:\S+)/m.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('close', () => reject(new Error(`The server ended before it listened.\n${output}${errors()}`)))
  })
}

/** POSTs changes as the user with this id. */
export function propose(
  { url }: Pick<Server, 'url'>,
  changes: unknown,
  { user = 1, project = 'shop', environment = 'production' } = {},
): Promise<Response> {
  return fetch(`${url}/api/admin/projects/${project}/environments/${environment}/change-requests`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-user': String(user) },
    body: JSON.stringify(changes),
  })
}

/** A change of a separate flag. */
export function mark(feature: string) {
  return { action: 'updateEnabled', feature, payload: { enabled: true } }
}

/** Random numbers from 0 to 1, reproducible by the seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Resolves when the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + longTimeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`The condition never held: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
