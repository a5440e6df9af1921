import type { Freeze } from '../../../src'
import { review } from '../../../src/capabilities/review/review'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { listFreezes } from '../../../src/kernel/facts/reach'
import {
  actors,
  by,
  createFixture,
  type enable,
  type Fixture,
  inAnHour,
  production,
  rejection,
} from '../../kernel/support/fixture'

const tomorrow = '2026-03-05T12:00:00.000Z'
const sale: Freeze = { name: 'Sale', reason: 'Sales', from: '2026-03-04T00:00:00Z', until: tomorrow }
const sentence = `The freeze "Sale" in production lasts until ${tomorrow} (Sales). Schedule the change request for a later time.`

const missingFor = async ({ services }: Fixture, step: string) => {
  const { steps } = await review(services, { actor: actors.ben, project: 'shop', id: 1 })
  return steps.find((one) => one.step === step)?.missing
}

describe('a change request that a freeze matches', () => {
  it('can be proposed and approved, but not applied', async () => {
    const fixture = createFixture({ freezes: [sale], recordOnly: true })
    await fixture.approved()
    const { name, message, details } = await rejection(fixture.to('ben', 'Applied'))
    expect([name, message, details]).toEqual(['ConflictError', sentence, [{ code: 'frozen', message: sentence }]])
    expect(await missingFor(fixture, 'apply')).toEqual([{ code: 'frozen', message: sentence }])
    fixture.host.now = Date.parse(tomorrow)
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('cannot be scheduled for a time in the freeze, but for its end', async () => {
    const fixture = createFixture({ freezes: [sale], recordOnly: true, schedule: 'elsewhere' })
    await fixture.approved()
    const { details } = await rejection(fixture.to('ben', 'Scheduled', { scheduledAt: inAnHour }))
    expect(details).toEqual([{ code: 'frozen', message: sentence }])
    expect(await missingFor(fixture, 'schedule')).toEqual([])
    await fixture.to('ben', 'Scheduled', { scheduledAt: tomorrow })
  })

  it('can be applied in an emergency, which stores the freeze even if nothing else is missing', async () => {
    const fixture = createFixture({ freezes: [sale], recordOnly: true, emergency: true })
    await fixture.approved()
    await fixture.to('ben', 'Applied', { reason: 'Payments fail.' })
    const missing = [{ code: 'frozen', name: 'Sale', until: tomorrow }]
    expect((await fixture.events()).at(-1)?.data.emergency).toEqual({ reason: 'Payments fail.', missing })
    expect((await fixture.stored())?.emergency).toMatchObject({ missing, acknowledgement: null })
  })
})

describe('a change to a whole project', () => {
  const environments = ['development', 'production'].map((name) => ({ name, type: name }))
  const archive = { action: 'archiveFeature', feature: 'checkout', payload: {} } as const
  const options = {
    freezes: [{ ...sale, when: { environments: ['production'] } }],
    recordOnly: true,
    directory: { environments: () => environments },
  }

  const approvedInDevelopment = async (fixture: Fixture, change: typeof archive | ReturnType<typeof enable>) => {
    await fixture.propose('ann', [change], { environment: 'development' })
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
  }

  it('is frozen from development during the freeze of production', async () => {
    const fixture = createFixture(options)
    await approvedInDevelopment(fixture, archive)
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toBe(sentence)
  })

  it('is not frozen where change requests are disabled', async () => {
    const fixture = createFixture(options)
    const disabled = { changeRequestsEnabled: false, requiredApprovals: 1 }
    await changeSettings(fixture.services, { ...by('dora'), ...production, ...disabled })
    await approvedInDevelopment(fixture, archive)
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})

describe('the option freezes as a function', () => {
  it('is 503 when it throws, and 500 with the freeze in the log when the result is invalid', async () => {
    const down = createFixture({ freezes: () => Promise.reject(new Error('down')), recordOnly: true })
    await down.approved()
    expect((await rejection(down.to('ben', 'Applied'))).name).toBe('UnavailableError')
    const wrong = createFixture({ freezes: () => [{ ...sale, until: '2026-03-05' }], recordOnly: true })
    await wrong.approved()
    const { name, cause } = await rejection(wrong.to('ben', 'Applied'))
    expect([name, (cause as Error).message]).toEqual([
      'UnknownError',
      expect.stringMatching(/^freezes returned an invalid value .*"Sale": until/),
    ])
    expect([(await down.stored())?.state, (await wrong.stored())?.state]).toEqual(['Approved', 'Approved'])
  })
})

describe('listFreezes', () => {
  const dayFrom = (day: number, name: string): Freeze => ({
    name,
    reason: 'Sales',
    from: `2026-03-0${day}T12:00:00Z`,
    until: `2026-03-0${day + 1}T12:00:00Z`,
  })

  it('returns those that have not ended and may match there, by their beginning', async () => {
    const freezes = [
      dayFrom(6, 'later'),
      dayFrom(4, 'now'),
      dayFrom(3, 'over'),
      { ...dayFrom(5, 'staging'), when: { environments: ['staging'] } },
      { ...dayFrom(5, 'search'), when: { features: ['search'] } },
    ]
    const { services } = createFixture({ freezes })
    expect((await listFreezes(services, production)).map(({ name }) => name)).toEqual(['now', 'search', 'later'])
  })
})

describe('the review of a change request', () => {
  const freezesOf = async ({ services }: Fixture) => {
    const { freezes } = await review(services, { actor: actors.ben, project: 'shop', id: 1 })
    return [freezes.now.map(({ name }) => name), freezes.scheduled.map(({ name }) => name)]
  }

  it('lists the freezes in force now and at the scheduled time, and none once it is closed', async () => {
    let freezes: Freeze[] = []
    const options = { freezes: () => freezes, recordOnly: true, schedule: 'elsewhere' } as const
    const fixture = createFixture(options)
    await fixture.approved()
    await fixture.to('ben', 'Scheduled', { scheduledAt: tomorrow })
    const other = { ...sale, name: 'search', when: { features: ['search'] } }
    freezes = [sale, { ...sale, name: 'Incident 12', from: tomorrow, until: '2026-03-06T00:00:00Z' }, other]
    expect(await freezesOf(fixture)).toEqual([['Sale'], ['Incident 12']])
    fixture.host.now = Date.parse('2026-03-06T00:00:00Z')
    await fixture.to('ben', 'Applied')
    fixture.host.now = Date.parse(inAnHour)
    expect(await freezesOf(fixture)).toEqual([[], []])
  })
})
