import { writeSync } from 'node:fs'
import { lmdbStorage } from '../../../examples/custom-storage/lmdb-storage'
import type { Storage } from '../../../src/ports/storage/storage'
import {
  creation,
  findOpen,
  key,
  sampleChange,
  sampleChangeRequest,
  sampleEvent,
  update,
} from '../../../src/testing/samples'

/** What a process does with the LMDB store in the folder `path`. */
export interface LmdbTask {
  readonly path: string
  readonly work: 'append' | 'open' | 'step' | 'fill'
  readonly rounds: number
  /** Distinguishes its events from those of other processes. */
  readonly label: string
}

const works: {
  readonly [work in LmdbTask['work']]: (storage: Storage, task: LmdbTask, round: number) => Promise<number>
} = {
  /** Returns the id of a new, closed change request. */
  append: async (storage, { label }, round) => {
    const [id = 0] = await storage.nextIds('changeRequest', 1)
    const events = [sampleEvent([label, round, 'a']), sampleEvent([label, round, 'b'], null)]
    await storage.commit({ ...creation(sampleChangeRequest({ id }), events), open: false })
    return id
  },
  /** In each round all processes try to create the only open change request of a user: 1 if this process did. */
  open: async (storage, _, round) => {
    const [id = 0] = await storage.nextIds('changeRequest', 1)
    return Number(await storage.commit(creation(sampleChangeRequest({ id, userId: round + 1 }))))
  },
  /** 1 if a big change request was stored, otherwise the negative code of the error. */
  fill: async (storage, _, round) => {
    const changes = [sampleChange(1, { text: 'x'.repeat(300_000) })]
    const write = { ...creation(sampleChangeRequest({ id: round + 1, changes }), [sampleEvent(round)]), open: false }
    return storage.commit(write).then(Number, ({ code }) => -code)
  },
  /** Loads and decides again until it wins; returns the version that it wrote. */
  step: async (storage) => {
    for (;;) {
      const found = await findOpen(storage, key)
      if (found === undefined) throw new Error('The open change request is gone.')
      if (await storage.commit(update(found, {}, [sampleEvent(found.version + 1)]))) return found.version + 1
    }
  },
}

async function run(storage: Storage, task: LmdbTask): Promise<number[]> {
  const answers: number[] = []
  for (let round = 0; round < task.rounds; round += 1) {
    answers.push(await works[task.work](storage, task, round))
    // Not through a stream, so that it is at the right place in a trace of system calls.
    if (process.send === undefined) writeSync(1, `${answers.at(-1)}\n`)
  }
  await storage.close()
  return answers
}

async function main(task: LmdbTask): Promise<void> {
  const storage = lmdbStorage(task)
  await storage.migrate()
  if (process.send === undefined) return void (await run(storage, task))
  process.send('opened')
  process.once('message', async () => {
    process.send?.(await run(storage, task))
    process.disconnect()
  })
}

void main(JSON.parse(process.argv[2] ?? '{}'))
