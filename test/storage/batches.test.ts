import { changeRequest, event, eventTypes, stores, write } from './fixtures'

function set(requiredApprovals: number, expectedVersion = 0) {
  const place = { project: 'shop', environment: 'production', expectedVersion }
  const settings = { changeRequestsEnabled: true, requiredApprovals }
  return { ...place, settings, events: [event(`set-${requiredApprovals}`)] }
}

it.each(stores)('concurrent writes of each kind have their own results, on $name', async ({ open }) => {
  const { storage, close } = await open()
  try {
    const outcomes = await Promise.all([
      storage.commit(write(changeRequest(1), { events: [event('made')] })),
      storage.commitSettings(set(2)),
      storage.commitSettings(set(3, 4)),
      storage.appendEvents([event('other')]),
      storage.commit(write(changeRequest(1), { expectedVersion: 3, events: [event('lost')] })),
    ])
    expect(outcomes).toEqual([true, true, false, undefined, false])
    expect(await eventTypes(storage)).toEqual(['made', 'set-2', 'other'])
    expect(await storage.eventHead({ projects: ['shop'] })).toMatchObject({ lastId: 3, total: 3 })
  } finally {
    await close()
  }
})
