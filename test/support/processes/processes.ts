import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Place } from '../databases'

/** What a process does with the store at `place`; see the worker for each. */
export interface Task {
  readonly place: Place
  readonly work: 'migrate' | 'append' | 'step' | 'mixed' | 'serve'
  /** The number of repetitions. */
  readonly rounds: number
  /** The prefix of the `data` of the events, which distinguishes the serving processes. */
  readonly label: string
}

/** `failures` are the errors that reached the caller, code and text. */
export interface Report {
  readonly done: number
  readonly failures: readonly string[]
}

export interface Processes {
  /** One task per process: all open their store, wait for each other, and start concurrently. */
  run(tasks: readonly Task[]): Promise<Report[]>
  stop(): Promise<void>
}

/** Starts Node processes that run the sources without a build, until they are stopped. */
export async function startProcesses(count: number): Promise<Processes> {
  const execArgv = ['--require', join(__dirname, 'processes-register.js')]
  const children = Array.from({ length: count }, () => fork(join(__dirname, 'processes-worker.ts'), { execArgv }))
  await Promise.all(children.map((child) => answer(child)))
  return {
    async run(tasks) {
      await Promise.all(tasks.map((task, index) => ask(children[index], task)))
      return Promise.all(tasks.map((_, index) => ask(children[index], 'go'))) as Promise<Report[]>
    },
    async stop() {
      await Promise.all(
        children.map((child) => {
          const ended = once(child, 'exit')
          child.disconnect()
          return ended
        }),
      )
    },
  }
}

function ask(child: ChildProcess | undefined, message: Task | 'go'): Promise<unknown> {
  if (child === undefined) throw new Error('There are more tasks than processes.')
  const answered = answer(child)
  child.send(message)
  return answered
}

function answer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const failed = (code: unknown) => reject(new Error(`A process ended early: ${code}.`))
    child.once('exit', failed)
    child.once('message', (message) => {
      child.off('exit', failed)
      resolve(message)
    })
  })
}
