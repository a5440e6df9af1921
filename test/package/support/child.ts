import { type ChildProcess, type ChildProcessByStdio, type SpawnOptionsWithStdioTuple, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

export interface Exit {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Child {
  /** What it has printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Settles when it has ended. */
  readonly exit: Promise<Exit>
  readonly signal: (signal: NodeJS.Signals) => void
}

export interface Server extends Child {
  /** Without a slash at its end. */
  readonly url: string
  /** Asks it to end, and waits until it has. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Exit>
}

export interface Start {
  /** Node unless named. */
  readonly command?: string
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a script of Node with nothing in its environment but what is given. */
export function runNode(args: readonly string[], { command = process.execPath, cwd, env = {} }: Start): Child {
  const { PATH = '', HOME = '' } = process.env
  // A group of its own, so that nothing that it has started itself outlives the test.
  const options: Options = { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true }
  const child = spawn(command, args, options)
  running.add(child)
  child.once('close', () => running.delete(child))
  return follow(child)
}

type Options = SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'>

const running = new Set<ChildProcess>()

/** Ends what a test left running. */
export async function stopAll(): Promise<void> {
  const left = [...running]
  for (const { pid } of left) killGroup(pid)
  await Promise.all(left.map((child) => once(child, 'close')))
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function follow(child: ChildProcessByStdio<null, Readable, Readable>): Child {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    exit: once(child, 'close').then(([status]) => ({ status, stdout, stderr })),
    signal: (signal) => child.kill(signal),
  }
}

/** Runs a script of Node until it says `listening on …`, on a free port. */
export async function startServer(args: readonly string[], { env = {}, ...start }: Start): Promise<Server> {
  const child = runNode(args, { ...start, env: { PORT: '0', ...env } })
  const url = await address(child)
  return {
    ...child,
    url,
    stop: (signal = 'SIGTERM') => {
      child.signal(signal)
      return child.exit
    },
  }
}

async function address(child: Child): Promise<string> {
  let over = false
  const end = child.exit.then(() => (over = true))
  for (;;) {
    const url = /^listening on (http:\S+)$/m.exec(child.stdout())?.[1]
    if (url !== undefined) return url
    if (over) throw new Error(`It ended without listening:\n${child.stdout()}${child.stderr()}`)
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 10))])
  }
}
