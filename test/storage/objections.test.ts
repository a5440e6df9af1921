import type { Storage } from '../../src'
import { settleOnRequest } from '../../src/capabilities/apply/routes'
import { copy } from '../../src/capabilities/copy/routes'
import { countActionable } from '../../src/capabilities/lists/lists'
import { viewReviews } from '../../src/capabilities/lists/review-view'
import { dismissObjection, liftObjection, object, takeBackApproval } from '../../src/capabilities/objections/objections'
import { review } from '../../src/capabilities/review/review'
import { viewReview } from '../../src/capabilities/review/view'
import { applyScheduled } from '../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../src/capabilities/schedule/freeze-round'
import { presetSchedule, withdrawPresetSchedule } from '../../src/capabilities/schedule/schedule'
import type { ReviewsView, ReviewView } from '../../src/generated/index'
import { entityTag } from '../../src/kernel/etag'
import { inboxOf } from '../capabilities/support/inbox'
import {
  actors,
  by,
  createFixture,
  type Fixture,
  type FixtureOptions,
  rejection,
  type Who,
} from '../kernel/support/fixture'
import { HostFlags } from '../kernel/support/flags'
import { stores } from './fixtures'

const text = 'The load test fails.'
const reason = 'The load test passes now.'
const minutes = 60_000

type ObjectionInput = Partial<Parameters<typeof object>[1]>

/** @see extensions 17 */
describe.each(stores)('objections on $name', ({ open }) => {
  let storage: Storage
  let close: () => Promise<void>
  let places = 0

  beforeAll(async () => {
    ;({ storage, close } = await open())
  })
  afterAll(() => close())

  /** Ann's change request, approved by Ben and Cleo unless the state is another one. */
  async function start(options: FixtureOptions = {}, state: 'In review' | 'Approved' = 'Approved') {
    places += 1
    const environment = `objections-${places}`
    const inFront = options.storage ?? ((one) => one)
    const flags = new HostFlags()
    const fixture = createFixture({
      ...{ flags, schedule: 'elsewhere', objections: true, emergency: true, requiredApprovals: 2, ...options },
      storage: () => inFront(storage),
    })
    fixture.host.allows = ({ id }, permission, scope) =>
      (scope.environment ?? environment) === environment && (permission !== 'ADMIN' || id === 4)
    const { changeRequest } = await fixture.propose('ann', undefined, { environment })
    const shop = { project: 'shop', id: changeRequest.id }
    const to = (who: Who, target: Parameters<Fixture['to']>[1], more: Parameters<Fixture['to']>[2] = {}) =>
      fixture.to(who, target, { ...more, ...shop })
    await to('ann', 'In review')
    if (state === 'Approved') for (const who of ['ben', 'cleo'] as const) await to(who, 'Approved')
    const stored = async () => {
      const found = await storage.find({ project: shop.project }, shop.id)
      if (found === undefined) throw new Error('It is gone.')
      return found
    }
    const { services } = fixture
    return {
      ...{ ...fixture, flags, shop, to, stored },
      object: (who: Who, more: ObjectionInput = {}) =>
        object(services, { ...by(who), ...shop, text, digest: null, ...more }),
      lift: (who: Who, ifMatch?: string) => liftObjection(services, { ...by(who), ...shop, ifMatch }),
      dismiss: (who: Who, objectionId = 1) => dismissObjection(services, { ...by(who), ...shop, objectionId, reason }),
      takeBack: (who: Who) => takeBackApproval(services, { ...by(who), ...shop }),
      preset: (who: Who) => presetSchedule(services, { ...by(who), ...shop, digest: null, scheduledAt: null }),
      review: async (who: Who = 'ann'): Promise<ReviewView> => {
        const reply = viewReview(await review(services, { actor: actors[who], ...shop }), services)
        return JSON.parse(String(reply.body))
      },
      row: async (who: Who) => {
        const page = await inboxOf(fixture, actors[who], { environment, needs: 'me' })
        const view: ReviewsView = JSON.parse(String(viewReviews(page, services).body))
        return [view.reviews.map(({ because, objections }) => [because, objections]), view.totals?.me.count]
      },
      state: async () => {
        const { state, schedule, objections = [] } = (await stored()).changeRequest
        return [state, schedule?.status ?? null, objections.map(({ ended }) => ended?.how ?? 'open')]
      },
    }
  }

  it('are shown in the review, in the row of the author and in no count of what can be applied', async () => {
    const { services, shop, ...one } = await start()
    const count = (who: Who) => countActionable(services, { actor: actors[who], project: shop.project })
    expect([await one.row('ann'), await count('ben')]).toEqual([[[[['apply'], 0]], 1], 1])
    await one.object('dora')
    expect(await one.row('ann')).toEqual([[[['objection'], 1]], 1])
    expect([await one.row('ben'), await count('ben')]).toEqual([[[], 0], 0])
    const { objections, copiedFrom, steps } = await one.review()
    expect([objections, copiedFrom]).toEqual([
      [
        {
          ...{ id: 1, person: { id: 4, username: 'dora@example.com', imageUrl: null }, at: expect.any(String), text },
          ...{ outdated: false, ended: null },
        },
      ],
      null,
    ])
    const apply = steps.find(({ step }) => step === 'apply')
    expect(apply?.missing).toEqual([{ code: 'objection', message: `dora@example.com objected: ${text}` }])
    expect((await rejection(one.to('ann', 'Applied'))).details).toMatchObject([{ code: 'objection' }])
    await one.dismiss('dora').catch(() => undefined)
    await one.lift('dora')
    expect(await one.row('ben')).toEqual([[[['apply'], 0]], 1])
  })

  it('count as a review while they are of the current content', async () => {
    const one = await start({}, 'In review')
    expect(await one.row('ben')).toEqual([[[['review'], 0]], 1])
    await one.object('ben')
    expect(await one.row('ben')).toEqual([[], 0])
    await one.lift('ben')
    expect(await one.row('ben')).toEqual([[[['review'], 0]], 1])
    await one.object('ben', { digest: 'sha256:other' })
    expect((await one.stored()).changeRequest.objections?.at(-1)?.outdated).toBe(true)
    expect(await one.row('ben')).toEqual([[[['review'], 1]], 1])
  })

  it('to what the caller read are not outdated, also while the gateway fails', async () => {
    const one = await start()
    const { digest } = await one.review()
    await one.object('dora', { digest })
    one.flags.instead = () => Promise.reject(new Error('down'))
    await one.object('ann', { digest })
    await one.takeBack('ben')
    expect((await one.stored()).changeRequest.objections?.map(({ outdated = false }) => outdated)).toEqual([
      false,
      false,
    ])
    expect((await rejection(one.to('cleo', 'Applied'))).status).toBe(503)
  })

  it('leave a running apply alone, and end with it', async () => {
    const one = await start()
    let during: Promise<unknown> | undefined
    one.flags.instead = null
    const { apply } = one.flags
    one.flags.apply = async (...given) => {
      during = one.object('ben')
      await during
      expect((await one.review()).applying).not.toBeNull()
      return apply.call(one.flags, ...given)
    }
    await one.to('ann', 'Applied')
    expect(await one.state()).toEqual(['Applied', null, ['applied']])
    const [applied] = (await one.events()).filter(
      ({ type, data }) => type === 'change-request-applied' && data.changeRequestId === one.shop.id,
    )
    expect(applied?.data.objections).toMatchObject([{ how: 'applied', by: { id: 2 }, endedBy: { id: 1 } }])
  })

  it('block the next attempt if the gateway rejected the running one', async () => {
    const one = await start()
    const { apply } = one.flags
    one.flags.apply = async () => {
      await one.object('dora')
      throw new Error('Later.')
    }
    one.flags.outcome = async () => null
    expect((await rejection(one.to('ann', 'Applied'))).status).toBe(500)
    one.flags.apply = apply
    expect((await one.stored()).changeRequest.applying).toBeNull()
    expect((await rejection(one.to('ann', 'Applied'))).details).toMatchObject([{ code: 'objection' }])
    expect(await one.state()).toEqual(['Approved', null, ['open']])
  })

  it('end with an attempt that is settled later', async () => {
    const one = await start()
    const { apply } = one.flags
    one.flags.apply = async (...given) => {
      await apply.call(one.flags, ...given)
      throw new Error('The connection was lost.')
    }
    one.flags.outcome = () => Promise.reject(new Error('down'))
    expect((await rejection(one.to('ann', 'Applied'))).status).toBe(503)
    one.host.now += 10 * minutes
    await one.object('dora')
    expect((await one.stored()).changeRequest.applying).not.toBeNull()
    one.flags.outcome = async () => []
    await settleOnRequest(one.services, { ...by('ann'), ...one.shop })
    expect(await one.state()).toEqual(['Applied', null, ['applied']])
  })

  it('suspend what is scheduled, and a run that finds one', async () => {
    const one = await start()
    await one.to('ann', 'Scheduled')
    await one.object('dora')
    expect(await one.state()).toEqual(['Scheduled', 'suspended', ['open']])
    expect(await one.row('ann')).toEqual([[[['suspended', 'objection'], 1]], 1])
    await one.lift('dora')
    await one.to('ann', 'Scheduled')
    const { version, changeRequest } = await one.stored()
    const { objections } = (await one.object('dora')).changeRequest
    // As it is if the objection came while an earlier attempt was running.
    const pending = { ...changeRequest, objections: objections ?? [] }
    await one.services.writer.commit({ version: version + 1, changeRequest }, { changeRequest: pending, events: [] })
    one.host.now += 120 * minutes
    expect(await applyScheduled(one.services, one.shop, new FreezeRound(one.services))).toBe('suspended')
    expect((await one.stored()).changeRequest.schedule?.reason).toContain(`objected: ${text}`)
  })

  it('give way to a preset schedule when the last one ends, unless it has changed', async () => {
    const one = await start()
    await one.object('dora')
    await one.object('ann')
    await one.preset('cleo')
    await one.lift('dora')
    expect(await one.state()).toEqual(['Approved', null, ['lifted', 'open']])
    await one.dismiss('dora', 2)
    expect(await one.state()).toEqual(['Scheduled', 'pending', ['lifted', 'dismissed']])
  })

  it.each(['preset', 'withdraw'] as const)(
    'are not lifted if the preset schedule changed meanwhile: %s',
    async (change) => {
      let meanwhile: (() => Promise<unknown>) | undefined
      const one = await start({
        storage: (store) => ({
          ...store,
          async commit(write) {
            const race = meanwhile
            meanwhile = undefined
            await race?.()
            return store.commit(write)
          },
        }),
      })
      await one.object('dora')
      if (change === 'withdraw') await one.preset('cleo')
      // In another process: this one would wait for itself.
      const { services } = createFixture({ ...{ flags: one.flags, schedule: 'elsewhere' }, storage: () => storage })
      meanwhile = () =>
        change === 'preset'
          ? presetSchedule(services, { ...by('cleo'), ...one.shop, digest: null, scheduledAt: null })
          : withdrawPresetSchedule(services, { ...by('cleo'), ...one.shop })
      expect((await rejection(one.lift('dora'))).status).toBe(412)
      expect(await one.state()).toEqual(['Approved', null, ['open']])
      await one.lift('dora')
      expect((await one.state())[0]).toBe(change === 'preset' ? 'Scheduled' : 'Approved')
    },
  )

  it('need a revision with `requireRevision`, if their end may schedule', async () => {
    const one = await start({ requireRevision: true }, 'In review')
    const vote = async (who: Who) => one.to(who, 'Approved', { ifMatch: entityTag(await one.stored()) })
    await vote('ben')
    await one.object('dora')
    await one.lift('dora')
    await one.object('dora')
    const stated = await one.stored()
    await presetSchedule(one.services, {
      ...by('cleo'),
      ...one.shop,
      digest: null,
      scheduledAt: null,
      ifMatch: entityTag(stated),
    })
    await vote('cleo')
    expect((await rejection(one.lift('dora'))).status).toBe(428)
    await one.lift('dora', entityTag(await one.stored()))
    expect((await one.state())[0]).toBe('Scheduled')
  })

  it('are named by an emergency and by a copy of what was closed with them', async () => {
    const urgent = await start()
    await urgent.object('dora')
    await urgent.to('dora', 'Applied', { reason: 'Customers cannot pay.' })
    expect(await urgent.state()).toEqual(['Applied', null, ['emergency']])
    expect((await urgent.review()).emergency?.missing).toMatchObject([{ code: 'objection', by: { id: 4 } }])

    const one = await start()
    await one.object('dora')
    await one.to('ann', 'Cancelled')
    const { changeRequest } = await copy(one.services, { ...by('ann'), ...one.shop })
    expect(changeRequest.requestedApprovers).toEqual([4])
    const shown = viewReview(
      await review(one.services, { actor: actors.ann, ...one.shop, id: changeRequest.id }),
      one.services,
    )
    const { copiedFrom, objections }: ReviewView = JSON.parse(String(shown.body))
    expect([copiedFrom, objections]).toMatchObject([
      { id: one.shop.id, objections: [{ ended: { how: 'closed' } }] },
      [],
    ])
  })
})
