import type { RequirementView, ReviewListItemView } from '../../../src/generated'
import { groupEntries, toEntry } from '../../../src/page/app/screens/inbox/entries'
import { isFiltered, readFilters, tabPath, toReviewsQuery } from '../../../src/page/app/screens/inbox/filter/filters'

const requirement = (name: string, given: number, approvals: number): RequirementView => ({
  name,
  environment: null,
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

  it('is that of a schedule that will not run, as the server returns it', () => {
    const schedule = {
      scheduledAt: '2026-11-23T06:00:00.000Z',
      status: 'suspended' as const,
      reason: 'The changes would overwrite newer edits (the rollout of “all” was "70"). Rebase it.',
    }
    expect(toEntry(item({ state: 'Scheduled', schedule }))).toMatchObject({
      state: 'Schedule suspended',
      todo: schedule.reason,
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
