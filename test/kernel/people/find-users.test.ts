import { findPeople, findUsers } from '../../../src/kernel/host/find-users'
import { createFixture } from '../support/fixture'

const directory = (asked: unknown[]) => ({
  find(ids: readonly number[]) {
    asked.push(ids)
    return [{ id: 1, name: 'Ann Lee' }]
  },
  reviewers: () => [],
})

describe('findUsers', () => {
  it('reads each user once, and returns them by id', async () => {
    const asked: unknown[] = []
    const { services } = createFixture({ users: directory(asked) })
    expect(await findUsers(services, [2, 1, 2])).toEqual(new Map([[1, { id: 1, name: 'Ann Lee' }]]))
    expect(asked).toEqual([[2, 1]])
  })

  it('calls nothing for no users, and is undefined without a user directory', async () => {
    const asked: unknown[] = []
    const { services } = createFixture({ users: directory(asked) })
    expect([await findUsers(services, []), asked]).toEqual([new Map(), []])
    expect(await findUsers(createFixture().services, [1])).toBeUndefined()
  })
})

describe('findPeople', () => {
  it('shows them as change requests do', async () => {
    const { services } = createFixture({ users: directory([]) })
    expect(await findPeople(services, [1, 2])).toEqual(new Map([[1, { id: 1, username: 'Ann Lee', imageUrl: null }]]))
    expect(await findPeople(createFixture().services, [1])).toBeUndefined()
  })
})
