import type { FlagGateway } from '../../../src'
import { rename } from '../../../src/capabilities/discussion/discussion'
import { takeBackApproval } from '../../../src/capabilities/objections/objections'
import { acknowledge } from '../../../src/capabilities/review/routes'
import { settle } from '../../../src/kernel/step/settle'
import { by, createFixture, type FixtureOptions, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

type Fixture = ReturnType<typeof createFixture>

const place = { project: 'shop', id: 1 }
const title = (fixture: Fixture) => rename(fixture.services, { ...by('ann'), ...place }, 'Open the checkout')

/** The comment and the title in the events of a type, `undefined` where there is none. */
async function textsIn(fixture: Fixture, type: string) {
  const events = (await fixture.events()).filter((event) => event.type === type)
  return events.map(({ data }) => [data.comment, data.title])
}

/** @see contract 8.6 */
describe('the option logComments', () => {
  const logging = (options: FixtureOptions = {}) => createFixture({ logComments: true, recordOnly: true, ...options })

  it('adds comments to the events of their steps, and the title where it is sent to review and applied', async () => {
    const fixture = logging({ schedule: 'elsewhere' })
    await fixture.propose('ann')
    await title(fixture)
    await fixture.to('ann', 'In review', { comment: 'Please.' })
    await fixture.to('ben', 'Approved', { comment: 'Looks good.' })
    await fixture.to('ben', 'Scheduled', { comment: 'Tonight.' })
    await fixture.to('ben', 'Applied', { comment: 'Now after all.' })
    expect(await textsIn(fixture, 'change-request-sent-to-review')).toEqual([[undefined, 'Open the checkout']])
    expect(await textsIn(fixture, 'change-request-approval-added')).toEqual([['Looks good.', undefined]])
    expect(await textsIn(fixture, 'change-request-approved')).toEqual([[undefined, undefined]])
    expect(await textsIn(fixture, 'change-request-scheduled')).toEqual([['Tonight.', undefined]])
    expect(await textsIn(fixture, 'change-request-applied')).toEqual([['Now after all.', 'Open the checkout']])
  })

  it.each([
    ['ben', 'Rejected', 'change-request-rejected'],
    ['ann', 'Cancelled', 'change-request-cancelled'],
  ] as const)('adds the comment of %s to %s', async (who, state, type) => {
    const fixture = logging()
    await fixture.reviewed()
    await fixture.to(who, state, { comment: 'Not this week.' })
    expect(await textsIn(fixture, type)).toEqual([['Not this week.', undefined]])
  })

  it('adds nothing where there is no comment and no title of a user, or without the option', async () => {
    for (const fixture of [logging(), createFixture({ recordOnly: true })]) {
      await fixture.approved()
      await fixture.to('ben', 'Applied')
      for (const { data } of await fixture.events()) expect(data).not.toHaveProperty('comment')
    }
    const without = createFixture({ recordOnly: true })
    await without.propose('ann')
    await title(without)
    await without.to('ann', 'In review')
    await without.to('ben', 'Approved', { comment: 'Looks good.' })
    await without.to('ben', 'Applied', { comment: 'Now.' })
    for (const { data } of await without.events()) {
      expect([data?.comment, data?.title]).toEqual([undefined, undefined])
    }
  })

  it('adds them to an emergency, its acknowledgement, and to an approval taken back', async () => {
    const emergency = logging({ emergency: true })
    await emergency.reviewed()
    await emergency.to('dora', 'Applied', { reason: 'Nobody can pay.', comment: 'Called Ann first.' })
    expect(await textsIn(emergency, 'change-request-applied')).toEqual([['Called Ann first.', undefined]])
    await acknowledge(emergency.services, { ...by('ben'), ...place }, 'Agreed.')
    expect(await textsIn(emergency, 'change-request-approval-added')).toEqual([['Agreed.', undefined]])

    const taken = logging({ objections: true })
    await taken.approved()
    await title(taken)
    await takeBackApproval(taken.services, { ...by('ben'), ...place })
    expect((await textsIn(taken, 'change-request-sent-to-review')).at(-1)).toEqual([undefined, 'Open the checkout'])
  })

  it('adds them to an apply that was interrupted and settled, without the options of the router', async () => {
    const flags: FlagGateway = {
      current: (subjects) => new HostFlags().current(subjects),
      apply: () => Promise.reject(new Error('out of order')),
      outcome: () => Promise.reject(new Error('out of order')),
    }
    const fixture = createFixture({ logComments: true, flags })
    await fixture.propose('ann')
    await title(fixture)
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await rejection(fixture.to('ben', 'Applied', { comment: 'Now.' }))
    const { storage, writer, clock, parseEvent } = fixture.services
    const services = { storage, writer, clock, parseEvent, options: { limits: { applyTimeoutMs: 1 } } }
    await settle(services, { ...place, outcome: 'applied', force: true })
    expect(await textsIn(fixture, 'change-request-applied')).toEqual([['Now.', 'Open the checkout']])
  })
})
