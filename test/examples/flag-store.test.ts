import { postgres, sqlite } from '../support/databases'
import { isNightly } from '../support/nightly'
import { depend, enable, half } from './support/changes'
import { type FlagHost, openFlagHost } from './support/flag-host'

/** The statements are the same for both. */
const kinds = isNightly ? [sqlite, postgres] : [sqlite]

describe.each(kinds)('the flag gateway of examples/server on $name', (database) => {
  let host: FlagHost
  beforeEach(async () => {
    host = await openFlagHost(database)
  })
  afterEach(() => host.opened.close())

  const strategies = async (feature: string) => (await host.place(feature)).strategies
  const ids = async (feature: string) => (await strategies(feature)).map(({ id }) => id)

  it('seeds an empty store once, also when several processes start together', async () => {
    await host.opened.knex('flag_features').where({ name: 'dark-mode' }).update({ archived: true })
    await Promise.all([host.store.migrate(), host.store.migrate()])
    expect(await Promise.all([host.store.seed(), host.store.seed()])).toEqual([false, false])
    expect((await host.flag('dark-mode')).archived).toBe(true)
  })

  it('offers an editor the projects, the segments of one and of all projects, and context fields', async () => {
    const { projects, searchSegments, contextFields } = host.store.directory
    const general = { id: 2, name: 'All testers', description: '', constraints: '[]' }
    await host.opened.knex('flag_projects').insert({ name: 'other' })
    await host.opened.knex('flag_segments').insert([general, { ...general, id: 3, project: 'other' }])
    const find = async (text: string) => [...((await searchSegments?.(text, { project: 'default' })) ?? [])]
    expect((await find('TESTERS')).map(({ id }) => id)).toEqual([2, 1])
    expect(await find('%')).toEqual([])
    expect([...((await projects?.()) ?? [])].sort()).toEqual(['default', 'other'])
    expect(await contextFields?.({ project: 'default' })).toContainEqual(expect.objectContaining({ name: 'email' }))
  })

  it('adds a strategy behind the others, with an id of its own', async () => {
    const payload = { ...half, id: 'mine', segments: [1], title: null, more: 'is left out' }
    const events = await host.apply({ action: 'addStrategy', feature: 'new-search', payload })
    const added = (await strategies('new-search'))[2]
    expect(added).toEqual({
      ...half,
      id: expect.not.stringMatching(/^mine$/),
      title: null,
      disabled: false,
      sortOrder: 2,
      segments: [1],
      variants: [],
    })
    expect(events).toEqual([{ type: 'feature-strategy-add', featureName: 'new-search', data: added }])
  })

  describe('updateStrategy', () => {
    const update = (payload: { id: string; [key: string]: string | boolean | null }) =>
      host.apply({ action: 'updateStrategy', feature: 'new-search', payload })

    it('changes what is sent, and records the strategy after and before', async () => {
      const [before] = await strategies('new-search')
      const events = await update({ id: 'new-search-beta', title: 'Beta', disabled: null })
      const data = { ...before, title: 'Beta' }
      expect((await strategies('new-search'))[0]).toEqual(data)
      expect(events).toEqual([{ type: 'feature-strategy-update', featureName: 'new-search', data, preData: before }])
    })

    it('switches the flag off once no active strategy is left', async () => {
      await update({ id: 'new-search-beta', disabled: true })
      expect((await host.place('new-search')).enabled).toBe(true)
      expect(await update({ id: 'new-search-few', disabled: true })).toEqual([
        expect.objectContaining({ type: 'feature-strategy-update', data: expect.objectContaining({ disabled: true }) }),
        { type: 'feature-environment-disabled', featureName: 'new-search' },
      ])
      expect((await host.place('new-search')).enabled).toBe(false)
    })
  })

  describe('deleteStrategy', () => {
    const remove = (id: string) => ({ action: 'deleteStrategy', feature: 'new-search', payload: { id } })

    it('takes the strategy out, and switches the flag off after the last one', async () => {
      const [beta, few] = await strategies('new-search')
      expect(await host.apply(remove('new-search-beta'), remove('new-search-few'))).toEqual([
        { type: 'feature-strategy-remove', featureName: 'new-search', preData: beta },
        { type: 'feature-strategy-remove', featureName: 'new-search', preData: few },
        { type: 'feature-environment-disabled', featureName: 'new-search' },
      ])
      expect(await host.place('new-search')).toMatchObject({ enabled: false, strategies: [] })
    })

    it('leaves the flag on when a later change brings another strategy', async () => {
      const add = { action: 'addStrategy', feature: 'new-search', payload: half }
      const events = await host.apply(remove('new-search-beta'), remove('new-search-few'), add)
      expect(events.map(({ type }) => type)).not.toContain('feature-environment-disabled')
      expect((await host.place('new-search')).enabled).toBe(true)
    })

    it('ignores a strategy that is gone', async () => {
      expect(await host.apply(remove('gone'))).toEqual([])
    })
  })

  describe('updateEnabled', () => {
    const enabled = { type: 'feature-environment-enabled', featureName: 'dark-mode' }

    it('switches a flag on and off, and says nothing where nothing changes', async () => {
      const disable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } }
      expect(await host.apply(disable)).toEqual([])
      expect(await host.apply(enable('checkout'))).toEqual([{ ...enabled, featureName: 'checkout' }])
      expect((await host.place('checkout')).enabled).toBe(true)
      expect(await host.apply(enable('checkout'))).toEqual([])
      expect(await host.apply(disable)).toEqual([{ type: 'feature-environment-disabled', featureName: 'checkout' }])
      expect((await host.place('checkout')).enabled).toBe(false)
    })

    it('adds the default strategy of the environment before a flag without an active one is on', async () => {
      const events = await host.apply(enable('dark-mode'))
      const [, added] = await strategies('dark-mode')
      expect(added).toMatchObject({ title: 'A tenth first', disabled: false, parameters: { rollout: '10' } })
      expect(events).toEqual([{ type: 'feature-strategy-add', featureName: 'dark-mode', data: added }, enabled])
    })

    it('adds the default strategy once when the router sends it along', async () => {
      const along = { id: null, action: 'addStrategy', feature: 'dark-mode', payload: half }
      const events = await host.apply(along, enable('dark-mode'))
      expect(events.map(({ type }) => type)).toEqual(['feature-strategy-add', 'feature-environment-enabled'])
      expect((await strategies('dark-mode')).map(({ disabled }) => disabled)).toEqual([true, false])
    })

    it('adds none when another change has brought an active strategy', async () => {
      await host.apply({ action: 'addStrategy', feature: 'dark-mode', payload: half }, enable('dark-mode'))
      expect(await strategies('dark-mode')).toHaveLength(2)
    })

    it('activates the disabled strategies if the payload requests it', async () => {
      const [before] = await strategies('dark-mode')
      const data = { ...before, disabled: false }
      expect(await host.apply(enable('dark-mode', { shouldActivateDisabledStrategies: true }))).toEqual([
        { type: 'feature-strategy-update', featureName: 'dark-mode', data, preData: before },
        enabled,
      ])
      expect(await strategies('dark-mode')).toEqual([data])
    })

    it('activates those that were there before, not those that come with it', async () => {
      const disabled = { action: 'addStrategy', feature: 'dark-mode', payload: { ...half, disabled: true } }
      await host.apply(disabled, enable('dark-mode', { shouldActivateDisabledStrategies: true }))
      expect((await strategies('dark-mode')).map((one) => one.disabled)).toEqual([false, true])
    })
  })

  describe('archiveFeature', () => {
    it('archives the flag and takes it off its parents', async () => {
      await host.apply(depend('checkout', 'new-search'))
      const about = { featureName: 'checkout', environment: null }
      expect(await host.apply({ action: 'archiveFeature', feature: 'checkout' })).toEqual([
        { type: 'feature-archived', ...about },
        { type: 'feature-dependencies-removed', ...about },
      ])
      expect(await host.flag('checkout')).toMatchObject({ archived: true, dependencies: [] })
    })

    it('records no removed dependencies where there are none', async () => {
      const events = await host.apply({ action: 'archiveFeature', feature: 'dark-mode' })
      expect(events.map(({ type }) => type)).toEqual(['feature-archived'])
    })
  })

  it('replaces all variants of the environment', async () => {
    const before = (await host.place('new-search')).variants
    const variants = [{ name: 'tiles', weight: 1000 }]
    expect(await host.apply({ action: 'patchVariant', feature: 'new-search', payload: { variants } })).toEqual([
      {
        type: 'feature-environment-variants-updated',
        featureName: 'new-search',
        data: { variants },
        preData: { variants: before },
      },
    ])
    expect((await host.place('new-search')).variants).toEqual(variants)
  })

  it('gives the strategies their places', async () => {
    const payload = [
      { id: 'new-search-few', sortOrder: 1 },
      { id: 'new-search-beta', sortOrder: 2.5 },
    ]
    expect(await host.apply({ action: 'reorderStrategy', feature: 'new-search', payload })).toEqual([
      {
        type: 'strategy-order-changed',
        featureName: 'new-search',
        data: { strategyIds: ['new-search-few', 'new-search-beta'] },
        preData: { strategyIds: ['new-search-beta', 'new-search-few'] },
      },
    ])
    expect(await ids('new-search')).toEqual(['new-search-few', 'new-search-beta'])
  })

  describe('addDependency', () => {
    it('adds a parent; variants count only where the parent must be on', async () => {
      const on = { feature: 'new-search', enabled: true, variants: ['grid'] }
      const off = { feature: 'dark-mode', enabled: false, variants: [] }
      expect(
        await host.apply(
          depend('checkout', 'new-search', { variants: ['grid'] }),
          depend('checkout', 'dark-mode', { enabled: false, variants: ['grid'] }),
        ),
      ).toEqual(
        [on, off].map((data) => ({
          type: 'feature-dependency-added',
          featureName: 'checkout',
          environment: null,
          data,
        })),
      )
      expect((await host.flag('checkout')).dependencies).toEqual([off, on])
    })

    it('gives a parent that is there the new conditions', async () => {
      await host.apply(depend('checkout', 'new-search'), depend('checkout', 'new-search', { enabled: false }))
      expect((await host.flag('checkout')).dependencies).toEqual([
        { feature: 'new-search', enabled: false, variants: [] },
      ])
    })
  })

  describe('deleteDependency', () => {
    const remove = (payload = {}) => ({ action: 'deleteDependency', feature: 'checkout', payload })
    const about = { featureName: 'checkout', environment: null }

    it('takes off all parents, or the one that is named', async () => {
      await host.apply(depend('checkout', 'new-search'), depend('checkout', 'dark-mode'))
      const preData = { feature: 'dark-mode', enabled: true, variants: [] }
      expect(await host.apply(remove({ feature: 'dark-mode' }))).toEqual([
        { type: 'feature-dependency-removed', ...about, preData },
      ])
      expect((await host.flag('checkout')).dependencies).toHaveLength(1)
      expect(await host.apply(remove())).toEqual([{ type: 'feature-dependencies-removed', ...about }])
      expect((await host.flag('checkout')).dependencies).toEqual([])
    })

    it('says nothing where there is nothing to take off', async () => {
      expect(await host.apply(remove(), remove({ feature: 'dark-mode' }))).toEqual([])
    })
  })

  describe('updateSegment and deleteSegment', () => {
    it('changes what is sent, and records the segment after and before', async () => {
      const before = await host.segment(1)
      const constraints = [{ contextName: 'country', operator: 'IN', values: ['no'] }]
      const data = { ...before, name: 'Norway', constraints }
      const payload = { id: 1, name: 'Norway', constraints }
      expect(await host.apply({ action: 'updateSegment', payload })).toEqual([
        { type: 'segment-updated', environment: null, data, preData: before },
      ])
      expect(await host.segment(1)).toEqual(data)
    })

    it('deletes a segment that no strategy uses', async () => {
      const before = await host.segment(1)
      const free = {
        action: 'updateStrategy',
        feature: 'new-search',
        payload: { id: 'new-search-beta', segments: [] },
      }
      const events = await host.apply(free, { action: 'deleteSegment', payload: { id: 1 } })
      expect(events[1]).toEqual({ type: 'segment-deleted', environment: null, preData: before })
      expect(await host.segment(1)).toBeUndefined()
    })
  })

  describe('addReleasePlan, startMilestone and deleteReleasePlan', () => {
    const add = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'careful-rollout' } }
    const plan = async () => (await host.place('checkout')).releasePlans[0]
    const start = async (position: number) => {
      const { id: planId = '', milestones = [] } = (await plan()) ?? {}
      const payload = { planId, milestoneId: milestones[position]?.id ?? '' }
      return host.apply({ action: 'startMilestone', feature: 'checkout', payload })
    }

    it('makes a plan of the template', async () => {
      const events = await host.apply(add)
      expect(events).toEqual([{ type: 'release-plan-added', featureName: 'checkout', data: await plan() }])
      expect(await plan()).toMatchObject({
        name: 'Careful rollout',
        activeMilestoneId: null,
        milestones: [{ name: 'A few' }, { name: 'Half' }, { name: 'Everybody' }],
      })
      expect(await ids('checkout')).toEqual(['checkout-half'])
    })

    it('puts the strategies of a started milestone in place of those of the one before', async () => {
      await host.apply(add)
      const rollouts = async () => (await strategies('checkout')).map(({ parameters }) => parameters)
      const before = await plan()
      const events = await start(0)
      expect(await rollouts()).toMatchObject([{ rollout: '50' }, { rollout: '5' }])
      expect(events).toEqual([
        { type: 'release-plan-milestone-started', featureName: 'checkout', data: await plan(), preData: before },
      ])
      expect(await start(0)).toEqual([])
      await start(2)
      expect(await rollouts()).toMatchObject([{ rollout: '50' }, { rollout: '100' }])
      expect((await plan())?.activeMilestoneId).toBe(before?.milestones[2]?.id)
    })

    it('changes what a milestone gives the flag from its next start on', async () => {
      await host.apply(add)
      const of = async () => (await plan())?.milestones[0]?.strategies[0]
      const before = await of()
      const payload = { id: before?.id ?? '', parameters: { rollout: '7' }, segments: [1], disabled: null }
      const events = await host.apply({ action: 'updateMilestoneStrategy', feature: 'checkout', payload })
      expect(await of()).toEqual({ ...before, parameters: { rollout: '7' }, segments: [1] })
      expect(events).toEqual([
        { type: 'feature-strategy-update', featureName: 'checkout', data: await of(), preData: before },
      ])
      await start(0)
      expect((await strategies('checkout'))[1]).toMatchObject({ parameters: { rollout: '7' }, segments: [1] })
    })

    it('deletes the plan with what it brought', async () => {
      await host.apply(add)
      await start(1)
      const preData = await plan()
      const payload = { planId: preData?.id ?? '' }
      expect(await host.apply({ action: 'deleteReleasePlan', feature: 'checkout', payload })).toEqual([
        { type: 'release-plan-removed', featureName: 'checkout', preData },
      ])
      expect(await host.place('checkout')).toMatchObject({ releasePlans: [], strategies: [{ id: 'checkout-half' }] })
    })
  })
})
