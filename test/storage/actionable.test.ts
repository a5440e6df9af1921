import fc from 'fast-check'
import { createActionable } from '../../src/capabilities/lists/actionable'
import { countActionable } from '../../src/capabilities/lists/lists'
import type { Objection } from '../../src/domain/change-request'
import { openObjections } from '../../src/domain/content/objections'
import { summarize } from '../../src/domain/content/summary'
import { actionableStates } from '../../src/domain/steps/inbox'
import { states } from '../../src/generated/lists'
import { actors, createFixture, enable, noon } from '../kernel/support/fixture'
import { random } from '../support/random'
import { afterNoon, all, changeRequest, fewStores } from './fixtures'

const archive = { action: 'archiveFeature', feature: 'checkout', payload: {} } as const
const author = { id: 1, username: 'ann', imageUrl: null }

/** A vote of a user; only the user counts here. */
const vote = (id: number) => ({ createdBy: { ...author, id }, createdAt: afterNoon(id * 60_000), digest: 'd' })

const samples = fc.array(
  fc.record({
    state: fc.constantFrom(...states),
    author: fc.integer({ min: 1, max: 4 }),
    environment: fc.constantFrom('production', 'staging', 'testing'),
    project: fc.constantFrom('shop', 'shop', 'bank'),
    wholeProject: fc.boolean(),
    objectedBy: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 })),
    outdated: fc.boolean(),
    approvedBy: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  }),
  { maxLength: 40 },
)
const permissions = fc.uniqueArray(
  fc.constantFrom(
    'ADMIN',
    ...['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].flatMap((name) =>
      ['production', 'staging', 'testing'].map((environment) => `${name} ${environment}`),
    ),
  ),
)

/** @see contract 3.4, 8 */
describe.each(fewStores)('the count of what a caller can approve or apply, on $name', ({ open }) => {
  it('is the number of change requests for which the decision on each one is yes', async () => {
    await fc.assert(
      fc.asyncProperty(samples, permissions, fc.constantFrom(null, 120_000), async (sampled, granted, afterMs) => {
        const store = await open()
        try {
          const { services, host } = createFixture({ storage: () => store.storage, approvalsExpireAfterMs: afterMs })
          host.now = Date.parse(afterNoon(300_000))
          host.allows = (_, permission, { environment }) =>
            granted.includes(environment === undefined ? permission : `${permission} ${environment}`)
          for (const { author, approvedBy, objectedBy, outdated, wholeProject, ...sample } of sampled) {
            const [id = 0] = await store.storage.nextIds('changeRequest', 1)
            const change = { ...(wholeProject ? archive : enable()), id, createdBy: vote(author).createdBy }
            const changes = [{ ...change, createdAt: noon }]
            const objections = objectedBy.map(
              (by, index): Objection => ({
                ...{ id: index + 1, by: vote(by).createdBy, at: noon, text: 'Not yet.' },
                ...(outdated && { outdated }),
              }),
            )
            const content = { ...sample, author, changes, approvals: approvedBy.map(vote), objections }
            // Returns undefined if the author has an open one there.
            await services.writer.commit(undefined, { changeRequest: changeRequest(id, content), events: [] })
          }
          for (const actor of Object.values(actors)) {
            const { isGroupActionable } = createActionable(services, actor)
            const filter = { projects: ['shop'], states: actionableStates, viewer: actor.id }
            const { items } = await store.storage.list(filter, all)
            const decided = await Promise.all(
              items.map(({ changeRequest: one }) => {
                const valid = one.approvals.filter(
                  ({ createdAt }) => afterMs === null || createdAt > afterNoon(180_000),
                )
                const lapsed = afterMs !== null && one.state === 'Approved' && valid.length < one.minApprovals
                const open = openObjections(one)
                if (one.state === 'Approved' && !lapsed && open.length > 0) return false
                const objected = open.some(({ by, outdated }) => by.id === actor.id && !outdated)
                const reviewed = objected || valid.some(({ createdBy }) => createdBy.id === actor.id)
                const state = lapsed ? 'In review' : one.state
                const { scope } = summarize(one)
                return isGroupActionable({ ...one, scope, state, own: one.createdBy.id === actor.id, reviewed })
              }),
            )
            const expected = decided.filter((yes) => yes).length

            expect(await countActionable(services, { actor, project: 'shop' })).toBe(expected)
          }
        } finally {
          await store.close()
        }
      }),
      random(5),
    )
  })
})
