import {
  countActionable,
  countProject,
  listPending,
  listPendingFor,
  listProject,
} from '../../../src/capabilities/lists/lists'
import { search } from '../../../src/capabilities/lists/search'
import { listScheduled } from '../../../src/capabilities/schedule/routes'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import {
  actors,
  by,
  collect,
  createFixture,
  enable,
  type Fixture,
  noon,
  production,
  type Who,
} from '../../kernel/support/fixture'

const as = (who: Who) => ({ actor: actors[who], project: 'shop' })

type Pages = ReturnType<typeof listProject>

/** The ids of all pages. */
const ids = async (pages: Pages) =>
  (await collect(pages)).flatMap(({ items }) => items.map(({ changeRequest }) => changeRequest.id))

/** Six change requests of Ann in the states that a list can filter by, and a draft of Ben. */
async function inAllStates() {
  const fixture = createFixture()
  for (const [index, state] of (
    ['Draft', 'In review', 'Approved', 'Scheduled', 'Rejected', 'Cancelled'] as const
  ).entries()) {
    const id = index + 1
    await fixture.propose('ann', [enable(`flag-${id}`)], { environment: `env-${id}` })
    if (state !== 'Draft') await enter(fixture, id, state)
  }
  await fixture.propose('ben', [enable('flag-1')])
  return fixture
}

async function enter(fixture: Fixture, id: number, state: StoredChangeRequest['changeRequest']['state']) {
  const stored = (await fixture.storage.find({ project: 'shop' }, id)) as StoredChangeRequest
  const changeRequest = { ...stored.changeRequest, state, stateTimestamps: { Draft: noon, [state]: noon } }
  await fixture.services.writer.commit(stored, { changeRequest, events: [] })
}

describe('listProject', () => {
  it('lists all states, newest first, with only own drafts', async () => {
    const { services } = await inAllStates()
    expect(await ids(listProject(services, as('ann')))).toEqual([6, 5, 4, 3, 2, 1])
    expect(await ids(listProject(services, as('ben')))).toEqual([7, 6, 5, 4, 3, 2])
    expect(await ids(listProject(services, as('robot')))).toEqual([6, 5, 4, 3, 2])
    expect(await ids(listProject(services, { ...as('ann'), project: 'blog' }))).toEqual([])
  })
})

describe('listPending', () => {
  it('lists the open ones of the caller', async () => {
    const { services } = await inAllStates()
    expect(await ids(listPending(services, as('ann')))).toEqual([3, 2, 1])
    expect(await ids(listPending(services, as('ben')))).toEqual([7])
  })

  it('omits environments where change requests are disabled', async () => {
    const { services } = await inAllStates()
    await changeSettings(services, {
      ...by('dora'),
      project: 'shop',
      environment: 'env-2',
      changeRequestsEnabled: false,
      requiredApprovals: null,
    })
    expect(await ids(listPending(services, as('ann')))).toEqual([3, 1])
  })

  it('is one empty page for a key without a user id', async () => {
    const { services } = await inAllStates()
    expect(await collect(listPending(services, as('robot')))).toEqual([{ items: [], last: true }])
  })
})

describe('listPendingFor', () => {
  it('lists the open and scheduled ones of everyone with a change of the flag', async () => {
    const { services } = await inAllStates()
    for (const [feature, who, expected] of [
      ['flag-1', 'ann', [1]],
      ['flag-1', 'ben', [7]],
      ['flag-3', 'ben', [3]],
      ['flag-4', 'ben', [4]],
      ['flag-5', 'ben', []],
      ['no-such-flag', 'ben', []],
    ] as const) {
      expect(await ids(listPendingFor(services, { ...as(who), feature }))).toEqual(expected)
    }
  })
})

/** @see contract 3.4 */
describe('listScheduled', () => {
  const nothing = { features: [], strategyIds: [], variantsOf: [] }

  it('lists the scheduled ones with a target of the query', async () => {
    const { services } = await inAllStates()
    const scheduled = (query: object) => ids(listScheduled(services, { ...as('ben'), ...nothing, ...query }))
    expect(await scheduled({ features: ['flag-4', 'flag-3'] })).toEqual([4])
    expect(await scheduled({ features: ['flag-3'] })).toEqual([])
    expect(await scheduled({ strategyIds: ['s1'] })).toEqual([])
    expect(await scheduled({ variantsOf: ['flag-4'] })).toEqual([])
  })

  it('is one empty page for an empty query, without reading the storage', async () => {
    const { services } = await inAllStates()
    const pages = listScheduled({ ...services, storage: {} as never }, { ...as('ben'), ...nothing })
    expect(await collect(pages)).toEqual([{ items: [], last: true }])
  })
})

describe('countProject', () => {
  it('counts by state, drafts of others left out', async () => {
    const { services } = await inAllStates()
    const counts = { total: 6, applied: 0, rejected: 1, reviewRequired: 1, approved: 1, scheduled: 1 }
    expect(await countProject(services, as('ann'))).toEqual(counts)
    expect(await countProject(services, as('robot'))).toEqual({ ...counts, total: 5 })
    const none = { total: 0, applied: 0, rejected: 0, reviewRequired: 0, approved: 0, scheduled: 0 }
    expect(await countProject(services, { ...as('ann'), project: 'blog' })).toEqual(none)
  })
})

/** @see contract 3.4, 8 */
describe('countActionable', () => {
  it('counts what the caller can approve or apply', async () => {
    const { services } = await inAllStates()
    expect(await countActionable(services, as('ben'))).toBe(2)
  })

  it('omits change requests that the caller cannot approve or apply in their environment', async () => {
    const { services, host } = await inAllStates()
    host.allows = (_, permission) => permission === 'APPLY_CHANGE_REQUEST'
    expect(await countActionable(services, as('ben'))).toBe(1)
    host.allows = (_, permission, { environment }) => permission === 'APPROVE_CHANGE_REQUEST' && environment === 'env-2'
    expect(await countActionable(services, as('ben'))).toBe(1)
    host.allows = (_, permission, { environment }) => permission === 'APPROVE_CHANGE_REQUEST' && environment === 'env-3'
    expect(await countActionable(services, as('ben'))).toBe(0)
  })

  it('omits own ones in review, except for an admin', async () => {
    const { services, host } = await inAllStates()
    expect(await countActionable(services, as('ann'))).toBe(1)
    host.allows = () => true
    expect(await countActionable(services, as('ann'))).toBe(2)
  })

  it('omits those that the caller has approved', async () => {
    const fixture = createFixture({ requiredApprovals: 2 })
    await fixture.reviewed()
    expect(await countActionable(fixture.services, as('ben'))).toBe(1)
    await fixture.to('ben', 'Approved')
    expect(await countActionable(fixture.services, as('ben'))).toBe(0)
    expect(await countActionable(fixture.services, as('robot'))).toBe(1)
  })

  it('calls the host app once for each permission and environment', async () => {
    const fixture = createFixture()
    for (const who of ['ann', 'ben'] as const) {
      const { changeRequest } = await fixture.propose(who)
      await fixture.to(who, 'In review', { id: changeRequest.id })
    }
    await fixture.propose('ann', [enable()], { environment: 'testing' })
    await fixture.to('ann', 'In review', { id: 3 })
    fixture.host.asked.length = 0
    expect(await countActionable(fixture.services, as('cleo'))).toBe(3)
    const asked = fixture.host.asked.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
    expect(asked.map(({ permission, scope }) => [permission, scope])).toEqual([
      ['APPROVE_CHANGE_REQUEST', { project: 'shop', environment: 'production' }],
      ['APPROVE_CHANGE_REQUEST', { project: 'shop', environment: 'testing' }],
    ])
  })

  it('runs one statement, however many there are', async () => {
    const called: unknown[] = []
    const fixture = createFixture({
      storage: (memory) =>
        new Proxy(memory, {
          get: (target, name) => {
            called.push(name)
            return Reflect.get(target, name)
          },
        }),
    })
    for (const environment of ['production', 'testing', 'staging']) {
      const { changeRequest } = await fixture.propose('ann', [enable()], { environment })
      await fixture.to('ann', 'In review', { id: changeRequest.id })
    }
    called.length = 0
    expect(await countActionable(fixture.services, as('ben'))).toBe(3)
    expect(called).toEqual(['countGroups'])
  })

  it('checks once whether the caller is an admin, and only if they have own change requests', async () => {
    const fixture = createFixture()
    for (const environment of ['production', 'testing']) {
      const { changeRequest } = await fixture.propose('ann', [enable()], { environment })
      await fixture.to('ann', 'In review', { id: changeRequest.id })
    }
    fixture.host.asked.length = 0
    await countActionable(fixture.services, as('ann'))
    expect(fixture.host.asked).toEqual([{ who: 1, permission: 'ADMIN', scope: {} }])
  })
})

/** @see contract 3.8 */
describe('search', () => {
  const all = {
    createdBy: null,
    requestedApproverId: null,
    state: null,
    afterReview: false,
    offset: 0,
    limit: 50,
  } as const

  async function found(fixture: Fixture, who: Who, query: object = {}) {
    const { pages, total } = await search(fixture.services, { actor: actors[who], ...all, ...query })
    return { ids: (await collect(pages)).flatMap(({ items }) => items.map(({ summary }) => summary.id)), total }
  }

  it('searches all projects that the caller can read', async () => {
    const fixture = await inAllStates()
    await fixture.propose('ann', [enable()], { project: 'blog' })
    expect(await found(fixture, 'ann')).toEqual({ ids: [8, 6, 5, 4, 3, 2, 1], total: 7 })
    fixture.host.allows = (_, permission, { project }) => permission === 'READ_CHANGE_REQUEST' && project === 'blog'
    expect(await found(fixture, 'ann')).toEqual({ ids: [8], total: 1 })
    fixture.host.allows = () => false
    expect(await found(fixture, 'ann')).toEqual({ ids: [], total: 0 })
  })

  it('counts the offset once, however many pages are read', async () => {
    const asked: unknown[] = []
    const fixture = createFixture({
      storage: (memory) => ({
        ...memory,
        summaries(filter, page) {
          asked.push(page)
          return memory.summaries(filter, { ...page, limit: 1 })
        },
      }),
    })
    for (const environment of ['a', 'b', 'c']) await fixture.propose('ann', [enable()], { environment })
    expect((await found(fixture, 'ann', { offset: 1 })).ids).toEqual([2, 1])
    expect(asked).toEqual([
      expect.objectContaining({ offset: 1 }),
      expect.not.objectContaining({ offset: expect.anything() }),
    ])
  })

  it('reads no page where nothing matches', async () => {
    const called: string[] = []
    const fixture = createFixture({
      storage: (memory) => ({
        ...memory,
        summaries(filter, page) {
          called.push('summaries')
          return memory.summaries(filter, page)
        },
      }),
    })
    await fixture.reviewed()
    expect(await found(fixture, 'ann', { state: 'closed' })).toEqual({ ids: [], total: 0 })
    expect(called).toEqual([])
    expect(await found(fixture, 'ann', { state: 'open' })).toEqual({ ids: [1], total: 1 })
    expect(called).toEqual(['summaries'])
  })
})

it('a list is read in pages of at most 1 MiB, without an environment', async () => {
  const asked: unknown[] = []
  const fixture = createFixture({
    storage: (memory) => ({
      ...memory,
      list(filter, page) {
        asked.push([filter, page])
        return memory.list(filter, page)
      },
    }),
  })
  await collect(listProject(fixture.services, { actor: actors.ann, project: production.project }))
  expect(asked).toEqual([
    [
      { projects: ['shop'], viewer: 1 },
      { limit: 300, bytes: 1024 * 1024 },
    ],
  ])
})
