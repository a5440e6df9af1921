import { comment } from '../../../src/capabilities/discussion/discussion'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { review } from '../../../src/capabilities/review/review'
import { actors, by, createFixture, enable, type FixtureOptions, rejection, type Who } from '../support/fixture'
import { Gate, HostFlags } from '../support/flags'

const here = { project: 'shop', id: 1 }

function open(options: FixtureOptions = {}) {
  const flags = new HostFlags()
  const fixture = createFixture({ flags, ...options })
  return {
    ...fixture,
    flags,
    edit: (changeId = 1, change = enable('search')) =>
      editChange(fixture.services, { ...by('ann'), ...here, changeId, change }),
    /** The next result of the gateway waits for the gate; later ones do not. */
    holdGateway() {
      const gate = new Gate()
      flags.instead = async (subjects) => {
        flags.instead = null
        await gate.pass()
        return flags.current(subjects)
      }
      return gate
    },
  }
}

/** @see contract 6.3: a vote, or an apply, is for the content that was stored when its request arrived. */
describe('the content of a decision', () => {
  it.each([
    ['an approval', 'Approved'],
    ['a rejection', 'Rejected'],
  ] as const)('%s is rejected when the author has replaced the change meanwhile', async (_, state) => {
    const fixture = open()
    await fixture.reviewed()
    const gate = fixture.holdGateway()
    const voting = rejection(fixture.to('ben', state))
    await gate.arrived
    await fixture.edit()
    gate.letGo()
    expect(await voting).toMatchObject({
      name: 'PreconditionFailedError',
      message: expect.stringContaining('The content to be applied has changed since you read it'),
    })
    expect(await fixture.stored()).toMatchObject({ state: 'In review', approvals: [] })
    expect((await fixture.eventTypes()).at(-1)).toBe('change-edited')
  })

  it('an apply is rejected when the author has replaced the change meanwhile, approved again or not', async () => {
    const fixture = open()
    await fixture.approved()
    const gate = fixture.holdGateway()
    const applying = rejection(fixture.to('ben', 'Applied'))
    await gate.arrived
    await fixture.edit()
    await fixture.to('ben', 'Approved')
    gate.letGo()
    expect((await applying).name).toBe('PreconditionFailedError')
    expect([(await fixture.stored())?.state, fixture.flags.applied]).toEqual(['Approved', []])
  })

  it.each([
    ['an approval', 'Approved'],
    ['an application', 'Applied'],
  ] as const)('%s that another process overtook between its decision and its commit is rejected', async (_, state) => {
    const first = open()
    await (state === 'Approved' ? first.reviewed() : first.approved())
    let raced = false
    const other = open({
      flags: first.flags,
      storage: () => ({
        ...first.memory,
        async commit(write) {
          if (raced) return first.memory.commit(write)
          raced = true
          await first.edit()
          return false
        },
      }),
    })
    expect((await rejection(other.to('ben', state))).name).toBe('PreconditionFailedError')
  })

  it('cancelling is decided on the latest content, and stores the state of its flags', async () => {
    const fixture = open()
    await fixture.reviewed()
    const gate = fixture.holdGateway()
    const cancelling = fixture.to('dora', 'Cancelled')
    await gate.arrived
    await fixture.edit()
    gate.letGo()
    const { state, changes } = (await cancelling).changeRequest
    expect([state, changes.map(({ feature, snapshot }) => [feature, snapshot])]).toEqual([
      'Cancelled',
      [['search', { enabled: false }]],
    ])
  })

  it('hooks do not block other writes: a comment overtakes a vote that waits for the gateway', async () => {
    const fixture = open()
    await fixture.reviewed()
    const gate = fixture.holdGateway()
    const voting = fixture.to('ben', 'Approved')
    await gate.arrived
    await comment(fixture.services, { ...by('cleo'), ...here }, 'Looking.')
    gate.letGo()
    expect((await voting).changeRequest).toMatchObject({ state: 'Approved', comments: [{ text: 'Looking.' }] })
  })

  describe('with a digest from the caller', () => {
    it.each(['Approved', 'Rejected', 'Applied'] as const)('%s is rejected with an outdated digest', async (state) => {
      const fixture = open()
      await (state === 'Applied' ? fixture.approved() : fixture.reviewed())
      const refused = await rejection(fixture.to('dora', state, { digest: 'sha256:other' }))
      expect(refused.name).toBe('PreconditionFailedError')
    })

    it('the current digest is accepted, for votes and for the apply', async () => {
      const fixture = open({ requiredApprovals: 2 })
      await fixture.reviewed()
      await fixture.to('ben', 'Approved')
      const digest: string = (await fixture.events()).at(-1)?.data.digest
      await fixture.to('dora', 'Approved', { digest })
      expect((await fixture.to('ben', 'Applied', { digest })).changeRequest.state).toBe('Applied')
    })
  })

  describe('with the option requireRevision', () => {
    const required = () => open({ requireRevision: true })

    it('an entity tag names a revision', async () => {
      const fixture = required()
      await fixture.reviewed()
      expect((await rejection(fixture.to('ben', 'Approved', { ifMatch: '"1-1"' }))).name).toBe(
        'PreconditionFailedError',
      )
      expect((await fixture.to('ben', 'Approved', { ifMatch: '"1-2"' })).changeRequest.state).toBe('Approved')
    })
  })
})

/** @see contract 6.3: a vote covers the base of each change. */
describe('after a rebase that keeps the payload', () => {
  async function overwriting() {
    const fixture = open()
    const titled = (title: string) => {
      fixture.flags.strategies = [{ id: 's1', name: 'default', disabled: false, title }]
    }
    titled('everybody')
    await fixture.reviewed([{ action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'few' } }])
    titled('all')
    const read = () => review(fixture.services, { actor: actors.ben, ...here })
    const ours = () => rebase(fixture.services, { ...by('ann'), ...here }, { named: new Map(), others: 'ours' })
    return { ...fixture, titled, read, ours }
  }

  it.each(['Approved', 'Rejected', 'Applied', 'Scheduled'] as const)(
    '%s with the previous digest is rejected',
    async (state) => {
      const fixture = await overwriting()
      const { digest } = await fixture.read()
      await fixture.ours()
      expect((await fixture.read()).digest).not.toBe(digest)
      expect((await rejection(fixture.to('ben', state, { digest }))).name).toBe('PreconditionFailedError')
      expect((await fixture.stored())?.approvals).toEqual([])
    },
  )

  it('another rebase on the same flags keeps the digest', async () => {
    const fixture = await overwriting()
    await fixture.ours()
    const { digest } = await fixture.read()
    await fixture.ours()
    expect((await fixture.read()).digest).toBe(digest)
  })

  it('the votes of an applied change request are still shown, although its bases are removed', async () => {
    const fixture = await overwriting()
    await fixture.ours()
    await fixture.to('ben', 'Approved', { digest: (await fixture.read()).digest })
    await fixture.to('ben', 'Applied')
    expect((await fixture.stored())?.changes[0]).not.toHaveProperty('base')
    expect((await fixture.read()).requirements).toMatchObject([{ name: 'minimum', given: 1 }])
  })
})

/** The permission is checked first, then the revision, then the state (11.4). */
describe('while it is being applied', () => {
  const able: readonly (readonly [Parameters<ReturnType<typeof open>['to']>[1], Who, Who | null])[] = [
    ['Applied', 'ben', null],
    ['Cancelled', 'ann', 'ben'],
    ['Approved', 'dora', 'ann'],
    ['Rejected', 'dora', 'ann'],
    ['In review', 'ann', 'ben'],
  ]

  it.each(able)(
    'to %s, %s is rejected for the revision and then the state, and %s for the permission',
    async (state, who, stranger) => {
      const fixture = open()
      await fixture.approved()
      const gate = new Gate()
      fixture.flags.apply = async () => {
        await gate.pass()
        return []
      }
      const applying = fixture.to('ben', 'Applied')
      await gate.arrived
      const stale = { ifMatch: '"1-1"' }
      if (stranger !== null)
        expect((await rejection(fixture.to(stranger, state, stale))).name).toBe('OperationDeniedError')
      expect((await rejection(fixture.to(who, state, stale))).name).toBe('PreconditionFailedError')
      expect(await rejection(fixture.to(who, state))).toMatchObject({
        name: 'ConflictError',
        message: expect.stringContaining('being applied'),
      })
      gate.letGo()
      await applying
    },
  )
})
