import { comment } from '../../../src/capabilities/discussion/discussion'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { review } from '../../../src/capabilities/review/review'
import { whoAmI } from '../../../src/capabilities/review/routes'
import { viewReview } from '../../../src/capabilities/review/view'
import { ChangeRequestError } from '../../../src/errors'
import type { ReviewView } from '../../../src/generated/index'
import { toEventRows } from '../../../src/kernel/log/event-rows'
import { recordEvents, toEventDraft } from '../../../src/kernel/log/record-events'
import type { User } from '../../../src/ports/users'
import {
  actors,
  by,
  createFixture,
  enable,
  type FixtureOptions,
  production,
  renameSegment,
  type Who,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const here = { project: 'shop', id: 1 }

function open(options: FixtureOptions = {}) {
  const fixture = createFixture(options)
  return { ...fixture, review: (who: Who) => review(fixture.services, { actor: actors[who], ...here }) }
}

const allowed = ({ steps }: Awaited<ReturnType<typeof review>>) =>
  steps.filter(({ missing }) => missing.length === 0).map(({ step }) => step)

/** @see contract 12 */
describe('review', () => {
  it('lists the current steps of each caller', async () => {
    const fixture = open({ flags: new HostFlags(), requiredApprovals: 2 })
    await fixture.reviewed()
    expect(allowed(await fixture.review('ann'))).toEqual(['edit', 'cancel', 'withdrawPresetSchedule', 'rebase'])
    expect(allowed(await fixture.review('ben'))).toEqual(['approve', 'reject', 'withdrawPresetSchedule'])
    await fixture.to('ben', 'Approved')
    expect(allowed(await fixture.review('ben'))).toEqual(['withdrawPresetSchedule'])
    await fixture.to('cleo', 'Approved')
    expect(allowed(await fixture.review('ben'))).toEqual(['withdrawPresetSchedule', 'apply'])
    expect(allowed(await fixture.review('robot'))).toEqual([])
  })

  it('has the minimum and the approvers of the current content', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags, requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    const { requirements, digest } = await fixture.review('ann')
    expect(requirements).toEqual([
      {
        name: 'minimum',
        environment: null,
        mode: 'enforce',
        because: [],
        approvals: 2,
        given: 1,
        from: null,
        approvedBy: [expect.objectContaining({ id: 2 })],
        satisfiable: null,
      },
    ])
    expect((await fixture.events()).at(-1)?.data.digest).toBe(digest)
    flags.strategies = []
    const later = await fixture.review('ann')
    expect([later.requirements[0]?.given, later.digest === digest]).toEqual([0, false])
  })

  it('calls the gateway once, and each permission once', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags })
    await fixture.reviewed()
    fixture.host.asked.length = 0
    let asked = 0
    flags.instead = async () => {
      asked += 1
      return { features: new Map(), segments: new Map() }
    }
    const { steps } = await fixture.review('ben')
    expect([asked, fixture.host.asked.length]).toEqual([
      1,
      new Set(fixture.host.asked.map((one) => one.permission)).size,
    ])
    expect(steps.find(({ step }) => step === 'apply')?.missing.map(({ code }) => code)).toEqual([
      'missing-approvals',
      'conflict',
    ])
  })

  it('names who changed a target after the proposal, and after the rebase', async () => {
    const flags = new HostFlags()
    const known: User[] = []
    const fixture = open({
      flags,
      users: { find: (ids) => known.filter(({ id }) => ids.includes(id)), reviewers: () => [] },
    })
    const causes = async () => [...(await fixture.review('ben')).causes.values()].map(({ createdBy }) => createdBy)
    const titled = (title: string) => {
      fixture.host.now += 1_000
      flags.strategies = [{ id: 's1', name: 'default', disabled: false, title }]
    }
    titled('everybody')
    await fixture.reviewed([{ action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'few' } }])
    titled('all')
    const named = {
      type: 'feature-strategy-update',
      createdBy: 'cleo',
      createdByUserId: 3,
      featureName: 'checkout',
    } as const
    await recordEvents(
      fixture.services,
      [{ ...named, ...production, data: { id: 's1', title: 'all' } }],
      fixture.storage,
    )
    expect(await causes()).toEqual(['cleo'])
    known.push({ id: 3, name: 'Cleo Day', email: 'cleo@example.com' })
    expect(await causes()).toEqual(['Cleo Day'])
    fixture.host.now += 1_000
    await rebase(fixture.services, { ...by('ann'), ...here }, { named: new Map(), others: 'ours' })
    expect(await causes()).toEqual([])
    titled('whose title the log does not know')
    expect((await fixture.review('ben')).diffs[0]?.fields).toMatchObject([{ overwrites: true }])
    expect(await causes()).toEqual([])
  })

  describe('of a segment that was changed from another project', () => {
    /** Both change the segment 4; Cleo did so in the project `secret`, unless the test says otherwise. */
    async function meddled(event: object = {}) {
      const flags = new HostFlags()
      const fixture = open({ flags })
      const named = (name: string | null) => {
        const segments = new Map(name === null ? [] : [[4, { name, constraints: [] }]])
        flags.instead = async () => ({ features: new Map(), segments })
      }
      named('everybody')
      await fixture.reviewed([renameSegment(4, 'few'), renameSegment(4, 'fewer')])
      fixture.host.now += 1_000
      const shared = { type: 'segment-updated', createdBy: 'cleo', createdByUserId: 3, project: 'secret' } as const
      const by = { groupType: 'change-request', groupId: '01JD4Q0W6V0Y6X5N3T1R9K7M2B' } as const
      const now = new Date(fixture.host.now).toISOString()
      const applied = {
        ...toEventDraft(shared, now),
        type: 'change-request-applied',
        data: { changeRequestId: 666 },
      } as const
      const renamed = { ...shared, ...by, data: { id: 4, name: 'all' }, ...event }
      await recordEvents(fixture.services, [renamed], fixture.storage)
      await fixture.storage.appendEvents(toEventRows([applied], { pageUrl: '', links: {} }))
      fixture.host.asked.length = 0
      const able = (...can: readonly string[]) => {
        fixture.host.allows = (_, permission, { project = 'instance' }) =>
          project === 'shop' || can.includes(`${permission} ${project}`)
      }
      return { ...fixture, named, able }
    }

    it.each([
      ['an overwrite', 'all', 'overwrite'],
      ['a conflict', null, 'conflict'],
    ])('hides who did it from callers who can read neither: %s', async (_, name, code) => {
      const fixture = await meddled()
      fixture.able('APPLY_CHANGE_REQUEST secret')
      fixture.named(name)
      const { causes, diffs, steps } = await fixture.review('ben')
      expect(causes.size).toBe(0)
      const missing = steps.find(({ step }) => step === 'apply')?.missing
      expect(missing?.some((one) => one.code === code)).toBe(true)
      expect(JSON.stringify([diffs, steps])).not.toMatch(/cleo|secret|666/)
    })

    it.each(['READ_CHANGE_REQUEST secret', 'READ_EVENTS secret', 'READ_EVENTS instance'])(
      'names them to callers with %s',
      async (can) => {
        const fixture = await meddled()
        fixture.able(can)
        for (const name of ['all', null]) {
          fixture.named(name)
          const { causes } = await fixture.review('ben')
          const cause = { createdBy: 'cleo', changeRequestId: 666 }
          expect([...causes]).toEqual([
            [1, expect.objectContaining(cause)],
            [2, expect.objectContaining(cause)],
          ])
        }
      },
    )

    it.each([
      ['no project', { project: null }],
      ['their own', { project: 'shop' }],
    ])('names who did it in %s', async (_, event) => {
      const fixture = await meddled(event)
      fixture.able()
      fixture.named('all')
      expect((await fixture.review('ben')).causes.get(1)).toMatchObject({ createdBy: 'cleo' })
    })
  })
})

/** The review as a caller reads it. */
async function viewOf(fixture: ReturnType<typeof open>, who: Who) {
  const { body } = viewReview(await fixture.review(who), fixture.services)
  return JSON.parse(String(body)) as ReviewView
}

describe('the view of a review', () => {
  const minutes = (count: number) => new Date(Date.parse('2026-03-04T12:00:00.000Z') + count * 60_000).toISOString()
  const person = (who: Who) => ({ id: actors[who].id, username: expect.any(String), imageUrl: null })

  it('has the votes, and those that an edit or a rebase voided', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags, requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    const { votes } = await viewOf(fixture, 'ann')
    expect(votes).toEqual([
      {
        ...{ person: person('ben'), at: minutes(0), digest: expect.any(String), current: true },
        changes: [{ id: 1, status: 'same' }],
      },
    ])
    fixture.host.now += 60_000
    await editChange(fixture.services, { ...by('ann'), ...here, changeId: 1, change: enable('search') })
    const edited = await viewOf(fixture, 'ann')
    expect(edited.votes).toEqual([{ ...votes[0], current: false, changes: [{ id: 2, status: 'edited' }] }])
    expect(edited.changes).toMatchObject([{ id: 2, replaces: 1 }])
    expect(edited.voidedApprovals).toEqual([
      { by: person('ben'), at: minutes(1), cause: 'edit', causedBy: person('ann') },
    ])
    await fixture.to('cleo', 'Approved')
    await rebase(fixture.services, { ...by('ann'), ...here }, { named: new Map(), others: 'ours' })
    const rebased = await viewOf(fixture, 'ann')
    expect(rebased.voidedApprovals.map(({ by: { id }, cause }) => [id, cause])).toEqual([
      [2, 'edit'],
      [3, 'rebase'],
    ])
    expect(rebased.votes.map(({ person: { id }, current }) => [id, current])).toEqual([
      [2, false],
      [3, false],
    ])
    await fixture.to('ben', 'Approved')
    const { votes: again, changeRequest } = await viewOf(fixture, 'ann')
    expect(again.map(({ person: { id }, current }) => [id, current])).toEqual([
      [3, false],
      [2, true],
    ])
    expect(changeRequest.approvals).toEqual([{ createdBy: expect.objectContaining({ id: 2 }), createdAt: minutes(1) }])
  })

  it('has the votes that no longer count because the implied changes differ', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags, requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    flags.strategies = []
    const { votes, voidedApprovals } = await viewOf(fixture, 'ann')
    expect(votes.map(({ current }) => current)).toEqual([false])
    expect(voidedApprovals).toEqual([{ by: person('ben'), at: null, cause: 'implied-change', causedBy: null }])
  })

  it.each([
    ['Rejected', 'ben', 'In review'],
    ['Cancelled', 'ann', 'In review'],
    ['Applied', 'cleo', 'Approved'],
  ] as const)('returns who closed it, and the comment of that step: %s', async (state, who, before) => {
    const fixture = open({ flags: new HostFlags() })
    await (before === 'Approved' ? fixture.approved() : fixture.reviewed())
    await comment(fixture.services, { ...by('ann'), ...here }, 'Before.')
    fixture.host.now += 60_000
    await fixture.to(who, state, { comment: 'Done.' })
    await comment(fixture.services, { ...by('ann'), ...here }, 'After.')
    expect((await viewOf(fixture, 'ann')).ended).toEqual({
      ...{ state, by: person(who), at: minutes(1), comment: 'Done.', scheduled: false },
    })
  })

  it('offers the steps that make sense in the state, also to a caller who lacks something', async () => {
    const fixture = open({ flags: new HostFlags(), requiredApprovals: 2 })
    const offered = async (who: Who) =>
      (await viewOf(fixture, who)).steps.filter((one) => one.offered).map(({ step }) => step)
    await fixture.propose('ann')
    expect(await offered('ann')).toEqual(['edit', 'submit', 'cancel', 'discard', 'rebase'])
    await fixture.to('ann', 'In review')
    const inReview = ['edit', 'approve', 'reject', 'cancel', 'withdrawPresetSchedule', 'apply', 'rebase']
    expect(await offered('ann')).toEqual(inReview)
    expect(await offered('robot')).toEqual(inReview)
    await fixture.to('ben', 'Rejected')
    expect(await offered('ben')).toEqual(['copy'])
  })

  it('names the segments of its changes and of its strategies', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags })
    const strategy = { name: 'default', constraints: [], parameters: {}, segments: [4, 99] }
    await fixture.reviewed([{ action: 'addStrategy', feature: 'checkout', payload: strategy }])
    flags.instead = async ({ features, segments }) => ({
      features: new Map(features.map((name) => [name, { archived: false, enabled: true, strategies: [] }])),
      segments: new Map(segments.filter((id) => id === 4).map((id) => [id, { name: 'Beta testers' }])),
    })
    expect((await viewOf(fixture, 'ben')).segmentNames).toEqual({ 4: 'Beta testers' })
  })

  it('has the flags that use the segments that it changes, of projects that the caller cannot read only their number', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags })
    const use = [
      { project: 'shop', feature: 'checkout' },
      { project: 'blog', feature: 'spam-filter' },
      { project: 'secret', feature: 'hidden' },
      { project: 'secret', feature: 'darker' },
    ]
    const { current } = flags
    flags.current = async (about) => ({
      ...(await current.call(flags, about)),
      segmentUse: new Map([
        [4, use],
        [7, []],
        [9, use],
      ]),
    })
    await fixture.reviewed([renameSegment(4), renameSegment(7), renameSegment(8)])
    fixture.host.allows = (_, permission, { project }) => permission !== 'READ_CHANGE_REQUEST' || project !== 'secret'
    const { segmentUse } = await viewOf(fixture, 'ben')
    expect(segmentUse).toEqual({ 4: [...use.slice(0, 2), { others: 2 }], 7: [] })
    expect(JSON.stringify(await fixture.stored())).not.toMatch(/spam-filter|hidden/)
    const { digest } = await fixture.review('ben')
    flags.current = current
    expect((await fixture.review('ben')).digest).toBe(digest)
    expect((await viewOf(fixture, 'ben')).segmentUse).toEqual({})
  })

  it('has the flags of its own project first, if many use a segment', async () => {
    const flags = new HostFlags()
    const fixture = open({ flags })
    const own = { project: 'shop', feature: 'checkout' }
    const others = Array.from({ length: 150 }, (_, index) => ({ project: 'blog', feature: `flag-${index}` }))
    const { current } = flags
    flags.current = async (about) => ({
      ...(await current.call(flags, about)),
      segmentUse: new Map([[4, [...others, own]]]),
    })
    await fixture.reviewed([renameSegment(4)])
    expect((await viewOf(fixture, 'ben')).segmentUse[4]).toEqual([own, ...others.slice(0, 99), { others: 51 }])
  })
})

describe('the review while the gateway fails', () => {
  const byTags = { name: 'core', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 1 }
  const failing = async (error: unknown) => {
    const flags = new HostFlags()
    const fixture = open({ flags, approvalRules: [byTags], users: { find: () => [], reviewers: () => [{ id: 2 }] } })
    await fixture.reviewed([enable(), renameSegment(4)])
    await fixture.to('ben', 'Approved')
    const { digest } = await fixture.review('cleo')
    flags.instead = () => Promise.reject(error)
    return { ...fixture, digest }
  }

  it('returns what does not depend on the flags', async () => {
    const view = await viewOf(await failing(new Error('down')), 'cleo')
    const { flags, digest, requirements, votes, voidedApprovals, changes, segmentNames, segmentUse } = view
    expect({ flags, digest, voidedApprovals, segmentNames, segmentUse }).toEqual({
      ...{ flags: 'unavailable', digest: null, voidedApprovals: [], segmentNames: {}, segmentUse: {} },
    })
    expect(requirements).toMatchObject([
      { name: 'minimum', given: 1, satisfiable: null },
      { name: 'core', given: null, satisfiable: null },
    ])
    expect(votes.map(({ current }) => current)).toEqual([true])
    expect(changes).toMatchObject([1, 2].map((id) => ({ id, before: null, after: null, fields: null, conflict: null })))
  })

  it('lists why the steps that read the flags are blocked, as taking them does', async () => {
    const fixture = await failing(new Error('down'))
    const message = 'The current flags could not be read (flags.current). Try again.'
    const missing = [{ code: 'flags-unavailable', message }]
    const { steps } = await fixture.review('cleo')
    const blocked = steps.filter((one) => one.missing.some(({ code }) => code === 'flags-unavailable'))
    expect(blocked.map(({ step }) => step)).toEqual([
      'approve',
      'schedule',
      'presetSchedule',
      'apply',
      'applyInEmergency',
    ])
    expect(blocked.map((one) => one.missing)).toEqual(blocked.map(() => missing))
    const error = { name: 'UnavailableError', message, details: missing }
    await expect(fixture.to('cleo', 'Applied')).rejects.toMatchObject(error)
    await expect(fixture.to('cleo', 'Rejected', { digest: fixture.digest })).rejects.toMatchObject(error)
    expect((await fixture.to('ann', 'Cancelled')).changeRequest.state).toBe('Cancelled')
  })

  it('has the message of the gateway, and fails for an error that is no outage', async () => {
    const own = new ChangeRequestError('UnavailableError', 'The flag server is down.', { retryAfter: 7 })
    const fixture = await failing(own)
    const { steps } = await fixture.review('cleo')
    expect(steps.find(({ step }) => step === 'apply')?.missing).toMatchObject([{ message: 'The flag server is down.' }])
    await expect(fixture.to('cleo', 'Applied')).rejects.toMatchObject({ message: own.message, retryAfter: 7 })
    const wrong = await failing(new ChangeRequestError('NotFoundError', 'No such project.'))
    await expect(wrong.review('cleo')).rejects.toMatchObject({ name: 'NotFoundError' })
  })
})

/** @see contract 12 */
it('whoAmI is the caller, with their groups, and their permissions in a project and environment', async () => {
  const { services, host } = createFixture()
  const person = { kind: 'person', imageUrl: null, onBehalfOf: null }
  expect(await whoAmI(services, { ...actors.ann, groups: ['payments'] }, {})).toEqual({
    ...{ ...person, id: 1, username: 'ann@example.com', groups: ['payments'] },
  })
  expect(await whoAmI(services, actors.robot, {})).toEqual({ ...person, id: null, username: 'robot', groups: [] })
  expect(host.asked).toEqual([])
  host.allows = (_, permission, { environment }) =>
    permission === 'READ_CHANGE_REQUEST' || (permission === 'APPROVE_CHANGE_REQUEST' && environment === 'production')
  const held = async (scope: object) => (await whoAmI(services, actors.ann, scope)).permissions
  expect(await held(production)).toEqual(['READ_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST'])
  expect(await held({ project: 'shop' })).toEqual(['READ_CHANGE_REQUEST'])
})
