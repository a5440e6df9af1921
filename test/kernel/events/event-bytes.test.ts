import { fingerprintOf } from '../../../src/kernel/log/event-bytes'
import { eventFingerprint } from '../../../src/ports/storage/events'
import { openMemory } from '../../../src/storage/memory'
import { sampleEvent } from '../../../src/testing/samples'

describe('fingerprintOf', () => {
  it.each([
    ['no groups', null, null],
    ['a type of group', 'change-request', null],
    ['an id of a group', null, 'a'],
    ['both', 'change-request', '7'],
    ['quotes, backslashes and letters of several bytes', 'a "b" \\', '\\"ü€😀\\'],
  ])('is that of the stored event, with and without its groups: %s', async (_, groupType, groupId) => {
    const { storage } = openMemory()
    const event = { ...sampleEvent({ text: '"groupId":"x", ü€' }), groupType, groupId }
    await storage.appendEvents([event])
    for (const grouped of [true, false]) {
      const { json } = await storage.eventPage({}, { after: 0 }, 1, grouped)
      expect(fingerprintOf(json)).toBe(eventFingerprint(event.json))
    }
  })
})
