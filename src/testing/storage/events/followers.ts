import type { EventScope } from '../../../ports/storage/events'
import type { Storage, StorageProblem } from '../../../ports/storage/storage'
import { allEvents, creation, eventsOf, key, sampleChangeRequest, sampleEvent } from '../../samples'
import { type StorageSuite, together } from '../suite'

const writers = 10
const rounds = 10

export function describeFollowers({ describe, test, expect }: StorageSuite): void {
  describe(`eventPage(scope, { after }, limit), from the last id seen, while ${writers} write`, () => {
    test('returns every event to a follower exactly once, in one order', async (storage) => {
      const writing = together(writers, (writer) => write(storage, writer))
      const seen = await follow(storage, {}, writing)

      expect(seen).toEqual((await allEvents(storage)).map(({ id }) => id))
      expect(seen).toEqual([...seen].sort((one, other) => one - other))
      expect(new Set(seen).size).toBe(writers * rounds * 2)
    })

    test('returns the events of a project to a follower exactly once, in one order', async (storage) => {
      const writing = together(writers, (writer) => write(storage, writer))
      const seen = await follow(storage, { projects: [key.project] }, writing)

      expect(seen).toEqual((await allEvents(storage, { projects: [key.project] })).map(({ id }) => id))
      expect(new Set(seen).size).toBe(writers * rounds)
    })
  })

  describe('onAppend(listener), if the storage has it', () => {
    test('stops when its return value is called', async (storage) => {
      let calls = 0
      const end = storage.onAppend?.(() => {
        calls += 1
      })
      if (end === undefined) return
      end()
      await storage.appendEvents([sampleEvent('a')])

      expect(calls).toBe(0)
    })
  })

  describe('onProblem(listener), if the storage has it', () => {
    test('reports nothing without problems, and stops when its return value is called', async (storage) => {
      const problems: StorageProblem[] = []
      const end = storage.onProblem?.((problem) => problems.push(problem))
      if (end === undefined) return
      await storage.appendEvents([sampleEvent('a'), sampleEvent('b')])
      await allEvents(storage)
      await storage.recountEvents?.()
      await allEvents(storage, { projects: [key.project] })
      end()

      expect(problems).toEqual([])
    })
  })
}

/** Commits and appends concurrently: each round one event with the project and one without. */
async function write(storage: Storage, writer: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const [id = 0] = await storage.nextIds('changeRequest', 1)
    const closed = { ...creation(sampleChangeRequest({ id }), [sampleEvent([writer, round])]), open: false }
    await Promise.all([storage.commit(closed), storage.appendEvents([sampleEvent([writer, round], null)])])
  }
}

/** Follows the log until the writers are done and no events are left, and returns the ids in the order received. */
async function follow(storage: Storage, scope: EventScope, writing: Promise<unknown>): Promise<number[]> {
  const seen: number[] = []
  let done = false
  const ended = writing
    .catch(() => undefined)
    .then(() => {
      done = true
    })
  try {
    while (seen.length <= 2 * writers * rounds) {
      const last = done
      const page = await storage.eventPage(scope, { after: seen.at(-1) ?? 0 }, 7)
      seen.push(...eventsOf(page).map(({ id }) => id))
      if (last && page.count === 0) break
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    await ended
  }
  await writing
  return seen
}
