import fc from 'fast-check'
import { listedFacts } from '../../src/domain/content/summary'
import { states } from '../../src/generated/lists'
import type { StoredChangeRequest } from '../../src/ports/storage/change-requests'
import { databases } from '../support/databases'
import { wrongCounts } from '../support/databases/stored-counts'
import { random } from '../support/random'
import { changeRequest, stores, write } from './fixtures'

const projects = ['shop', 'bank', 'blog'] as const

/** A write of a new or a stored change request; one that is late names an older version. */
const writes = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 8 }),
    state: fc.constantFrom(...states),
    late: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 0),
    removed: fc.integer({ min: 0, max: 7 }).map((chance) => chance === 0),
    together: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

describe.each(stores)('countByState on $name', ({ open }) => {
  it('is exact for each filter after any writes, also late ones and batches', async () => {
    await fc.assert(
      fc.asyncProperty(writes, async (sampled) => {
        const store = await open()
        try {
          const { storage } = store
          const known = new Map<number, StoredChangeRequest>()
          const removing = new Set<number>()
          let running: Promise<unknown>[] = []
          for (const { id, state, late, removed, together } of sampled) {
            // Ids come from a sequence: none is created again.
            if (removing.has(id)) continue
            if (removed) removing.add(id)
            const author = 1 + (id % 3)
            const request = changeRequest(id, {
              author,
              state,
              project: projects[id % 3 === 0 ? 0 : 1],
              environment: `${id}`,
            })
            const before = late ? undefined : known.get(id)
            const facts = before === undefined ? null : listedFacts(before.changeRequest)
            const next = write(request, { expectedVersion: before?.version ?? 0, before: facts, removed })
            const commit = async () => {
              if (!(await storage.commit(next))) return
              if (removed) known.delete(id)
              else known.set(id, { version: next.version, changeRequest: request })
            }
            running.push(commit())
            if (!together) {
              await Promise.all(running)
              running = []
            }
          }
          await Promise.all(running)
          const all = [...known.values()].map(({ changeRequest }) => changeRequest)
          for (const viewer of [1, 2, null]) {
            for (const createdBy of [undefined, 1, 2, 9]) {
              for (const wanted of [undefined, ['shop'], ['shop', 'bank'], []]) {
                for (const only of [undefined, ['Draft', 'In review'] as const]) {
                  const filter = {
                    ...(createdBy !== undefined && { createdBy }),
                    ...(wanted && { projects: wanted }),
                    ...(only && { states: only }),
                    viewer,
                  }
                  const found = all.filter(
                    (one) =>
                      (createdBy === undefined || one.createdBy.id === createdBy) &&
                      (wanted?.includes(one.project) ?? true) &&
                      (only === undefined || only.some((state) => state === one.state)) &&
                      (one.state !== 'Draft' || one.createdBy.id === viewer),
                  )
                  const counts = Object.entries(await storage.countByState(filter)).filter(([, count]) => count > 0)
                  const expected = states.flatMap((state) => {
                    const { length } = found.filter((one) => one.state === state)
                    return length === 0 ? [] : [[state, length]]
                  })
                  expect([filter, counts.sort()]).toEqual([filter, expected.sort()])
                }
              }
            }
          }
        } finally {
          await store.close()
        }
      }),
      random(5),
    )
  })
})

describe.each(databases)('the stored counts of change requests on $name', ({ open }) => {
  it('are committed or rolled back with a transaction of the host', async () => {
    const { knex, storage, close } = await open()
    try {
      await storage.commit(write(changeRequest(1)))
      const undone = knex.transaction(async (transaction) => {
        const inside = storage.within(transaction)
        await inside.commit(
          write(changeRequest(1, { state: 'Applied' }), { expectedVersion: 1, before: listedFacts(changeRequest(1)) }),
        )
        await inside.commit(write(changeRequest(2)))
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await storage.countByState({ viewer: null })).toMatchObject({ Approved: 1 })
      expect(await wrongCounts(knex)).toEqual([])
    } finally {
      await close()
    }
  })

  it('are rebuilt by a recount, after change requests were altered with SQL', async () => {
    const { knex, storage, close } = await open()
    try {
      for (const id of [1, 2, 3]) await storage.commit(write(changeRequest(id)))
      await knex('ffcr_change_requests').where({ id: 1 }).del()
      await knex('ffcr_change_requests').where({ id: 2 }).update({ state: 'Applied' })
      expect(await wrongCounts(knex)).not.toEqual([])
      await storage.recountEvents?.()
      expect(await wrongCounts(knex)).toEqual([])
      expect(await storage.countByState({ viewer: null })).toEqual({ Approved: 1, Applied: 1 })
    } finally {
      await close()
    }
  })
})
