import type { Actor, ApprovalRule, ChangeRequest, Check, Storage } from '../../../src'
import { copy } from '../../../src/capabilities/copy/routes'
import { addChanges, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { revert } from '../../../src/capabilities/revert/routes'
import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import { changeState } from '../../../src/capabilities/state/change-state'
import { checksOf, ci, report, reviewOf } from '../../capabilities/support/checks'
import { inboxOf } from '../../capabilities/support/inbox'
import {
  by,
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  inAnHour,
  rejection,
} from '../../kernel/support/fixture'
import { Gate, HostFlags } from '../../kernel/support/flags'
import { stores, write } from '../fixtures'

const required: Check = { name: 'ci', description: 'Smoke tests' }
const optional: Check = { name: 'lint', required: false }
const tagged: Check = { name: 'pii', when: { tags: [{ type: 'data', value: 'pii' }] } }
const pii = [{ type: 'data', value: 'pii' }]

let place = 0

/** The stages of the table, in the order of the conditions. @see contract 24 */
describe.each(stores)('required checks on $name', ({ open }) => {
  let opened: { storage: Storage; close(): Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  /** What another request does before the next commit. */
  let beforeCommit: (() => Promise<unknown>) | undefined

  /** Ann's change request in an environment of its own, in review or approved, and flags that a test can modify. */
  async function start(state: 'Draft' | 'In review' | 'Approved', options: FixtureOptions = {}) {
    place += 1
    const flags = new HostFlags()
    const fixture = createFixture({
      storage: () => ({
        ...opened.storage,
        async commit(write) {
          const race = beforeCommit
          beforeCommit = undefined
          await race?.()
          return opened.storage.commit(write)
        },
      }),
      flags,
      checks: [required],
      schedule: 'elsewhere',
      emergency: true,
      ...options,
    })
    const environment = `env-${place}`
    const changes = [enable()]
    const { id } = (await fixture.propose('ann', changes, { environment })).changeRequest
    if (state !== 'Draft') await fixture.to('ann', 'In review', { id })
    if (state === 'Approved') await fixture.to('ben', 'Approved', { id })
    return { ...fixture, flags, id, reference: { project: 'shop', id } }
  }

  const codesOf = async (work: Promise<unknown>) => {
    const { name, details } = await rejection(work)
    return [name, ...details.flatMap(({ code }) => code ?? [])]
  }

  const runOf = ({ services, host }: Fixture, id: number) => {
    host.now = Date.parse(inAnHour)
    return applyScheduled(services, { project: 'shop', id }, new FreezeRound(services))
  }

  const appliedEvent = async (fixture: Fixture, id: number) =>
    (await fixture.events()).find(({ type, data }) => type === 'change-request-applied' && data.changeRequestId === id)

  it('are stored with the reporter, and shown in the order of the option', async () => {
    const fixture = await start('In review', { checks: [required, optional, tagged] })
    const { id } = fixture
    const url = 'https://ci.example/runs/1'
    const { stored, checks } = await report(fixture, { id, status: 'failed', summary: '3 of 212 failed.', url })
    expect(checks.map(({ name }) => name)).toEqual(['ci', 'lint'])
    const reportedBy = { id: 9, username: 'ci', imageUrl: null, kind: 'service', onBehalfOf: null }
    const shown = { mode: 'enforce', reportedBy: null, reportedAt: null, status: null, summary: null, url: null }
    const expected = {
      ...shown,
      status: 'failed',
      summary: '3 of 212 failed.',
      url,
      reportedBy,
      reportedAt: '2026-03-04T12:00:00.000Z',
    }
    expect((await reviewOf(fixture, id)).checks).toEqual([
      { ...expected, name: 'ci', description: 'Smoke tests', required: true },
      { ...shown, name: 'lint', description: null, required: false },
    ])
    // An equal report changes nothing, whenever it comes; any other is stored.
    fixture.host.now += 1_000
    const again = await report(fixture, { id, status: 'failed', summary: '3 of 212 failed.', url })
    expect(again.stored.version).toBe(stored.version)
    expect((await report(fixture, { id, status: 'failed', url })).stored.version).toBe(stored.version + 1)
    expect(await fixture.eventTypes()).not.toContain('check')
  })

  it('keep the last report of each and the ten before it, and none of a check that the option lost', async () => {
    const fixture = await start('In review', { checks: [required, optional] })
    const { id } = fixture
    await report(fixture, { id, name: 'lint' })
    for (let run = 1; run <= 13; run += 1) await report(fixture, { id, summary: `Run ${run}` })
    const reportsOf = async () =>
      (await fixture.stored(id))?.checkReports?.map(({ name, summary = '' }) => `${name} ${summary}`)
    expect(await reportsOf()).toEqual(['lint ', ...Array.from({ length: 11 }, (_, index) => `ci Run ${index + 3}`)])
    const later = createFixture({ storage: () => opened.storage, flags: fixture.flags, checks: [required] })
    await report(later, { id, summary: 'Run 14' })
    expect((await reportsOf())?.[0]).toBe('ci Run 4')
  })

  describe('deny', () => {
    it('without the permission, and outside of `from`', async () => {
      const checks = [{ ...required, from: { groups: ['ci'], users: [3] } }]
      const fixture = await start('In review', { checks })
      const { id } = fixture
      expect(await codesOf(report(fixture, { id, who: 'dora' }))).toEqual(['PermissionError', 'missing-permission'])
      fixture.host.allows = (_, permission) => permission !== 'REPORT_CHECK'
      expect(await codesOf(report(fixture, { id }))).toEqual(['PermissionError', 'missing-permission'])
      fixture.host.allows = () => true
      await report(fixture, { id, who: 'cleo' })
      await report(fixture, { id })
    })

    it('without a user id', async () => {
      const fixture = await start('In review')
      const { id } = fixture
      expect(await codesOf(report(fixture, { id, who: 'robot' }))).toEqual(['OperationDeniedError', 'no-user-id'])
    })

    /** Everyone who is involved in the content, and how they became so. */
    const bot: Actor = { id: 8, username: 'bot', kind: 'agent', onBehalfOf: { id: 3, username: 'cleo' } }
    const forAnn: Actor = { id: 7, username: 'for-ann', kind: 'service', onBehalfOf: { id: 1 } }
    const own = ['OperationDeniedError', 'own-change-request']

    it('the author, also an ADMIN, the machine that acts for them, and not the reviewer', async () => {
      const fixture = await start('Approved')
      const { id } = fixture
      fixture.host.allows = () => true
      for (const who of ['ann', forAnn] as const) expect(await codesOf(report(fixture, { id, who }))).toEqual(own)
      await report(fixture, { id, who: 'ben' })
    })

    it('the machine that proposed it, and the person for whom it did', async () => {
      const fixture = await start('Draft')
      const proposed = { actor: bot, ip: undefined, ifMatch: undefined, project: 'shop', environment: `bot-${place}` }
      const { id } = (await addChanges(fixture.services, { ...proposed, changes: [enable()] })).changeRequest
      await submitAs(fixture, bot, id)
      for (const who of [bot, 'cleo'] as const) expect(await codesOf(report(fixture, { id, who }))).toEqual(own)
      await report(fixture, { id })
    })

    it('everyone who edited a change, even if it was edited or discarded since', async () => {
      const fixture = await start('In review')
      const { id } = fixture
      const current = await fixture.stored(id)
      if (current === undefined) throw new Error('It was stored.')
      // Only the author edits; others are authors where the stored request has them.
      await replace({ ...current, otherAuthors: [2, 3] })
      for (const who of ['ben', 'cleo'] as const) expect(await codesOf(report(fixture, { id, who }))).toEqual(own)
      await report(fixture, { id, who: 'dora' })
    })

    it('the author of a copy and of a revert, and not the author of the original', async () => {
      const fixture = await start('Approved')
      const { id, reference, services } = fixture
      await report(fixture, { id })
      await fixture.to('ben', 'Applied', { id })
      fixture.flags.enabled = true
      const copied = (await copy(services, { ...by('ben'), ...reference })).changeRequest.id
      const reverted = (await revert(services, { ...by('cleo'), ...reference }, false)).changeRequest.id
      for (const [other, author] of [
        [copied, 'ben'],
        [reverted, 'cleo'],
      ] as const) {
        await fixture.to(author, 'In review', { id: other })
        expect(await codesOf(report(fixture, { id: other, who: author }))).toEqual(own)
        expect(await checksOf(fixture, other)).toEqual([{ name: 'ci', status: null }])
        await report(fixture, { id: other, who: 'ann' })
      }
    })

    it('nobody for being an author where the check says byAuthor', async () => {
      const fixture = await start('In review', { checks: [{ ...required, byAuthor: true }] })
      const { id } = fixture
      await report(fixture, { id, who: 'ann' })
      expect(await checksOf(fixture, id)).toEqual([{ name: 'ci', status: 'passed' }])
    })
  })

  describe('reject', () => {
    it('another digest, and a revision that is not the current one', async () => {
      const fixture = await start('In review')
      const { id } = fixture
      expect(await codesOf(report(fixture, { id, digest: 'sha256:0' }))).toEqual([
        'PreconditionFailedError',
        'outdated-revision',
      ])
      expect(await codesOf(report(fixture, { id, ifMatch: `"${id}-1"` }))).toEqual([
        'PreconditionFailedError',
        'outdated-revision',
      ])
    })

    it('a name that no check has, and one that does not match now', async () => {
      const fixture = await start('In review', { checks: [required, tagged] })
      const { id } = fixture
      for (const name of ['other', 'pii', 'constructor']) {
        expect(await codesOf(report(fixture, { id, name }))).toEqual(['NotFoundError'])
      }
      fixture.flags.tags = pii
      await report(fixture, { id, name: 'pii' })
    })

    it('every state but In review, Approved and Scheduled', async () => {
      const draft = await start('Draft', { checks: [{ ...required, byAuthor: true }] })
      const input = { digest: (await reviewOf(draft, draft.id, 'ann')).digest ?? '' }
      expect(await codesOf(report(draft, { ...input, id: draft.id, who: 'ann' }))).toEqual([
        'ConflictError',
        'wrong-state',
      ])
      expect(await codesOf(report(draft, { ...input, id: draft.id }))).toEqual(['NotFoundError'])
      for (const state of ['Applied', 'Rejected', 'Cancelled'] as const) {
        const fixture = await start(state === 'Rejected' ? 'In review' : 'Approved')
        const { id } = fixture
        await report(fixture, { id })
        await fixture.to(state === 'Cancelled' ? 'ann' : 'ben', state, { id })
        expect(await codesOf(report(fixture, { id, status: 'failed' }))).toEqual(['ConflictError', 'wrong-state'])
      }
      const scheduled = await start('Approved')
      await scheduled.to('ben', 'Scheduled', { id: scheduled.id })
      await report(scheduled, { id: scheduled.id })
    })

    it('reports while an attempt to apply runs', async () => {
      const fixture = await start('Approved')
      const { id, flags } = fixture
      await report(fixture, { id })
      const gate = new Gate()
      const { apply } = flags
      flags.apply = async (changes, context) => {
        await gate.pass()
        return apply.call(flags, changes, context)
      }
      const applying = fixture.to('ben', 'Applied', { id })
      await gate.arrived
      expect(await codesOf(report(fixture, { id, status: 'failed' }))).toEqual(['ConflictError', 'being-applied'])
      gate.letGo()
      expect((await applying).changeRequest.state).toBe('Applied')
    })

    it('reports while the flags are unknown; the review goes on without their status', async () => {
      const fixture = await start('In review', { checks: [required, tagged] })
      const { id } = fixture
      const { digest } = await reviewOf(fixture, id)
      await report(fixture, { id })
      fixture.flags.instead = () => Promise.reject(new Error('down'))
      expect(await codesOf(report(fixture, { id, digest: digest ?? '' }))).toEqual([
        'UnavailableError',
        'flags-unavailable',
      ])
      expect(await checksOf(fixture, id)).toEqual([
        { name: 'ci', status: null },
        { name: 'pii', status: null },
      ])
    })
  })

  it.each(['pending', 'failed', null] as const)('block an apply while the last report is %s', async (status) => {
    const fixture = await start('In review', { checks: [required, optional] })
    const { id } = fixture
    if (status !== null) {
      await report(fixture, { id })
      await report(fixture, { id, status })
    }
    const { steps } = await reviewOf(fixture, id, 'ben')
    const missing = steps.find(({ step }) => step === 'apply')?.missing.map(({ code }) => code)
    expect(missing).toEqual(['missing-approvals', 'missing-check'])
    expect(await codesOf(fixture.to('ben', 'Applied', { id }))).toEqual(['ConflictError', ...(missing ?? [])])
    await fixture.to('ben', 'Approved', { id })
    const { details } = await rejection(fixture.to('ben', 'Applied', { id }))
    const problem = { pending: 'is pending', failed: 'has failed', null: 'has no report for the current content' }
    expect(details).toEqual([
      { code: 'missing-check', message: `The required check "ci" ${problem[status ?? 'null']}.` },
    ])
    await report(fixture, { id })
    expect((await fixture.to('ben', 'Applied', { id })).changeRequest.state).toBe('Applied')
    const reportedBy = { id: 9, username: 'ci', kind: 'service' }
    const none = { status: null, reportedBy: null, reportedAt: null }
    expect((await appliedEvent(fixture, id))?.data.checks).toEqual([
      { name: 'ci', required: true, status: 'passed', reportedBy, reportedAt: '2026-03-04T12:00:00.000Z' },
      { name: 'lint', required: false, ...none },
    ])
    // As at the apply, whatever the option says later.
    const later = createFixture({ storage: () => opened.storage, flags: fixture.flags })
    expect((await reviewOf(later, id)).checks).toMatchObject([
      { name: 'ci', description: 'Smoke tests', status: 'passed' },
      { name: 'lint', status: null },
    ])
  })

  it('count for exactly the content: an edit and a rebase remove them', async () => {
    const fixture = await start('In review')
    const { id, services, reference, flags } = fixture
    await report(fixture, { id })
    const change = (await fixture.stored(id))?.changes[0]
    await editChange(services, { ...by('ann'), ...reference, changeId: change?.id ?? 0, change: enable('search') })
    expect([await checksOf(fixture, id), (await fixture.stored(id))?.checkReports]).toEqual([
      [{ name: 'ci', status: null }],
      undefined,
    ])
    await report(fixture, { id })
    flags.enabled = true
    await rebase(services, { ...by('ann'), ...reference }, { named: new Map(), others: 'ours' })
    expect((await fixture.stored(id))?.checkReports).toBe(undefined)
  })

  it('do not count while implied changes differ, and count again once those of the report are back', async () => {
    const fixture = await start('Approved')
    const { id, flags } = fixture
    await report(fixture, { id })
    const { strategies } = flags
    flags.strategies = []
    expect(await checksOf(fixture, id)).toEqual([{ name: 'ci', status: null }])
    await report(fixture, { id, status: 'failed' })
    flags.strategies = strategies
    expect(await checksOf(fixture, id)).toEqual([{ name: 'ci', status: 'passed' }])
    expect((await fixture.to('ben', 'Applied', { id })).changeRequest.state).toBe('Applied')
  })

  it('are listed by an emergency', async () => {
    const fixture = await start('Approved')
    const { id } = fixture
    await report(fixture, { id, status: 'failed' })
    await fixture.to('ben', 'Applied', { id, reason: 'Customers cannot pay.' })
    const missing = [{ code: 'missing-check', name: 'ci', status: 'failed' }]
    const event = await appliedEvent(fixture, id)
    expect(event?.data.emergency).toEqual({ reason: 'Customers cannot pay.', missing })
    expect(event?.data.checks).toMatchObject([{ name: 'ci', status: 'failed' }])
    expect((await reviewOf(fixture, id)).emergency?.missing).toEqual(missing)
  })

  it('suspend a schedule at its run, and do not prevent it', async () => {
    const fixture = await start('Approved')
    const { id } = fixture
    await fixture.to('ben', 'Scheduled', { id })
    await report(fixture, { id, status: 'failed' })
    expect((await fixture.stored(id))?.schedule?.status).toBe('pending')
    expect(await runOf(fixture, id)).toBe('suspended')
    expect((await fixture.stored(id))?.schedule?.reason).toBe('The required check "ci" has failed.')
    await report(fixture, { id })
    await fixture.to('ben', 'Scheduled', { id, scheduledAt: '2026-03-04T13:30:00.000Z' })
    fixture.host.now += 3_600_000
    expect(await applyScheduled(fixture.services, fixture.reference, new FreezeRound(fixture.services))).toBe('applied')
    expect((await appliedEvent(fixture, id))?.data.checks).toMatchObject([{ status: 'passed' }])
  })

  describe('and a preset schedule', () => {
    const preset = (
      { services, reference }: Awaited<ReturnType<typeof start>>,
      scheduledAt: string | null = inAnHour,
    ) => presetSchedule(services, { ...by('cleo'), ...reference, digest: null, scheduledAt })
    const stateOf = async (fixture: Fixture, id: number) => {
      const { state, schedule } = (await fixture.stored(id)) ?? {}
      return [state, schedule?.status, schedule?.reason]
    }

    it('the last report schedules, in the name of the user who preset it', async () => {
      const fixture = await start('In review')
      const { id } = fixture
      await preset(fixture)
      await fixture.to('ben', 'Approved', { id })
      await report(fixture, { id, status: 'pending' })
      expect(await stateOf(fixture, id)).toEqual(['Approved', undefined, undefined])
      const before = (await fixture.events()).length
      fixture.host.allows = ({ id: who }, permission) =>
        who !== 9 || permission === 'REPORT_CHECK' || permission === 'READ_CHANGE_REQUEST'
      await report(fixture, { id })
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'pending', null])
      expect((await fixture.events()).slice(before)).toMatchObject([
        {
          type: 'change-request-scheduled',
          createdByUserId: 3,
          ip: null,
          data: { scheduledDate: inAnHour, presetAt: '2026-03-04T12:00:00.000Z' },
        },
      ])
    })

    it('a preset schedule of an approved one waits for the report', async () => {
      const fixture = await start('Approved')
      const { id } = fixture
      await preset(fixture, null)
      expect(await stateOf(fixture, id)).toEqual(['Approved', undefined, undefined])
      await report(fixture, { id })
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'pending', null])
    })

    it('the last approval schedules if the checks have passed', async () => {
      const fixture = await start('In review')
      const { id } = fixture
      await preset(fixture)
      await report(fixture, { id })
      expect(await stateOf(fixture, id)).toEqual(['In review', undefined, undefined])
      await fixture.to('ben', 'Approved', { id })
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'pending', null])
    })

    it('an equal report schedules nothing, and one with another summary does', async () => {
      const rules: ApprovalRule[] = []
      const fixture = await start('Approved', { approvalRules: () => rules })
      const { id } = fixture
      rules.push({ name: 'owners', approvals: 2 })
      await preset(fixture)
      await report(fixture, { id })
      rules.length = 0
      await report(fixture, { id })
      expect(await stateOf(fixture, id)).toEqual(['Approved', undefined, undefined])
      await report(fixture, { id, summary: 'Again.' })
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'pending', null])
    })

    it('a time that passed before the report is suspended', async () => {
      const fixture = await start('Approved')
      const { id } = fixture
      await preset(fixture)
      fixture.host.now = Date.parse(inAnHour) + 120_000
      await report(fixture, { id, status: 'failed' })
      const reason = 'The scheduled time passed before the change request was ready.'
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'suspended', reason])
    })

    it('a conflict is suspended, with all that is missing', async () => {
      const fixture = await start('Approved')
      const { id, flags } = fixture
      await preset(fixture)
      flags.instead = async () => ({ features: new Map(), segments: new Map() })
      await report(fixture, { id, status: 'failed' })
      expect(await stateOf(fixture, id)).toEqual([
        'Scheduled',
        'suspended',
        'The changes cannot be applied to the current flags (checkout: Feature has been deleted). ' +
          'The required check "ci" has failed.',
      ])
    })

    it('a preset schedule that is set between the facts and the commit of a report counts', async () => {
      const fixture = await start('Approved')
      const { id } = fixture
      await report(fixture, { id, status: 'pending' })
      const digest = (await reviewOf(fixture, id)).digest ?? ''
      const { flags, reference } = fixture
      const another = createFixture({ storage: () => opened.storage, flags, checks: [required], schedule: 'elsewhere' })
      beforeCommit = () =>
        presetSchedule(another.services, { ...by('cleo'), ...reference, digest: null, scheduledAt: inAnHour })
      await report(fixture, { id, digest })
      expect(await stateOf(fixture, id)).toEqual(['Scheduled', 'pending', null])
    })
  })

  it('are found by their name until they have a report for the current content', async () => {
    const checks = [required, tagged]
    const first = await start('In review', { checks })
    const second = await start('Approved', { checks })
    const draft = await start('Draft', { checks })
    const ids = [first.id, second.id, draft.id]
    const found = async (check: string) => {
      const { items, totals } = await inboxOf(first, ci, { check, limit: 100 })
      expect(totals).toBe(null)
      return items.map(({ described }) => described.changeRequest.id).filter((id) => ids.includes(id))
    }
    expect([await found('ci'), await found('pii'), await found('other')]).toEqual([[second.id, first.id], [], []])
    await report(first, { id: first.id, status: 'pending' })
    expect(await found('ci')).toEqual([second.id])
    first.flags.strategies = []
    first.flags.tags = pii
    expect([await found('ci'), await found('pii')]).toEqual([
      [second.id, first.id],
      [second.id, first.id],
    ])
    first.flags.instead = () => Promise.reject(new Error('down'))
    expect(await found('ci')).toEqual([])
  })

  async function replace(changeRequest: ChangeRequest) {
    const found = await opened.storage.find({ project: 'shop' }, changeRequest.id)
    expect(await opened.storage.commit(write(changeRequest, { expectedVersion: found?.version ?? 0 }))).toBe(true)
  }

  function submitAs({ services }: Fixture, actor: Actor, id: number) {
    const input = { actor, ip: undefined, ifMatch: undefined, project: 'shop', id, state: 'In review' } as const
    return changeState(services, { ...input, comment: null, scheduledAt: null, digest: null })
  }
})
