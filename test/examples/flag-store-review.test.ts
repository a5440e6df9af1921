import { openAgain, postgres, sqlite } from '../support/databases'
import { depend, enable, half } from './support/changes'
import { callHost } from './support/flag-calls'
import { type ChangeOfTest, type FlagHost, openFlagHost } from './support/flag-host'

const remove = (feature: string, id: string) => ({ action: 'deleteStrategy', feature, payload: { id } })
const archive = (feature: string) => ({ action: 'archiveFeature', feature })

describe('a review over the flag store of examples/server', () => {
  let host: FlagHost
  let calls: ReturnType<typeof callHost>
  beforeEach(async () => {
    host = await openFlagHost(sqlite)
    calls = callHost(host)
  })
  afterEach(() => host.opened.close())

  describe('GET /api/admin/projects/:project/features', () => {
    const path = '/api/admin/projects/default/features'

    it('shows each flag with what its environments hold, and the segments', async () => {
      const { body } = await calls.send('ann', 'get', path).expect(200).expect('Cache-Control', 'no-store')
      expect(body).toEqual({ version: 1, ...(await host.store.list('default')) })
      expect(body.features.map(({ name }: { name: string }) => name)).toEqual([
        'checkout',
        'dark-mode',
        'new-search',
        'pay-by-card',
      ])
      expect(body.segments).toMatchObject([{ id: 1, name: 'Beta testers' }])
    })

    it('is for those whom the server knows, and knows its projects', async () => {
      const refused = await calls.send('ann', 'get', path).set('Authorization', 'nobody').expect(401)
      expect(refused.body).toMatchObject({ name: 'UnauthorizedError', details: [{}] })
      const unknown = await calls.send('ann', 'get', '/api/admin/projects/gone/features').expect(404)
      expect(unknown.body).toMatchObject({ name: 'NotFoundError' })
    })
  })

  it('checks in the store whether projects, environments and flags exist', async () => {
    const gone = await calls.propose([enable('checkout'), enable('gone')]).expect(404)
    expect(gone.body.message).toBe('The project has no flag named gone.')
    const change = enable('checkout')
    await calls
      .send('ann', 'post', '/api/admin/projects/gone/environments/production/change-requests', change)
      .expect(404)
    await calls.send('ann', 'post', '/api/admin/projects/default/environments/gone/change-requests', change).expect(404)
    const { body } = await calls.send('ann', 'get', '/api/admin/projects/default/change-requests/config').expect(200)
    expect(body).toMatchObject([
      { environment: 'development', type: 'development' },
      { environment: 'production', type: 'production' },
    ])
  })

  it('changes the flag once its change request is applied, and not before', async () => {
    const id = await calls.approved([enable('checkout'), depend('checkout', 'new-search')])
    expect((await host.place('checkout')).enabled).toBe(false)
    expect((await calls.applied(id).expect(200)).body.state).toBe('Applied')
    expect((await host.place('checkout')).enabled).toBe(true)
    expect((await host.flag('checkout')).dependencies).toMatchObject([{ feature: 'new-search' }])
    const { events } = (await calls.send('ben', 'get', '/api/admin/events').expect(200)).body
    const about = { createdBy: 'ben', createdByUserId: 2, project: 'default', featureName: 'checkout' }
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'change-request-applied', createdBy: 'ben' },
      {
        ...about,
        type: 'feature-environment-enabled',
        environment: 'production',
        data: null,
        preData: null,
        tags: [{ type: 'team', value: 'payments' }],
      },
      {
        ...about,
        type: 'feature-dependency-added',
        environment: null,
        data: { feature: 'new-search', enabled: true, variants: [] },
        preData: null,
      },
    ])
  })

  it('keeps in a closed change request what its targets were before', async () => {
    const segment = await host.segment(1)
    const { enabled, strategies, variants } = await host.place('new-search')
    const id = await calls.approved([
      { action: 'updateStrategy', feature: 'new-search', payload: { id: 'new-search-few', title: 'Few' } },
      remove('new-search', 'new-search-beta'),
      { action: 'patchVariant', feature: 'new-search', payload: { variants: [] } },
      { action: 'updateEnabled', feature: 'new-search', payload: { enabled: false } },
      { action: 'updateSegment', payload: { id: 1, name: 'Testers', constraints: [] } },
    ])
    const { body } = await calls.applied(id).expect(200)
    const snapshots = [...body.features[0].changes, ...body.segments].map(({ payload }) => payload.snapshot)
    expect(snapshots).toEqual([strategies[1], strategies[0], { variants }, { enabled }, segment])
    expect(await calls.read(id)).toEqual(body)
  })

  describe('default changes', () => {
    it('show the default strategy of the environment, and add it once', async () => {
      const id = await calls.approved(enable('dark-mode'))
      const { defaultChange } = (await calls.read(id)).features[0]
      expect(defaultChange).toMatchObject({ action: 'addStrategy', payload: { title: 'A tenth first' } })
      await calls.applied(id).expect(200)
      const { enabled, strategies } = await host.place('dark-mode')
      expect(enabled).toBe(true)
      expect(strategies).toMatchObject([{ id: 'dark-mode-off', disabled: true }, defaultChange.payload])
      expect(await calls.eventsOfApply()).toEqual([
        'feature-strategy-add',
        'feature-environment-enabled',
        'change-request-applied',
      ])
    })

    it('come to nothing where the disabled strategies are to be activated', async () => {
      const id = await calls.approved(enable('dark-mode', { shouldActivateDisabledStrategies: true }))
      expect((await calls.read(id)).features[0]).not.toHaveProperty('defaultChange')
      await calls.applied(id).expect(200)
      expect((await host.place('dark-mode')).strategies).toMatchObject([{ id: 'dark-mode-off', disabled: false }])
    })

    it('show that the flag is switched off with its last active strategy, and switch it off', async () => {
      const disable = {
        action: 'updateStrategy',
        feature: 'new-search',
        payload: { id: 'new-search-few', disabled: true },
      }
      const id = await calls.approved([remove('new-search', 'new-search-beta'), disable])
      const group = (await calls.read(id)).features[0]
      expect(group.defaultChange).toEqual({ action: 'updateEnabled', payload: { enabled: false } })
      await calls.applied(id).expect(200)
      expect((await host.place('new-search')).enabled).toBe(false)
      expect(await calls.eventsOfApply()).toEqual([
        'feature-environment-disabled',
        'feature-strategy-remove',
        'feature-strategy-update',
        'change-request-applied',
      ])
    })

    it('are approved first when two change requests take the last strategies together', async () => {
      const both = [
        await calls.approved(remove('new-search', 'new-search-beta'), 'ann'),
        await calls.approved(remove('new-search', 'new-search-few'), 'cara'),
      ]
      const answers = await Promise.all(both.map((id) => calls.applied(id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const [later = 0] = both.filter((_, index) => answers[index]?.status === 409)
      expect((await host.place('new-search')).enabled).toBe(true)

      expect((await calls.read(later)).features[0].defaultChange).toMatchObject({ payload: { enabled: false } })
      await calls.send('ben', 'put', `/api/admin/projects/default/change-requests/${later}/state`, {
        state: 'Approved',
      })
      await calls.applied(later).expect(200)
      expect(await host.place('new-search')).toMatchObject({ enabled: false, strategies: [] })
    })
  })

  it('switches a flag on for those of its new strategy alone, in whichever order it was proposed', async () => {
    await host.apply(remove('new-search', 'new-search-beta'), remove('new-search', 'new-search-few'))
    const few = { name: 'flexibleRollout', parameters: { rollout: '47' }, constraints: [] }
    const id = await calls.approved([
      enable('new-search'),
      { action: 'addStrategy', feature: 'new-search', payload: few },
    ])
    await calls.applied(id).expect(200)
    const { enabled, strategies } = await host.place('new-search')
    expect([enabled, strategies.map(({ parameters }) => parameters)]).toEqual([true, [{ rollout: '47' }]])
  })

  describe('conflicts show on read and refuse the apply with 409', () => {
    const update = { action: 'updateStrategy', feature: 'new-search', payload: { id: 'new-search-few', title: 'x' } }
    const order = {
      action: 'reorderStrategy',
      feature: 'new-search',
      payload: [{ id: 'new-search-few', sortOrder: 9 }],
    }
    const free = { action: 'updateStrategy', feature: 'new-search', payload: { id: 'new-search-beta', segments: [] } }
    const deleteSegment = { action: 'deleteSegment', payload: { id: 1 } }
    const addStrategy = { action: 'addStrategy', feature: 'checkout', payload: { ...half, segments: [1, 999] } }
    const useSegment = { ...update, payload: { id: 'new-search-few', segments: [1] } }
    const deletePlan = { action: 'deleteReleasePlan', feature: 'checkout', payload: { planId: 'gone' } }
    const addPlan = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'gone' } }
    const removeFew = remove('new-search', 'new-search-few')

    it.each<[what: string, change: ChangeOfTest, meanwhile: ChangeOfTest[], conflict: string]>([
      ['an archived flag', enable('checkout'), [archive('checkout')], 'Feature has been archived'],
      ['a strategy to be changed', update, [removeFew], 'Strategy has been deleted'],
      ['a strategy to be deleted', removeFew, [removeFew], 'Strategy has been deleted'],
      ['a strategy to be moved', order, [removeFew], 'Strategy has been deleted'],
      ['a segment', deleteSegment, [free, deleteSegment], 'Segment has been deleted'],
      ['a parent', depend('checkout', 'dark-mode'), [archive('dark-mode')], 'Parent feature has been archived'],
      ['a release plan', deletePlan, [], 'Release plan has been deleted'],
      ['a segment that an added strategy uses', addStrategy, [], 'Segment has been deleted'],
      ['a segment that a strategy uses', useSegment, [free, deleteSegment], 'Segment has been deleted'],
      ['the template of a release plan', addPlan, [], 'Release plan template has been deleted'],
      ['a flag as its own parent', depend('checkout', 'checkout'), [], 'Feature has been set as its own parent'],
    ])('%s', async (_, change, meanwhile, conflict) => {
      const id = await calls.approved([
        { action: 'patchVariant', feature: 'dark-mode', payload: { variants: [] } },
        change,
      ])
      await host.apply(...meanwhile)
      const { features, segments } = await calls.read(id)
      // The first is the flag of the other change.
      const shown = [...JSON.stringify([features.slice(1), segments]).matchAll(/"conflict":"([^"]+)"/g)].map(
        ([, text]) => text,
      )
      expect(shown).toContain(conflict)
      const { body } = await calls.applied(id).expect(409)
      expect(body).toMatchObject({ name: 'ConflictError' })
      expect((await calls.read(id)).state).toBe('Approved')
      expect(await calls.eventsOfApply()).toEqual([])
    })
  })
})

describe.each([sqlite, postgres])('an application over the flag store of examples/server on $name', (database) => {
  let host: FlagHost
  let calls: ReturnType<typeof callHost>
  beforeEach(async () => {
    host = await openFlagHost(database)
    calls = callHost(host)
  })
  afterEach(() => host.opened.close())

  it('keeps what an application was checked against as it is until its end', async () => {
    const { gateway, opened } = host
    const meanwhile: unknown[] = []
    calls = callHost(host, {
      ...gateway,
      async apply(changes, context) {
        meanwhile.push(await writeBeside(opened))
        return gateway.apply(changes, context)
      },
    })
    await calls.applied(await calls.approved(enable('checkout'))).expect(200)
    expect(meanwhile).toEqual([expect.stringMatching(/^(?:55P03|SQLITE_BUSY)$/)])
  })

  it('locks the segments and templates that changes mention, and returns those that do not exist', async () => {
    const mentions = { segments: [1, 999, 9_007_199_254_740_991], templates: ['careful-rollout', 'gone'] }
    const subjects = { project: 'default', environment: 'production', features: [], segments: [], mentions }
    const missing = { segments: [999, 9_007_199_254_740_991], templates: ['gone'] }
    expect((await host.gateway.current(subjects)).missing).toEqual(missing)
    const read = (transaction: unknown) => host.gateway.current(subjects, { transaction, forUpdate: true })
    expect((await host.opened.knex.transaction(read)).missing).toEqual(missing)
    const use = { action: 'addStrategy', feature: 'checkout', payload: { ...half, segments: [1] } }
    const plan = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'careful-rollout' } }
    await calls.applied(await calls.approved([use, plan])).expect(200)
  })

  it('returns the flags that use a segment, and digests that a change can send', async () => {
    const place = '/api/admin/projects/default/environments/production'
    const { body } = await calls.send('ann', 'get', `${place}/segments/1`).expect(200)
    expect(body).toMatchObject({ id: 1, usedBy: [{ project: 'default', feature: 'new-search' }] })
    await calls.send('ann', 'get', `${place}/segments/2`).expect(404)
    const rename = { action: 'updateSegment', payload: { id: 1, name: 'Beta', constraints: [] } }
    const expected = body.targets.segment
    await host.apply({ ...rename, payload: { ...rename.payload, name: 'By Cara' } })
    await calls.propose([{ ...rename, expected }]).expect(412)
    const { targets } = (await calls.send('ann', 'get', `${place}/segments/1`).expect(200)).body
    await calls.propose([{ ...rename, expected: targets.segment }]).expect(200)
  })

  it('returns the segments of the default strategy that do not exist', async () => {
    await host.opened
      .knex('flag_environments')
      .update({ default_strategy: JSON.stringify({ ...half, segments: [999] }) })
    await host.apply({ action: 'deleteStrategy', feature: 'checkout', payload: { id: 'checkout-half' } })
    const id = await calls.approved(enable('checkout'))
    const conflict = 'Segment of the default strategy has been deleted'
    expect((await calls.read(id)).features).toMatchObject([{ conflict }])
    const { body } = await calls.applied(id).expect(409)
    expect(body.message).toBe(`The changes cannot be applied to the current flags (checkout: ${conflict}).`)
  })

  describe('a failure in the middle leaves flags, change request and log as they were', () => {
    it('409 where a change does not fit what the one before it left', async () => {
      const before = await host.store.list('default')
      const id = await calls.approved([enable('checkout'), archive('dark-mode'), depend('checkout', 'dark-mode')])
      const { body } = await calls.applied(id).expect(409)
      expect(body).toMatchObject({ name: 'ConflictError', message: 'dark-mode: These flags depend on it: checkout.' })
      expect(await host.store.list('default')).toEqual(before)
      expect((await calls.read(id)).state).toBe('Approved')
      expect(await calls.eventsOfApply()).toEqual([])
    })

    it('500 where the gateway fails, and a later try applies it once', async () => {
      const { gateway } = host
      const before = await host.store.list('default')
      let broken = true
      const flags: typeof gateway = {
        ...gateway,
        async apply(...all) {
          const events = await gateway.apply(...all)
          if (broken) throw new Error('The disk is gone.')
          return events
        },
      }
      calls = callHost(host, flags)
      const id = await calls.approved([
        { action: 'addStrategy', feature: 'checkout', payload: half },
        enable('checkout'),
      ])
      await calls.applied(id).expect(500)
      expect(await host.store.list('default')).toEqual(before)
      expect((await calls.read(id)).state).toBe('Approved')
      broken = false
      await calls.applied(id).expect(200)
      expect((await host.place('checkout')).strategies).toHaveLength(2)
      expect(await calls.eventsOfApply()).toEqual([
        'feature-strategy-add',
        'feature-environment-enabled',
        'change-request-applied',
      ])
    })
  })
})

/** The result of another process that changes a flag now, without waiting for locks. */
async function writeBeside({ place }: FlagHost['opened']): Promise<unknown> {
  const { knex, close } = openAgain(place)
  try {
    await knex.transaction(async (transaction) => {
      await transaction.raw(place.knex.client === 'pg' ? 'set local lock_timeout = 1' : 'pragma busy_timeout = 0')
      await transaction('flag_features').where({ name: 'checkout' }).update({ description: 'altered' })
    })
    return 'written'
  } catch (error) {
    return (error as { code?: unknown }).code
  } finally {
    await close()
  }
}
