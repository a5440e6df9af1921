import { comment, requestApprovers, requestedReviewers } from '../../../src/capabilities/discussion/discussion'
import { countActionable } from '../../../src/capabilities/lists/lists'
import { listEventCreators } from '../../../src/capabilities/log/event-creators'
import { addChanges } from '../../../src/capabilities/proposals/changes'
import { review } from '../../../src/capabilities/review/review'
import { whoAmI } from '../../../src/capabilities/review/routes'
import { viewReview } from '../../../src/capabilities/review/view'
import { changeState } from '../../../src/capabilities/state/change-state'
import type { State } from '../../../src/domain/lifecycle'
import { availableReviewers } from '../../../src/kernel/host/find-users'
import { toChangeRequestView } from '../../../src/kernel/view/change-request'
import { describeOne } from '../../../src/kernel/view/describe'
import type { Actor } from '../../../src/ports/access'
import type { User, UserDirectory } from '../../../src/ports/users'
import {
  actors,
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  inAnHour,
  production,
  rejection,
} from '../../kernel/support/fixture'
import { createScheduledFixture } from '../../kernel/support/schedules'
import { inboxOf } from '../support/inbox'

const ann = { id: 1, username: 'ann' }
/** A bot of Ann, and an agent that acts for nobody. */
const bot: Actor = { id: 9, username: 'deploy-bot', kind: 'service', onBehalfOf: ann }
const agent: Actor = { id: 8, username: 'helper', kind: 'agent' }
const machine = { kind: 'service', onBehalfOf: ann }

const inputOf = (actor: Actor) => ({ actor, ip: undefined, ifMatch: undefined })

function setUp(options: FixtureOptions = {}) {
  const fixture = createFixture({ recordOnly: true, schedule: 'elsewhere', ...options })
  const { services } = fixture
  return {
    ...fixture,
    proposeAs: (actor: Actor, features = ['checkout']) =>
      addChanges(services, { ...inputOf(actor), ...production, changes: features.map((name) => enable(name)) }),
    toAs: (actor: Actor, state: State, id = 1, reason: string | null = null) =>
      changeState(services, {
        ...{ ...inputOf(actor), project: 'shop', id, state, comment: null, digest: null, reason },
        scheduledAt: state === 'Scheduled' ? inAnHour : null,
      }),
  }
}

async function reviewOf({ services }: Pick<Fixture, 'services'>, actor: Actor, id = 1) {
  const reply = viewReview(await review(services, { actor, project: 'shop', id }), services)
  // biome-ignore lint/suspicious/noExplicitAny: what the review holds is asserted by the tests.
  return JSON.parse(String(reply.body)) as any
}

/** @see contract 23 */
describe('a machine', () => {
  it('proposes, submits, comments and applies what people approved', async () => {
    const { services, to, toAs, proposeAs, stored } = setUp()
    await proposeAs(bot)
    await toAs(bot, 'In review')
    await comment(services, { ...inputOf(bot), project: 'shop', id: 1 }, 'Nightly rollout.')
    await to('ben', 'Approved')
    await toAs(bot, 'Applied')
    const { changes, comments, createdBy, ended, otherAuthors } = (await stored()) ?? {}
    for (const by of [changes?.[0]?.createdBy, comments?.[0]?.createdBy, createdBy, ended?.by]) {
      expect(by).toEqual({ id: 9, username: 'deploy-bot', imageUrl: null, ...machine })
    }
    expect(otherAuthors).toEqual([1])
  })

  it('withdraws its own schedule, and that is stored as its step', async () => {
    const { proposeAs, to, toAs, stored } = setUp()
    await proposeAs(bot)
    await toAs(bot, 'In review')
    await to('ben', 'Approved')
    await toAs(bot, 'Scheduled')
    expect(await rejection(toAs(agent, 'Rejected'))).toMatchObject({ details: [{ code: 'not-for-machines' }] })
    await toAs(bot, 'Rejected')
    const { rejections, ended } = (await stored()) ?? {}
    expect([rejections?.[0]?.createdBy, ended?.by]).toMatchObject([machine, machine])
  })

  it('has drafts that nobody else sees, not even the person behind it', async () => {
    const { services, proposeAs } = setUp()
    await proposeAs(bot)
    for (const actor of [ann, agent]) {
      expect(await rejection(review(services, { actor, project: 'shop', id: 1 }))).toMatchObject({
        name: 'NotFoundError',
      })
    }
    const inbox = await inboxOf({ services }, ann, { needs: 'mine' })
    expect([inbox.items.length, inbox.totals]).toEqual([0, { me: 0, mine: 0, all: 0, toFix: 0 }])
  })

  it('gives no second vote to the person behind it, through any of their machines', async () => {
    const second: Actor = { id: 7, kind: 'agent', onBehalfOf: ann }
    const { services, proposeAs, toAs } = setUp()
    for (const [index, one] of [bot, second].entries()) {
      await proposeAs(one)
      await toAs(one, 'In review', index + 1)
      const error = await rejection(toAs(ann, 'Approved', index + 1))
      expect(error).toMatchObject({ name: 'OperationDeniedError', details: [{ code: 'own-change-request' }] })
      expect(await rejection(toAs(ann, 'Rejected', index + 1))).toMatchObject({ name: 'OperationDeniedError' })
    }
    const mine = await inboxOf({ services }, ann, { needs: 'mine' })
    expect([mine.items.map(({ described }) => described.changeRequest.id), mine.totals]).toEqual([
      [2, 1],
      { me: 0, mine: 2, all: 2, toFix: 0 },
    ])
    expect(await countActionable(services, { actor: ann, project: 'shop' })).toBe(0)
    expect(await countActionable(services, { actor: actors.ben, project: 'shop' })).toBe(2)
  })

  it('needs neither to review nor to acknowledge, but to apply', async () => {
    const { services, propose, to } = setUp({ emergency: true })
    await propose('ann')
    await to('ann', 'In review')
    await propose('ben')
    await to('ben', 'In review', { id: 2 })
    await to('dora', 'Applied', { id: 2, reason: 'Payments fail since 10:40.' })
    expect((await inboxOf({ services }, agent, { needs: 'me' })).totals?.me).toBe(0)
    expect(await countActionable(services, { actor: agent, project: 'shop' })).toBe(0)
    await to('ben', 'Approved')
    const { items, totals } = await inboxOf({ services }, agent, { needs: 'me' })
    expect([items.map(({ because }) => because), totals?.me]).toEqual([[['apply']], 1])
    expect(await countActionable(services, { actor: agent, project: 'shop' })).toBe(1)
  })
})

describe('what is shown about a machine', () => {
  const shown = { id: 9, username: 'deploy-bot', imageUrl: null, kind: 'service', onBehalfOf: ann }
  const person = { kind: 'person', onBehalfOf: null }

  it('in the review: the author, and those of changes and comments', async () => {
    const fixture = setUp()
    await fixture.proposeAs(bot)
    await fixture.toAs(bot, 'In review')
    for (const actor of [bot, actors.ben]) {
      await comment(fixture.services, { ...inputOf(actor), project: 'shop', id: 1 }, 'Go.')
    }
    const { author, changes, discussion } = await reviewOf(fixture, actors.ben)
    expect([author, changes[0].author, discussion[0].author]).toEqual([shown, shown, shown])
    expect(discussion[1].author).toMatchObject({ id: 2, ...person })
  })

  it('in /me', async () => {
    const { services } = setUp()
    expect(await whoAmI(services, bot, {})).toMatchObject({ id: 9, kind: 'service', onBehalfOf: ann })
    expect(await whoAmI(services, { ...bot, id: null }, {})).toMatchObject({ id: null, ...person })
    const long = { ...bot, onBehalfOf: { id: 1, username: '😀'.repeat(300) } }
    expect([...((await whoAmI(services, long, {})).onBehalfOf?.username ?? '')]).toHaveLength(200)
  })

  it('in the data of every event of the change request, and of settings', async () => {
    const { events, proposeAs, to, toAs } = setUp()
    await proposeAs(bot)
    await toAs(bot, 'In review')
    await to('ben', 'Approved')
    await toAs(bot, 'Scheduled')
    const actorsOf = (await events()).map(({ type, data }) => [type, data?.actor])
    expect(actorsOf).toEqual([
      ['change-request-created', machine],
      ['change-added', machine],
      ['change-request-sent-to-review', machine],
      ['change-request-approval-added', undefined],
      ['change-request-approved', undefined],
      ['change-request-scheduled', machine],
    ])
  })

  it('not in a body that existing clients read', async () => {
    const bodies = [bot, { ...bot, kind: null, onBehalfOf: null }].map(async (actor) => {
      const { services, proposeAs, toAs, to, stored, events } = setUp()
      await proposeAs(actor)
      await toAs(actor, 'In review')
      await comment(services, { ...inputOf(actor), project: 'shop', id: 1 }, 'Go.')
      await to('ben', 'Approved')
      await toAs(actor, 'Applied')
      const changeRequest = await stored()
      if (changeRequest === undefined) throw new Error('There is no change request.')
      const described = await describeOne(services, { changeRequest, version: 1 }, 'read')
      const log = (await events()).map(({ data, ...event }) => {
        const { actor: _, ...published } = data ?? {}
        return { ...event, data: published }
      })
      return JSON.stringify([toChangeRequestView(described, services.options), log])
    })
    const [asMachine, asPerson] = await Promise.all(bodies)
    expect(asMachine).toBe(asPerson)
  })
})

describe('the user directory and machines', () => {
  const directory = (users: readonly User[]) => {
    const asked: number[] = []
    const find: UserDirectory['find'] = (ids) => {
      asked.push(...ids)
      return users.filter(({ id }) => ids.includes(id))
    }
    return { asked, users: { find, reviewers: () => users } }
  }
  const known = [
    { id: 1, name: 'Ann Lee' },
    { id: 2, name: 'Ben Ode' },
    { id: 8, name: 'Helper', kind: 'agent' as const },
  ]

  it('is called with the person behind a machine, never with the machine', async () => {
    const { asked, users } = directory(known)
    const fixture = setUp({ users })
    await fixture.proposeAs(bot)
    await fixture.toAs(bot, 'In review')
    const { author, changeRequest } = await reviewOf(fixture, actors.ben)
    expect(author).toMatchObject({ id: 9, username: 'deploy-bot', onBehalfOf: { id: 1, username: 'Ann Lee' } })
    expect(changeRequest.createdBy).toEqual({ id: 9, username: 'deploy-bot', imageUrl: null })
    await inboxOf(fixture, 'ben')
    expect(await listEventCreators(fixture.services, actors.ben)).toEqual([{ id: 9, name: 'deploy-bot' }])
    expect([asked.includes(1), asked.includes(9)]).toEqual([true, false])
  })

  it('lists no machine as a reviewer, and none can be requested', async () => {
    const fixture = setUp({ users: directory(known).users })
    const { services } = fixture
    await fixture.reviewed()
    expect((await availableReviewers(services, 'shop', 'production')).map(({ id }) => id)).toEqual([1, 2])
    const request = (id: number) => requestApprovers(services, { ...inputOf(actors.ann), project: 'shop', id: 1 }, [id])
    expect(await rejection(request(8))).toMatchObject({ name: 'BadDataError' })
    await request(2)
    const listed = await requestedReviewers(services, { ...inputOf(actors.ann), project: 'shop', id: 1 })
    expect(listed.map(({ id }) => id)).toEqual([2])
  })
})

describe('a schedule of a machine', () => {
  const users: UserDirectory = { find: () => [{ id: 1 }, { id: 2 }], reviewers: () => [] }

  it('is applied though the user directory does not know the machine, and its events name it', async () => {
    const fixture = createScheduledFixture({ users })
    const { services, eventTypes, events, runAt, look, record } = fixture
    await fixture.approved()
    await look()
    await changeState(services, {
      ...{ ...inputOf(bot), project: 'shop', id: 1, state: 'Scheduled', scheduledAt: inAnHour },
      ...{ comment: null, digest: null, reason: null },
    })
    await look()
    await record({ type: 'user-deleted' })
    await look()
    expect(await eventTypes()).not.toContain('change-request-schedule-suspended')
    expect(await runAt(inAnHour)).toMatchObject({ applied: 1 })
    const log = await events()
    for (const type of ['change-request-applied', 'change-request-scheduled-application-success']) {
      expect(log.find((event) => event.type === type)).toMatchObject({ createdByUserId: 9, data: { actor: machine } })
    }
    const flagEvent = log.find(({ type }) => type === 'feature-environment-enabled')
    expect([flagEvent?.createdByUserId, flagEvent?.data?.actor]).toEqual([9, undefined])
  })
})
