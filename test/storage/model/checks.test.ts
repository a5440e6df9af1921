import fc from 'fast-check'
import { ChangeRequestError, type Check, type Storage } from '../../../src'
import { addChanges, discardChange, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import { report, reviewOf } from '../../capabilities/support/checks'
import { accepted, by, createFixture, enable, inAnHour, production } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { fewStores, stores } from '../fixtures'

const checks: readonly Check[] = [
  { name: 'ci' },
  { name: 'pii', when: { tags: [{ type: 'data', value: 'pii' }] } },
  { name: 'lint', required: false },
]
const statuses = ['pending', 'passed', 'passed', 'passed', 'failed'] as const

type Process = ReturnType<typeof processOn>

/** A process of the app: several can share a storage and the flags. */
function processOn(storage: Storage, flags: HostFlags) {
  return createFixture({ storage: () => storage, flags, checks, schedule: 'elsewhere', emergency: true })
}

const run = ({ services }: Process, id: number) =>
  applyScheduled(services, { project: 'shop', id }, new FreezeRound(services))

const actions = fc.oneof(
  fc.record({
    do: fc.constant('report' as const),
    name: fc.constantFrom('ci', 'ci', 'ci', 'pii', 'lint'),
    status: fc.constantFrom(...statuses),
    /** For the content that the reporter has read before. */
    late: fc.nat(4).map((of) => of === 0),
  }),
  fc.record({
    do: fc.constantFrom(
      'approve',
      'approve',
      'apply',
      'apply',
      'apply',
      'emergency',
      'schedule',
      'preset',
      'run',
      'add',
      'edit',
      'discard',
      'rebase',
      'read',
    ),
  }),
  fc.record({ do: fc.constantFrom('tag', 'imply', 'switch'), on: fc.boolean() }),
)

type Action = typeof actions extends fc.Arbitrary<infer Value> ? Value : never

/** Accepted reports since the last edit, oldest first. */
type Reported = { readonly name: string; readonly digest: string; readonly status: string }[]

/** @see contract 24 */
describe.each(fewStores)('random changes and reports on $name', ({ open }) => {
  let opened: { storage: Storage; close(): Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    await expectConsistent(opened.storage)
    await opened.close()
  })

  let place = 0

  async function play(sequence: readonly Action[]) {
    place += 1
    const environment = `random-${place}`
    const flags = new HostFlags()
    const fixture = processOn(opened.storage, flags)
    const { services } = fixture
    const changes = [
      enable(),
      { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'a' } } as const,
    ]
    const { id } = (await fixture.propose('ann', changes, { environment })).changeRequest
    await fixture.to('ann', 'In review', { id })
    const reference = { project: 'shop', id }
    const ann = { ...by('ann'), ...reference }
    let reported: Reported = []
    let seen = (await reviewOf(fixture, id)).digest ?? ''
    const digestNow = async () => (await reviewOf(fixture, id)).digest ?? ''
    const changesNow = async () => JSON.stringify((await fixture.stored(id))?.changes)
    const edited = async (work: () => Promise<unknown>) => {
      const before = await changesNow()
      // While it is scheduled, what is added becomes part of a new draft.
      if ((await accepted(work())) && (await changesNow()) !== before) reported = []
    }
    const lastChange = async () => (await fixture.stored(id))?.changes.at(-1)?.id ?? 0
    for (const action of sequence) {
      fixture.host.now += 1_000
      if (action.do === 'report') {
        const digest = action.late ? seen : await digestNow()
        const { name, status } = action
        if (await accepted(report(fixture, { id, name, status, digest }))) reported.push({ name, digest, status })
      } else if (action.do === 'read') seen = await digestNow()
      else if (action.do === 'tag') flags.tags = action.on ? [{ type: 'data', value: 'pii' }] : []
      else if (action.do === 'imply')
        flags.strategies = action.on ? [] : [{ id: 's1', name: 'default', disabled: false }]
      else if (action.do === 'switch') flags.enabled = action.on
      else if (action.do === 'approve') await accepted(fixture.to('ben', 'Approved', { id }))
      else if (action.do === 'schedule') {
        await accepted(
          fixture.to('cleo', 'Scheduled', { id, scheduledAt: new Date(fixture.host.now + 10).toISOString() }),
        )
      } else if (action.do === 'preset') {
        await accepted(presetSchedule(services, { ...by('cleo'), ...reference, digest: null, scheduledAt: null }))
      } else if (action.do === 'add') {
        await edited(() =>
          addChanges(services, { ...by('ann'), ...production, environment, changes: [enable('search')] }),
        )
      } else if (action.do === 'edit') {
        await edited(async () =>
          editChange(services, { ...ann, changeId: await lastChange(), change: enable('basket') }),
        )
      } else if (action.do === 'discard')
        await edited(async () => discardChange(services, { ...ann, changeId: await lastChange() }))
      else if (action.do === 'rebase') await edited(() => rebase(services, ann, { named: new Map(), others: 'ours' }))
      else {
        const tagged = flags.tags.length > 0
        if (action.do === 'run') await run(fixture, id)
        else {
          const reason = action.do === 'emergency' ? { reason: 'Customers cannot pay.' } : {}
          await accepted(fixture.to('ben', 'Applied', { id, ...reason }))
        }
        const stored = await fixture.stored(id)
        if (stored?.state !== 'Applied') continue
        const bypassed =
          stored.emergency?.missing.flatMap((one) => (one.code === 'missing-check' ? one.name : [])) ?? []
        const digest = stored.ended?.digest
        for (const name of tagged ? ['ci', 'pii'] : ['ci']) {
          const last = reported.findLast((one) => one.name === name && one.digest === digest)
          expect([name, last?.status === 'passed' || bypassed.includes(name)]).toEqual([name, true])
        }
        return stored.emergency === undefined ? 'applied' : 'bypassed'
      }
    }
    return 'open'
  }

  it('nothing is applied without its required checks for exactly what is applied, but by an emergency that names them', async () => {
    const ends: Record<string, number> = { applied: 0, bypassed: 0, open: 0 }
    const property = fc.asyncProperty(fc.array(actions, { minLength: 5, maxLength: 25 }), async (sequence) => {
      const end = await play(sequence)
      ends[end] = (ends[end] ?? 0) + 1
    })
    const numRuns = runs(isNightly ? 2_000 : 50)
    await fc.assert(property, { numRuns, seed, endOnFailure: true })
    if (numRuns >= 1_000) expect(Math.min(...Object.values(ends))).toBeGreaterThan(20)
  })
})

/** Each pair of requests reaches two processes at the same time. */
describe.each(stores.slice(1))('a report that races on $name', ({ open }) => {
  let opened: { storage: Storage; close(): Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    await expectConsistent(opened.storage)
    await opened.close()
  })

  const rounds = runs(isNightly ? 300 : 5)
  let place = 0

  async function start(state: 'In review' | 'Approved' | 'Scheduled') {
    place += 1
    const flags = new HostFlags()
    const [one, other] = [processOn(opened.storage, flags), processOn(opened.storage, flags)]
    const { id } = (await one.propose('ann', [enable()], { environment: `race-${place}` })).changeRequest
    await one.to('ann', 'In review', { id })
    if (state !== 'In review') await one.to('ben', 'Approved', { id })
    if (state === 'Scheduled') await one.to('ben', 'Scheduled', { id })
    one.host.now = other.host.now = Date.parse(state === 'Scheduled' ? inAnHour : '2026-03-04T12:01:00.000Z')
    const digest = (await reviewOf(one, id)).digest ?? ''
    return { one, other, id, digest, reference: { project: 'shop', id } }
  }

  /** What was applied had a last report that passed. */
  async function expectPassed({ one, id }: Awaited<ReturnType<typeof start>>) {
    const { ended, checkReports = [] } = (await one.stored(id)) ?? {}
    const last = checkReports.findLast(({ name, digest }) => name === 'ci' && digest === ended?.digest)
    expect(last?.status).toBe('passed')
  }

  it('against an edit is for the content that it names, or rejected', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { one, other, id, digest, reference } = await start('In review')
      const changeId = (await one.stored(id))?.changes[0]?.id ?? 0
      const [, edited] = await Promise.all([
        accepted(report(one, { id, digest })),
        accepted(editChange(other.services, { ...by('ann'), ...reference, changeId, change: enable('search') })),
      ])
      expect([edited, (await one.stored(id))?.checkReports]).toEqual([true, undefined])
    }
  })

  it.each(['passed', 'failed'] as const)('with the status %s against an apply', async (status) => {
    for (let round = 0; round < rounds; round += 1) {
      const started = await start('Approved')
      const { one, other, id, digest } = started
      if (status === 'failed') await report(one, { id, digest })
      await Promise.all([accepted(report(one, { id, status, digest })), accepted(other.to('ben', 'Applied', { id }))])
      if ((await one.stored(id))?.state === 'Applied') await expectPassed(started)
    }
  })

  it('against the run of a schedule', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const started = await start('Scheduled')
      const { one, other, id, digest } = started
      const [reported, result] = await Promise.all([
        accepted(report(one, { id, digest })),
        run(other, id).catch((error: unknown) => {
          if (ChangeRequestError.is(error)) return 'rejected'
          throw error
        }),
      ])
      const { state, schedule } = (await one.stored(id)) ?? {}
      if (result === 'applied') await expectPassed(started)
      else expect([reported, state, schedule?.status !== 'failed']).toEqual([true, 'Scheduled', true])
    }
  })

  it('against the last approval schedules once, whichever is last', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { one, other, id, digest, reference } = await start('In review')
      await presetSchedule(one.services, { ...by('cleo'), ...reference, digest: null, scheduledAt: null })
      const results = await Promise.all([
        accepted(report(one, { id, digest })),
        accepted(other.to('ben', 'Approved', { id })),
      ])
      expect([results, (await one.stored(id))?.state]).toEqual([[true, true], 'Scheduled'])
      const events = (await one.events()).filter(({ data }) => data?.changeRequestId === id)
      expect(events.filter(({ type }) => type === 'change-request-scheduled')).toHaveLength(1)
    }
  })
})
