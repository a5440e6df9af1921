import type { Storage } from '../../../src/ports/storage/storage'
import { creation, findOpen, key, sampleChangeRequest, sampleEvent, update } from '../../../src/testing/samples'
import { openAgain } from '../databases'
import { randomOf, writeMixed } from './mixed-writers'
import type { Report, Task } from './processes'

const lanes = 5

const works: { readonly [work in Task['work']]: (storage: Storage, task: Task) => Promise<void>[] } = {
  migrate: (storage, { rounds }) => Array.from({ length: rounds }, () => storage.migrate()),

  /** Writes closed change requests, each with two events; several concurrently. */
  append: (storage, { rounds, label }) =>
    Array.from({ length: lanes }, async (_, lane) => {
      for (let round = lane; round < rounds; round += lanes) {
        const [id = 0] = await storage.nextIds('changeRequest', 1)
        const events = [sampleEvent(`${label} ${round} first`), sampleEvent(`${label} ${round} second`)]
        const won = await storage.commit({ ...creation(sampleChangeRequest({ id }), events), open: false })
        if (!won) throw new Error('A change request with a new id was rejected.')
      }
    }),

  /** Loads or creates the only open change request, and writes its next version until it wins. */
  step: (storage, { rounds, label }) => [
    (async () => {
      for (let round = 0; round < rounds; round += 1) while (!(await step(storage, `${label} ${round}`))) {}
    })(),
  ],

  /** All ways of writing events, several concurrently; the label is the seed. */
  mixed: (storage, { rounds, label }) =>
    Array.from({ length: lanes }, (_, lane) => writeMixed(storage, rounds, randomOf(Number(label) + lane))),

  /** Starts like a host, and serves a POST and a GET. */
  serve: (storage, { rounds, label }) => [
    (async () => {
      // Imported late, so that the other tasks load no server.
      const { serveOnce }: typeof import('./processes-server.js') = require('./processes-server')
      for (let round = 0; round < rounds; round += 1) await serveOnce(storage, label)
    })(),
  ],
}

async function step(storage: Storage, name: string): Promise<unknown> {
  const found = await findOpen(storage, key)
  if (found !== undefined) return storage.commit(update(found, { title: name }, [sampleEvent(name)]))
  const [id = 0] = await storage.nextIds('changeRequest', 1)
  return storage.commit(creation(sampleChangeRequest({ id, title: name }), [sampleEvent(name)]))
}

let start: () => Promise<Report>

process.on('message', async (message: Task | 'go') => {
  if (message === 'go') return process.send?.(await start())
  const { storage, knex, close } = openAgain(message.place)
  await knex.raw('select 1')
  start = async () => {
    const outcomes = await Promise.allSettled(works[message.work](storage, message))
    await close()
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [`${outcome.reason?.code} ${outcome.reason}`] : [],
    )
    return { done: outcomes.length - failures.length, failures }
  }
  return process.send?.('opened')
})
process.send?.('started')
