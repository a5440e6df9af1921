import type { SettingsWrite } from '../../../ports/storage/settings'
import { allData, brokenEvent, sampleEvent, stored, storedClosed } from '../../samples'
import { rejects, type StorageSuite, together } from '../suite'

const place = { project: 'shop', environment: 'production' }

/** Returns a write of the number of approvals, with an event. */
function setting(requiredApprovals: number, expectedVersion = 0, where: Partial<typeof place> = {}): SettingsWrite {
  const settings = { changeRequestsEnabled: requiredApprovals > 1, requiredApprovals }
  return { ...place, ...where, settings, expectedVersion, events: [sampleEvent(requiredApprovals)] }
}

function asStored(requiredApprovals: number, version = 1, environment = place.environment) {
  return { environment, settings: { changeRequestsEnabled: requiredApprovals > 1, requiredApprovals }, version }
}

export function describeSettings(suite: StorageSuite): void {
  suite.describe('findSettings(place)', () => describeOne(suite))
  suite.describe('settings(project)', () => describeAll(suite))
  suite.describe('commitSettings(write)', () => describeWrites(suite))
}

function describeOne({ test, expect }: StorageSuite): void {
  test('returns undefined without settings, with or without change requests', async (storage) => {
    expect(await storage.findSettings(place)).toBe(undefined)
    await stored(storage)
    await storage.commitSettings(setting(2, 0, { environment: 'staging' }))
    await storage.commitSettings(setting(3, 0, { project: 'bank' }))

    expect(await storage.findSettings(place)).toBe(undefined)
  })

  test('returns the settings, including those set just before the call', async (storage) => {
    await storage.commitSettings(setting(2))
    expect(await storage.findSettings(place)).toEqual(asStored(2))

    await storage.commitSettings(setting(1, 1))
    const elsewhere = { ...place, environment: 'staging' }
    const found = await Promise.all([place, elsewhere, place].map((one) => storage.findSettings(one)))
    expect(found).toEqual([asStored(1, 2), undefined, asStored(1, 2)])
  })
}

function describeAll({ test, expect }: StorageSuite): void {
  test('returns all environments of the project that have settings or change requests, sorted by name', async (storage) => {
    expect(await storage.settings('shop')).toEqual([])
    for (const environment of ['staging', 'test', 'staging', 'Test']) await storedClosed(storage, { environment })
    await stored(storage, { environment: 'drafted' })
    await stored(storage, { project: 'bank', environment: 'vault' })
    await storage.commitSettings(setting(3))
    await storage.commitSettings(setting(1, 0, { environment: 'staging' }))
    await storage.commitSettings(setting(2, 0, { project: 'bank', environment: 'vault' }))

    expect(await storage.settings('shop')).toEqual([
      { environment: 'Test', settings: null, version: 0 },
      { environment: 'drafted', settings: null, version: 0 },
      asStored(3),
      asStored(1, 1, 'staging'),
      { environment: 'test', settings: null, version: 0 },
    ])
    expect(await storage.settings('sho')).toEqual([])
  })
}

function describeWrites({ test, expect }: StorageSuite): void {
  test('returns false when the version is another, and writes nothing', async (storage) => {
    await storage.commitSettings(setting(2))

    expect(await storage.commitSettings(setting(3))).toBe(false)
    expect(await storage.commitSettings(setting(4, 2))).toBe(false)
    expect(await storage.commitSettings(setting(5, 1, { environment: 'other' }))).toBe(false)
    expect(await storage.settings('shop')).toEqual([asStored(2)])
    expect(await allData(storage)).toEqual([2])
  })

  test('returns true to exactly one of 20 that race for a version, the first or a later one', async (storage) => {
    for (const version of [0, 1]) {
      const answers = await together(20, (index) => storage.commitSettings(setting(index + 1, version)))
      const winner = answers.indexOf(true) + 1

      expect(answers.filter((answer) => answer).length).toBe(1)
      expect(await storage.findSettings(place)).toEqual(asStored(winner, version + 1))
      expect((await allData(storage)).at(-1)).toBe(winner)
      expect((await storage.eventHead({})).total).toBe(version + 1)
    }
  })

  test('rejects and writes nothing when its event cannot be stored', async (storage) => {
    const half = { ...setting(2), events: [sampleEvent('good'), brokenEvent] }

    expect(await rejects(storage.commitSettings(half))).toBe(true)
    expect(await storage.findSettings(place)).toBe(undefined)
    expect(await allData(storage)).toEqual([])
    expect(await storage.commitSettings(setting(3))).toBe(true)
  })
}
