import type { SettingsWrite } from '../../src/ports/storage/settings'
import type { Storage } from '../../src/ports/storage/storage'
import { changeRequest, event, eventTypes, stores, write } from './fixtures'

function set(environment: string, requiredApprovals: number, expectedVersion = 0, project = 'shop'): SettingsWrite {
  const settings = { changeRequestsEnabled: requiredApprovals > 1, requiredApprovals }
  return { project, environment, settings, expectedVersion, events: [event(`set-${requiredApprovals}`)] }
}

describe.each(stores)('the settings of the $name storage', ({ open }) => {
  let storage: Storage
  let close: () => Promise<void>

  beforeEach(async () => {
    ;({ storage, close } = await open())
  })
  afterEach(() => close())

  it('include those that were set and the environments of change requests, by name', async () => {
    expect(await storage.settings('shop')).toEqual([])
    for (const [index, environment] of ['staging', 'test', 'staging', 'Test'].entries()) {
      await storage.commit(write(changeRequest(index + 1, { environment })))
    }
    await storage.commit(write(changeRequest(9, { project: 'bank', environment: 'vault' })))
    expect(await storage.commitSettings(set('production', 3))).toBe(true)
    expect(await storage.commitSettings(set('staging', 1))).toBe(true)
    expect(await storage.commitSettings(set('vault', 2, 0, 'bank'))).toBe(true)
    expect(await storage.settings('shop')).toEqual([
      { environment: 'Test', settings: null, version: 0 },
      { environment: 'production', settings: { changeRequestsEnabled: true, requiredApprovals: 3 }, version: 1 },
      { environment: 'staging', settings: { changeRequestsEnabled: false, requiredApprovals: 1 }, version: 1 },
      { environment: 'test', settings: null, version: 0 },
    ])
    expect(await eventTypes(storage)).toEqual(['set-3', 'set-1', 'set-2'])
  })

  it('are written only over the version that was read', async () => {
    await storage.commitSettings(set('production', 2))
    expect(await storage.commitSettings(set('production', 3))).toBe(false)
    expect(await storage.commitSettings(set('production', 4, 2))).toBe(false)
    expect(await storage.commitSettings(set('other', 5, 1))).toBe(false)
    expect(await storage.commitSettings(set('production', 6, 1))).toBe(true)
    expect(await storage.settings('shop')).toEqual([
      { environment: 'production', settings: { changeRequestsEnabled: true, requiredApprovals: 6 }, version: 2 },
    ])
    expect(await eventTypes(storage)).toEqual(['set-2', 'set-6'])
  })

  it('are set by exactly one of 20 concurrent writes of a version', async () => {
    for (const version of [0, 1]) {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => storage.commitSettings(set('production', index + 1, version))),
      )
      expect(outcomes.filter((won) => won)).toHaveLength(1)
      const [stored] = await storage.settings('shop')
      expect(stored).toMatchObject({
        version: version + 1,
        settings: { requiredApprovals: outcomes.indexOf(true) + 1 },
      })
      expect(await eventTypes(storage)).toHaveLength(version + 1)
    }
  })

  it('share a batch with commits and events, each with its own result', async () => {
    const outcomes = await Promise.all([
      storage.commit(write(changeRequest(1), { events: [event('made')] })),
      storage.commitSettings(set('production', 2)),
      storage.commitSettings(set('production', 3, 4)),
      storage.appendEvents([event('other')]),
      storage.commit(write(changeRequest(1), { expectedVersion: 3, events: [event('lost')] })),
    ])
    expect(outcomes).toEqual([true, true, false, undefined, false])
    expect(await eventTypes(storage)).toEqual(['made', 'set-2', 'other'])
    expect(await storage.eventHead({ projects: ['shop'] })).toMatchObject({ lastId: 3, total: 3 })
  })
})
