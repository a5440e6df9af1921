import { ChangeRequestError } from '../../../src'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { review } from '../../../src/capabilities/review/review'
import { changeState } from '../../../src/capabilities/state/change-state'
import { actors, by, createFixture, type Fixture } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { runs } from '../../support/random'

const rounds = runs(5)
const voters = Array.from({ length: 12 }, (_, index) => ({ id: 10 + index, username: `voter ${index}` }))
const ours = { named: new Map(), others: 'ours' } as const

/** @see contract 6.3: no reviewer has seen what the change would overwrite after the rebase. */
describe.each(databases)('concurrent votes and a rebase with ours, from two processes on $name', ({ open }) => {
  let opened: readonly OpenDatabase[]
  let fixtures: readonly Fixture[]
  const flags = new HostFlags()

  beforeEach(async () => {
    const first = await open()
    opened = [openAgain(first.place), first]
    const requiredApprovals = voters.length + 1
    fixtures = opened.map(({ storage }) => createFixture({ storage: () => storage, flags, requiredApprovals }))
  })

  afterEach(async () => {
    for (const one of opened) await one.close()
  })

  const titled = (title: string) => {
    flags.strategies = [{ id: 's1', name: 'default', disabled: false, title }]
  }

  /** A change request in review that would overwrite a change of another user, in a separate environment. */
  async function overwriting({ propose, to }: Fixture, environment: string): Promise<number> {
    titled('everybody')
    const change = { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'few' } } as const
    const { changeRequest } = await propose('ann', [change], { environment })
    await to('ann', 'In review', { id: changeRequest.id })
    titled('all')
    return changeRequest.id
  }

  it('with the previous digest never count after the rebase', async () => {
    const [fixture] = fixtures as [Fixture]
    const seen = { counted: 0, refused: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const reference = { project: 'shop', id: await overwriting(fixture, `env-${round}`) }
      const read = () => review(fixture.services, { actor: actors.ben, ...reference })
      const { digest } = await read()
      const vote = (actor: (typeof voters)[number], index: number) => {
        const { services } = fixtures[index % fixtures.length] as Fixture
        const ballot = { state: 'Approved', digest, comment: null, scheduledAt: null } as const
        return changeState(services, { ...by('ben'), ...reference, ...ballot, actor })
      }
      const rebasing = (index: number) =>
        rebase((fixtures[index % fixtures.length] as Fixture).services, { ...by('ann'), ...reference }, ours)
      // A third of the votes each: before the rebase, concurrently, and after its response.
      const early = voters.slice(0, 4).map(vote)
      await Promise.race(early)
      const rebased = rebasing(round)
      const concurrent = voters.slice(4, 8).map(vote)
      await rebased
      const late = voters.slice(8).map(vote)
      for (const outcome of await Promise.allSettled([...early, ...concurrent, ...late])) {
        if (outcome.status === 'fulfilled') seen.counted += 1
        else if (ChangeRequestError.is(outcome.reason)) {
          expect(outcome.reason.name).toBe('PreconditionFailedError')
          seen.refused += 1
        } else throw outcome.reason
      }
      const { described, requirements } = await read()
      expect([described.changeRequest.approvals, requirements[0]?.given]).toEqual([[], 0])
      const types = (await fixture.events()).filter(({ data }) => data.changeRequestId === reference.id)
      const last = types.findLastIndex(({ type }) => type === 'change-request-approval-added')
      expect(last).toBeLessThan(types.findIndex(({ type }) => type === 'change-edited'))
    }
    expect(seen.counted).toBeGreaterThanOrEqual(rounds)
    expect(seen.refused).toBeGreaterThanOrEqual(4 * rounds)
  })
})
