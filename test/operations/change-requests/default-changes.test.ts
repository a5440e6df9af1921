import { memoryStorage, type Storage } from '../../../src'
import { digestOf } from '../../../src/operations/flags/digest'
import { inProcess, type Send } from '../../storage/model/support/callers'
import { eventTypes, openRouter } from '../../storage/model/support/hosts'
import { approved, needApprovals, ok, reviewed, to } from '../../storage/model/support/walks'
import { HostFlags } from '../support/flags'

/** @see contract 5.5 and 6.3: what comes along by default is approved like all else. */
describe('default changes', () => {
  let storage: Storage
  let flags: HostFlags
  let send: Send

  beforeEach(() => {
    storage = memoryStorage()
    flags = new HostFlags()
    send = inProcess(openRouter(storage, { flags }))
  })

  const handedOver = () => flags.applied.map((changes) => changes.map(({ id, action }) => [id, action]))
  const approvals = async () => (await eventTypes(storage)).filter((type) => type.startsWith('change-request-appro'))

  it('that came after the approval are not carried out until they are approved, by the same person or another', async () => {
    await approved(send)
    flags.strategies = []
    const refused = await to(send, 'ben', 'Applied')
    expect([refused.name, refused.body.message]).toEqual([
      'ConflictError',
      expect.stringContaining('What would be carried out now is not what was approved'),
    ])
    expect(handedOver()).toEqual([])

    await ok(to(send, 'ben', 'Approved'))
    await ok(to(send, 'ben', 'Applied'))
    expect(handedOver()).toEqual([
      [
        [null, 'addStrategy'],
        [1, 'updateEnabled'],
      ],
    ])
    const added = 'change-request-approval-added'
    expect(await approvals()).toEqual([added, 'change-request-approved', added])
  })

  it('that went after the approval, or are others now, are approved anew as well', async () => {
    flags.strategies = []
    await approved(send)
    flags.strategies = [{ id: 's2', name: 'default', disabled: false }]
    expect((await to(send, 'ben', 'Applied')).name).toBe('ConflictError')
    flags.strategies = []
    await ok(to(send, 'ben', 'Applied'))
  })

  it('that differ between two votes leave only the later one counted', async () => {
    await needApprovals(send, 2)
    await reviewed(send)
    await ok(to(send, 'ben', 'Approved'))
    flags.strategies = []
    expect((await ok(to(send, 'dora', 'Approved'))).body.state).toBe('In review')
    expect((await ok(to(send, 'ben', 'Approved'))).body.state).toBe('Approved')
  })

  it('cannot be approved while the gateway cannot tell them, but what is wrong can be rejected', async () => {
    await reviewed(send)
    flags.instead = async () => {
      throw new Error('out of order')
    }
    const answer = await to(send, 'ben', 'Approved')
    expect([answer.status, answer.name]).toEqual([503, 'UnavailableError'])
    expect((await ok(to(send, 'ben', 'Rejected'))).body.state).toBe('Rejected')
  })

  it('are not made for flags without strategies, which have none to miss', async () => {
    flags.current = async ({ features }) => ({
      features: new Map(features.map((name) => [name, { archived: false, enabled: false }])),
      segments: new Map(),
    })
    await approved(send)
    await ok(to(send, 'ben', 'Applied'))
    expect(handedOver()).toEqual([[[1, 'updateEnabled']]])
  })

  it('are part of the digest, which is without them what it always was', () => {
    const changes = [
      {
        id: 1,
        action: 'updateEnabled',
        feature: 'checkout',
        payload: { enabled: true },
        createdBy: { id: 1, username: 'ann', imageUrl: null },
        createdAt: '2026-03-04T12:00:00.000Z',
      },
    ] as const
    const plain = 'sha256:c662a0239f3aac8fc003e84f615cdb32788aff0c55c0cc05e03fbaeec2e0faae'
    expect(digestOf({ changes })).toBe(plain)
    const strategy = (payload: { [key: string]: string }) =>
      new Map([['checkout', { action: 'addStrategy', feature: 'checkout', payload }]] as const)
    const digest = digestOf({ changes }, strategy({ name: 'default', title: 'all' }))
    expect(digest).not.toBe(plain)
    // A database may answer the keys of an object in another order.
    expect(digestOf({ changes }, strategy({ title: 'all', name: 'default' }))).toBe(digest)
  })
})
