import fc from 'fast-check'
import { postgres, sqlite } from '../support/databases'
import { runs, seed } from '../support/random'
import { enable } from './support/changes'
import { callHost } from './support/flag-calls'
import { type FlagHost, openFlagHost } from './support/flag-host'
import { features, inverted, strategies } from './support/inverted'

const base = '/api/admin/projects/default/change-requests'

interface Strategy {
  readonly sortOrder: number
}

describe.each([sqlite, postgres])('a revert on the flag store of examples/server on $name', (database) => {
  let host: FlagHost
  let calls: ReturnType<typeof callHost>
  beforeEach(async () => {
    host = await openFlagHost(database)
    calls = callHost(host)
  })
  afterEach(() => host.opened.close())

  const revert = (id: number, body = {}) => calls.send('ann', 'post', `${base}/${id}/revert`, body)

  /** All that changes can alter, but for the ids that the store gives. */
  async function contents(): Promise<string> {
    const flags = []
    for (const feature of features) {
      const { strategies, releasePlans, ...place } = await host.place(feature)
      const own = strategies.map(({ id, ...strategy }) => strategy as unknown as Strategy & object)
      own.sort(
        (one, other) => one.sortOrder - other.sortOrder || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1),
      )
      const { dependencies } = await host.flag(feature)
      flags.push({ feature, ...place, strategies: own, plans: releasePlans.length, dependencies })
    }
    return JSON.stringify([flags, await host.segment(1)])
  }

  /** The same changes of what is there now: a strategy that was taken back has another id, and the place that it had. */
  async function toPresent(changes: readonly object[]): Promise<object> {
    const present = new Map<unknown, string>()
    for (const [feature, ids] of Object.entries(strategies)) {
      const { strategies: own } = await host.place(feature)
      for (const [place, { id }] of own.entries()) present.set(ids[place], id)
    }
    return JSON.parse(JSON.stringify(changes), (_, value) => present.get(value) ?? value)
  }

  it.each(Object.entries(inverted))('gives the state before %s', async (_, change) => {
    const property = fc.asyncProperty(
      change,
      fc.array(fc.oneof(...Object.values(inverted)), { maxLength: 3 }),
      async (one, others) => {
        const before = await contents()
        const id = await calls.approved(await toPresent([one, ...others]))
        const applied = await calls.applied(id)
        if (applied.status !== 200) {
          // Changes that get in the way of each other.
          expect(applied.status).toBe(409)
          await calls.setState('ann', id, 'Cancelled').expect(200)
          return fc.pre(false)
        }
        const answer = await revert(id)
        if ((await contents()) === before && answer.status === 409) {
          expect(answer.body.details).toMatchObject([{ code: 'no-changes' }])
          return fc.pre(false)
        }
        expect(answer.body).toMatchObject({ state: 'Draft', title: `Revert "Change request #${id}"` })
        await calls.applied(await calls.approve(answer.body.id)).expect(200)
        expect(await contents()).toBe(before)
      },
    )
    // Only those count that had something to take back: as many for each seed.
    await fc.assert(property, { numRuns: runs(1), seed, endOnFailure: true })
  })

  it('takes back the strategy that came along unasked', async () => {
    const before = await contents()
    const id = await calls.approved(enable('dark-mode'))
    await calls.applied(id).expect(200)
    expect((await host.place('dark-mode')).strategies).toHaveLength(2)
    const { body } = await revert(id).expect(200)
    await calls.applied(await calls.approve(body.id)).expect(200)
    expect(await contents()).toBe(before)
  })

  it('takes back what a milestone is to give its flag', async () => {
    await host.apply({ action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'careful-rollout' } })
    const present = async () => (await host.place('checkout')).releasePlans[0]?.milestones[0]?.strategies[0]
    const before = await present()
    const update = (payload: object) => ({
      action: 'updateMilestoneStrategy',
      feature: 'checkout',
      payload: { id: before?.id, ...payload },
    })
    const id = await calls.approved(update({ parameters: { rollout: '20' } }))
    await host.apply(update({ parameters: { rollout: '70' } }))
    expect((await calls.applied(id).expect(409)).body.details).toMatchObject([{ code: 'overwrite' }])
    await host.apply(update({ parameters: before?.parameters }))
    await calls.applied(id).expect(200)
    expect(await present()).toEqual({ ...before, parameters: { rollout: '20' } })
    const { body } = await revert(id).expect(200)
    await calls.applied(await calls.approve(body.id)).expect(200)
    expect(await present()).toEqual(before)
  })

  it('names what nothing takes back, and leaves it out where a part is enough', async () => {
    const id = await calls.approved([enable('checkout'), { action: 'archiveFeature', feature: 'pay-by-card' }])
    await calls.applied(id).expect(200)
    const refused = await revert(id).expect(409)
    expect(refused.body.details).toEqual([
      { code: 'irreversible', message: 'Archiving pay-by-card cannot be reverted.' },
    ])
    const { body } = await revert(id, { partial: true }).expect(200)
    expect(body.features.map(({ name }: { name: string }) => name)).toEqual(['checkout'])
  })
})
