import type { RequirementView, ReviewListItemView } from '../../../src/generated'
import { groupEntries, toEntry, withDecided } from '../../../src/page/app/screens/inbox/entries'
import {
  isFiltered,
  readFilters,
  startOf,
  tabPath,
  toReviewsQuery,
} from '../../../src/page/app/screens/inbox/filter/filters'

const requirement = (name: string, given: number, approvals: number): RequirementView => ({
  name,
  environment: null,
  mode: 'enforce',
  because: [],
  given,
  approvals,
  from: null,
  approvedBy: [],
  satisfiable: null,
})

const item = (parts: Partial<ReviewListItemView> = {}): ReviewListItemView => ({
  id: 42,
  project: 'shop',
  environment: 'production',
  title: 'Cards for many people',
  state: 'In review',
  stateSince: '2026-11-20T11:05:30.112Z',
  revision: '42-7',
  createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
  author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
  createdAt: '2026-11-20T10:52:09.870Z',
  updatedAt: '2026-11-20T11:05:30.112Z',
  features: ['pay-by-card'],
  segments: ['Beta testers'],
  waitsFor: [],
  because: [],
  approvedBy: [],
  endedBy: null,
  effects: [],
  conflict: false,
  overwrites: false,
  needsAcknowledgement: false,
  ...parts,
})

const filters = (query: string) => readFilters(new URLSearchParams(query))

describe('the reason why a change request waits', () => {
  it.each([
    ['In review', [requirement('minimum', 0, 2)], '0 of 2', '2 approvals missing'],
    ['In review', [requirement('minimum', 1, 2)], '1 of 2', '1 approval missing'],
    ['In review', [requirement('minimum', 1, 2), requirement('legal', 0, 1)], '1 of 2', 'legal missing'],
    ['Approved', [], undefined, 'not applied yet'],
    ['Approved', [requirement('legal', 0, 1)], undefined, 'legal missing'],
    ['Draft', [requirement('minimum', 0, 2)], undefined, 'not submitted yet'],
  ] as const)('%s %j', (state, waitsFor, number, todo) => {
    expect(toEntry(item({ state, waitsFor: [...waitsFor] }))).toMatchObject({ state, number, todo })
  })

  it('is an open objection, once nothing else is missing', () => {
    const todo = 'blocked until the objection ends'
    expect(toEntry(item({ state: 'Approved', objections: 1 }))).toMatchObject({ state: 'Approved', todo })
    expect(toEntry(item({ waitsFor: [requirement('minimum', 1, 2)], objections: 1 })).todo).toBe('1 approval missing')
    expect(toEntry(item({ state: 'Approved', objections: 0 })).todo).toBe('not applied yet')
  })

  it('is that of a schedule that will not run, as the server returns it', () => {
    const schedule = {
      scheduledAt: '2026-11-23T06:00:00.000Z',
      status: 'suspended' as const,
      reason: 'The changes would overwrite newer edits (the rollout of “all” was "70"). Rebase it.',
    }
    expect(toEntry(item({ state: 'Scheduled', schedule }))).toMatchObject({
      state: 'Schedule suspended',
      todo: 'nothing was applied',
      reason: schedule.reason,
    })
  })

  it('names the user who closed it', () => {
    const endedBy = { id: 3, username: 'Cara', imageUrl: null }
    const rejected = toEntry(item({ state: 'Rejected', endedBy }))
    expect(rejected.todo).toMatch(/by Cara$/)
    const applied = toEntry(item({ state: 'Applied', endedBy, needsAcknowledgement: true }))
    expect([applied.state, applied.todo]).toEqual(['Needs acknowledgement', expect.stringMatching(/by Cara$/)])
  })
})

describe('the rows of Needs you', () => {
  it('are grouped by task, in the order of the response', () => {
    const entries = [
      item({ id: 1, because: ['conflict'] }),
      item({ id: 2, because: ['review', 'requested'] }),
      item({ id: 3, because: ['apply', 'overwrite'] }),
      item({ id: 4, because: ['review'] }),
      item({ id: 5, because: ['acknowledge'] }),
      item({ id: 6, because: ['failed'] }),
    ].map(toEntry)
    const groups = groupEntries(filters(''), entries).map(({ label, entries: rows }) => [
      label,
      rows.map((row) => row.item.id),
    ])
    expect(groups).toEqual([
      ['To acknowledge', [5]],
      ['To review', [2, 4]],
      ['To apply', [3]],
      ['To fix', [1, 6]],
    ])
  })

  it('are one list under the other tabs', () => {
    const entries = [item({ id: 2, because: ['review'] }), item({ id: 1, state: 'Applied' })].map(toEntry)
    expect(groupEntries(filters('needs=mine'), entries)).toEqual([{ id: 'mine', label: undefined, entries }])
  })
})

describe('the filters in the URL', () => {
  it('ignore unknown values', () => {
    expect(filters('needs=everything&state=Lost&project=&query=card')).toEqual({
      tab: 'me',
      project: undefined,
      environment: undefined,
      state: undefined,
      query: 'card',
      order: 'waiting',
    })
  })

  it('include requested reviews of the caller', () => {
    expect(toReviewsQuery(filters('needs=all&requested=me'))).toMatchObject({ needs: 'all', requested: 'me' })
    expect(isFiltered(filters('requested=me'))).toBe(true)
    expect(isFiltered(filters('requested=7'))).toBe(false)
  })

  it('include those that need acknowledgement, by any user', () => {
    expect(toReviewsQuery(filters('needs=all&afterReview=open'))).toMatchObject({ needs: 'all', afterReview: 'open' })
    expect([isFiltered(filters('afterReview=open')), isFiltered(filters('afterReview=closed'))]).toEqual([true, false])
  })

  it('stay when another tab is selected', () => {
    expect(tabPath('all', new URLSearchParams('needs=mine&query=card'))).toBe('/?needs=all&query=card')
    expect(tabPath('me', new URLSearchParams('needs=mine'))).toBe('/')
  })
})

describe('a list with rows that the viewer decided', () => {
  const row = (id: number, because: ReviewListItemView['because']) => item({ id, because })
  const shown = [row(1, ['review']), row(2, ['review']), row(3, ['review']), row(4, ['apply']), row(5, ['apply'])]
  const idsOf = (rows: readonly ReviewListItemView[]) => rows.map(({ id }) => id)

  it('keeps each in its place of its group, as it was', () => {
    const decided = new Map([2, 4].map((id) => [id, 'Approved']))
    // The viewer can apply what they approved.
    const now = [row(5, ['apply']), row(1, ['review']), row(2, ['apply']), row(3, ['review'])]
    const rows = withDecided('me', now, shown, decided)
    const groups = groupEntries({ tab: 'me' }, rows.map(toEntry))
    expect(groups.map(({ id, entries }) => [id, idsOf(entries.map((entry) => entry.item))])).toEqual([
      ['review', [1, 2, 3]],
      ['apply', [4, 5]],
    ])
  })

  it('keeps them although all others are gone', () => {
    expect(
      idsOf(
        withDecided(
          'all',
          [],
          shown.slice(0, 2),
          new Map([
            [1, ''],
            [2, ''],
          ]),
        ),
      ),
    ).toEqual([1, 2])
  })
})

describe('the days of a filter', () => {
  it('begin at midnight of the viewer, and end with the next one', () => {
    expect(startOf('2026-02-28')).toBe(new Date(2026, 1, 28).toISOString())
    expect(startOf('2026-02-28', 1)).toBe(new Date(2026, 2, 1).toISOString())
    expect(startOf('')).toBeUndefined()
  })

  it('are instants in the address; others are left out', () => {
    const { createdFrom, createdTo, author } = filters(
      'createdFrom=2026-02-28T10:00:00%2B01:00&createdTo=soon&author=x',
    )
    expect([createdFrom, createdTo, author]).toEqual(['2026-02-28T09:00:00.000Z', undefined, undefined])
  })
})

describe('what was applied last', () => {
  it('is a part of the list with an order of its own, and without a state to choose', () => {
    expect(toReviewsQuery(filters('needs=applied&state=Draft&author=7'))).toMatchObject({
      ...{ needs: 'all', state: 'Applied', order: 'recent', author: 7 },
    })
    expect(toReviewsQuery(filters('needs=applied&order=newest'))).toMatchObject({ order: 'newest' })
  })
})
