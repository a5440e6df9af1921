import { sqlite } from '../support/databases'
import { depend, enable, half } from './support/changes'
import { type ChangeOfTest, type FlagHost, openFlagHost } from './support/flag-host'

describe('what the flag gateway of examples/server refuses changes nothing', () => {
  let host: FlagHost
  beforeEach(async () => {
    host = await openFlagHost(sqlite)
  })
  afterEach(() => host.opened.close())

  const archive = { action: 'archiveFeature', feature: 'dark-mode' }
  const plan = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'careful-rollout' } }
  const about = (action: string, payload: unknown, feature: string | null = 'checkout') => ({
    action,
    feature,
    payload,
  })

  it.each<[string, ChangeOfTest[]]>([
    ['gone: Feature has been deleted', [about('archiveFeature', {}, 'gone')]],
    ['dark-mode: Feature has been archived', [archive, enable('dark-mode')]],
    ['checkout: Strategy has been deleted', [about('updateStrategy', { id: 'new-search-beta' })]],
    ['checkout: Strategy has been deleted', [about('reorderStrategy', [{ id: 'gone', sortOrder: 1 }])]],
    ['The project has no segment 9.', [about('addStrategy', { ...half, segments: [1, 9] })]],
    ['The project has no segment 1.5.', [about('updateStrategy', { id: 'checkout-half', segments: [1.5] })]],
    [
      'new-search: These flags depend on it: checkout.',
      [depend('checkout', 'new-search'), about('archiveFeature', {}, 'new-search')],
    ],
    ['checkout: Parent feature has been archived', [archive, depend('checkout', 'dark-mode')]],
    ['checkout: Parent feature has been archived', [depend('checkout', 'gone')]],
    ['checkout: It cannot depend on checkout: dependencies have one level.', [depend('checkout', 'checkout')]],
    [
      'new-search: It cannot depend on checkout: dependencies have one level.',
      [depend('checkout', 'dark-mode'), depend('new-search', 'checkout')],
    ],
    [
      'checkout: It cannot depend on new-search: dependencies have one level.',
      [depend('dark-mode', 'checkout'), depend('checkout', 'new-search')],
    ],
    ['Segment 9: Segment has been deleted', [about('updateSegment', { id: 9, name: 'x', constraints: [] }, null)]],
    [
      'Segment 1 cannot be moved to another project.',
      [about('updateSegment', { id: 1, name: 'x', constraints: [], project: 'other' }, null)],
    ],
    ['Segment 9007199254740991: Segment has been deleted', [about('deleteSegment', { id: 9007199254740991 }, null)]],
    ['Segment 1 is used by new-search.', [about('deleteSegment', { id: 1 }, null)]],
    ['The release plan template gone does not exist.', [about('addReleasePlan', { templateId: 'gone' })]],
    ['checkout: There is a release plan in production already.', [plan, plan]],
    ['checkout: Release plan has been deleted', [about('startMilestone', { planId: 'gone', milestoneId: 'gone' })]],
    ['checkout: Release plan has been deleted', [about('deleteReleasePlan', { planId: 'gone' })]],
    ['checkout: Strategy has been deleted', [plan, about('updateMilestoneStrategy', { id: 'gone' })]],
    ['The example store does not support changeSafeguard.', [about('changeSafeguard', {})]],
  ])('%s', async (message, changes) => {
    const before = await host.store.list('default')
    const good = { action: 'patchVariant', feature: 'checkout', payload: { variants: [] } }
    await expect(host.apply(enable('checkout'), good, ...changes)).rejects.toMatchObject({
      name: 'ConflictError',
      message,
    })
    expect(await host.store.list('default')).toEqual(before)
  })

  it('checkout: Milestone has been deleted', async () => {
    await host.apply(plan)
    const [{ id: planId } = { id: '' }] = (await host.place('checkout')).releasePlans
    const start = { action: 'startMilestone', feature: 'checkout', payload: { planId, milestoneId: 'gone' } }
    const refused = { name: 'ConflictError', message: 'checkout: Milestone has been deleted' }
    await expect(host.apply(enable('checkout'), start)).rejects.toMatchObject(refused)
    expect((await host.place('checkout')).enabled).toBe(false)
  })
})
