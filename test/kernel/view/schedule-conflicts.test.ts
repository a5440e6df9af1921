import { describeAll, describeOne } from '../../../src/kernel/view/describe'
import type { ChangeRequestFilter } from '../../../src/ports/storage/change-requests'
import { createScheduledFixture, editStrategy } from '../support/schedules'

describe('the other schedules of a change request', () => {
  it('are read with one call, by the subjects of its changes alone', async () => {
    const filters: ChangeRequestFilter[] = []
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        list(filter, page) {
          filters.push(filter)
          return memory.list(filter, page)
        },
      }),
    })
    const other = { ...editStrategy, feature: 'search' }
    for (const change of [other, editStrategy]) await fixture.scheduled([change])
    const { changeRequest } = await fixture.propose('ann', [editStrategy, editStrategy])
    const stored = await fixture.memory.find({ project: 'shop' }, changeRequest.id)
    filters.length = 0
    const described = stored && (await describeOne(fixture.services, stored, 'read'))

    expect(filters).toEqual([{ subjects: ['scheduled:feature:checkout'], viewer: null }])
    expect([...(described?.scheduleConflicts.values() ?? [])]).toEqual(Array(2).fill([{ id: 2, title: null }]))
  })

  it('are read with one call for change requests of several projects', async () => {
    const filters: ChangeRequestFilter[] = []
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        list(filter, page) {
          filters.push(filter)
          return memory.list(filter, page)
        },
      }),
    })
    await fixture.scheduled([editStrategy])
    const proposed = [
      await fixture.propose('ann', [editStrategy]),
      await fixture.propose('ann', [editStrategy], { project: 'blog' }),
    ]
    filters.length = 0
    const described = await describeAll(fixture.services, proposed)

    expect(filters).toEqual([{ subjects: ['scheduled:feature:checkout'], viewer: null }])
    const found = described.map(({ scheduleConflicts }) => [...scheduleConflicts.values()].flat())
    expect(found).toEqual([[{ id: 1, title: null }], []])
  })
})
