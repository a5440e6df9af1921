import { ChangeRequestError } from '../../../src'
import { search } from '../../../src/capabilities/lists/search'
import { acknowledge } from '../../../src/capabilities/review/routes'
import {
  actors,
  by,
  collect,
  createFixture,
  type Fixture,
  type FixtureOptions,
  rejection,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { withTransactions } from '../../kernel/support/transactions'

const reason = 'Payments fail since 10:40.'
const trace = { reason, missing: [{ code: 'missing-approvals', name: 'minimum', approvals: 1, given: 0 }] }
const emergency = true

/** A change request in review without approvals. */
async function open(options: FixtureOptions) {
  const fixture = createFixture({ emergency, applyTrace: false, ...options })
  await fixture.reviewed()
  return fixture
}

const appliedEvent = async (fixture: Fixture) =>
  (await fixture.events()).find(({ type }) => type === 'change-request-applied')?.data

const waiting = async ({ services }: Fixture) => {
  const all = { createdBy: null, requestedApproverId: null, state: null, offset: 0, limit: 50 }
  const { pages, total } = await search(services, { actor: actors.ann, ...all, afterReview: true })
  const found = (await collect(pages)).flatMap(({ items }) => items.map(({ summary }) => summary.id))
  expect(total).toBe(found.length)
  return found
}

class TransactionFlags extends HostFlags {
  readonly transactional = true
}

describe('an apply in an emergency', () => {
  it.each<[string, () => FixtureOptions]>([
    ['as a record', () => ({ recordOnly: true })],
    ['by a gateway far away', () => ({ flags: new HostFlags() })],
    [
      'in the transaction of the storage',
      () => ({ flags: new TransactionFlags(), storage: (memory) => withTransactions(memory).storage }),
    ],
  ])('%s stores its reason and what was missing, and is found until it is acknowledged', async (_, options) => {
    const fixture = await open(options())
    const { changeRequest } = await fixture.to('ben', 'Applied', { reason })
    expect([changeRequest.state, changeRequest.applying ?? null]).toEqual(['Applied', null])
    expect(await appliedEvent(fixture)).toEqual({ changeRequestId: 1, emergency: trace })
    expect(await waiting(fixture)).toEqual([1])
    await acknowledge(fixture.services, { ...by('cleo'), project: 'shop', id: 1 }, 'Fine')
    expect(await waiting(fixture)).toEqual([])
  })

  it('stores nothing if the gateway rejects it', async () => {
    const flags = new HostFlags()
    flags.apply = () => Promise.reject(new ChangeRequestError('ConflictError', 'No.'))
    const fixture = await open({ flags })
    await rejection(fixture.to('ben', 'Applied', { reason }))
    const { state, emergency: left, applying } = (await fixture.stored()) ?? {}
    expect([state, left, applying]).toEqual(['In review', undefined, null])
    expect(await waiting(fixture)).toEqual([])
  })

  it('is possible with a draft, for its author', async () => {
    const fixture = createFixture({ emergency, applyTrace: false, recordOnly: true })
    await fixture.propose('ann')
    expect((await rejection(fixture.to('ben', 'Applied', { reason }))).name).toBe('NotFoundError')
    expect((await fixture.to('ann', 'Applied', { reason })).changeRequest.state).toBe('Applied')
    expect(await appliedEvent(fixture)).toEqual({ changeRequestId: 1, emergency: trace })
  })

  it('checks SKIP_CHANGE_REQUEST and APPLY_CHANGE_REQUEST', async () => {
    for (const missing of ['SKIP_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']) {
      const fixture = await open({ recordOnly: true })
      fixture.host.allows = (_, permission) => permission !== missing
      const { name, permissions } = await rejection(fixture.to('ben', 'Applied', { reason }))
      expect([name, permissions]).toEqual(['PermissionError', [missing]])
    }
  })
})
