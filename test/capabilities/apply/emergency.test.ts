import { ChangeRequestError, type FlagGateway } from '../../../src'
import { search } from '../../../src/capabilities/lists/search'
import { acknowledge } from '../../../src/capabilities/review/acknowledge'
import { settle } from '../../../src/kernel/settle'
import { HostFlags } from '../../kernel/support/flags'
import { withTransactions } from '../../kernel/support/transactions'
import { actors, by, collect, createWorld, rejection, type World, type WorldOptions } from '../../kernel/support/world'

const reason = 'Payments fail since 10:40.'
const trace = { reason, missing: [{ name: 'minimum', approvals: 1, given: 0 }] }
const emergency = true

/** A change request in review, of which nobody has approved anything. */
async function open(options: WorldOptions) {
  const world = createWorld({ emergency, ...options })
  await world.reviewed()
  return world
}

const appliedEvent = async (world: World) =>
  (await world.events()).find(({ type }) => type === 'change-request-applied')?.data

const waiting = async ({ services }: World) => {
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
  it.each<[string, () => WorldOptions]>([
    ['as a record', () => ({ recordOnly: true })],
    ['by a gateway far away', () => ({ flags: new HostFlags() })],
    [
      'in the transaction of the storage',
      () => ({ flags: new TransactionFlags(), storage: (memory) => withTransactions(memory).storage }),
    ],
  ])('%s stores its reason and what was missing, and is found until it is acknowledged', async (_, options) => {
    const world = await open(options())
    const { changeRequest } = await world.to('ben', 'Applied', { reason })
    expect([changeRequest.state, changeRequest.applying ?? null]).toEqual(['Applied', null])
    expect(await appliedEvent(world)).toEqual({ changeRequestId: 1, emergency: trace })
    expect(await waiting(world)).toEqual([1])
    await acknowledge(world.services, { ...by('cleo'), project: 'shop', id: 1 }, 'Fine')
    expect(await waiting(world)).toEqual([])
  })

  it('keeps its trace when it is interrupted, whichever way it is settled', async () => {
    const flags = new HostFlags()
    const broken: FlagGateway = {
      current: (subjects) => flags.current(subjects),
      apply: () => Promise.reject(new Error()),
    }
    const world = await open({ flags: broken })
    await rejection(world.to('ben', 'Applied', { reason }))
    await settle(world.services, { project: 'shop', id: 1, outcome: 'applied', force: true })
    expect(await appliedEvent(world)).toEqual({ changeRequestId: 1, emergency: trace })
    expect(await waiting(world)).toEqual([1])
  })

  it('that the gateway rejects leaves nothing behind', async () => {
    const flags = new HostFlags()
    flags.apply = () => Promise.reject(new ChangeRequestError('ConflictError', 'No.'))
    const world = await open({ flags })
    await rejection(world.to('ben', 'Applied', { reason }))
    const { state, emergency: left, applying } = (await world.stored()) ?? {}
    expect([state, left, applying]).toEqual(['In review', undefined, null])
    expect(await waiting(world)).toEqual([])
  })

  it('is possible with a draft, for its author', async () => {
    const world = createWorld({ emergency, recordOnly: true })
    await world.propose('ann')
    expect((await rejection(world.to('ben', 'Applied', { reason }))).name).toBe('NotFoundError')
    expect((await world.to('ann', 'Applied', { reason })).changeRequest.state).toBe('Applied')
    expect(await appliedEvent(world)).toEqual({ changeRequestId: 1, emergency: trace })
  })

  it('checks SKIP_CHANGE_REQUEST and APPLY_CHANGE_REQUEST', async () => {
    for (const missing of ['SKIP_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']) {
      const world = await open({ recordOnly: true })
      world.host.allows = (_, permission) => permission !== missing
      const { name, permissions } = await rejection(world.to('ben', 'Applied', { reason }))
      expect([name, permissions]).toEqual(['PermissionError', [missing]])
    }
  })

  it('is for what was there when its request arrived', async () => {
    const world = await open({ recordOnly: true })
    const refused = await rejection(world.to('ben', 'Applied', { reason, digest: 'sha256:other' }))
    expect(refused.name).toBe('PreconditionFailedError')
  })

  it('has nothing of an emergency where nothing was missing', async () => {
    const world = createWorld({ emergency, recordOnly: true })
    await world.approved()
    await world.to('ben', 'Applied', { reason })
    expect(await appliedEvent(world)).toEqual({ changeRequestId: 1 })
    expect(await waiting(world)).toEqual([])
  })
})
