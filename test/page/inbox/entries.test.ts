import type { RequirementView, ReviewListItemView } from '../../../src/generated'
import { groupEntries, matches, toEntry, toLookEntry } from '../../../src/page/app/screens/inbox/entries'
import { readFilters, tabPath } from '../../../src/page/app/screens/inbox/filter/filters'

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
  createdAt: '2026-11-20T10:52:09.870Z',
  updatedAt: '2026-11-20T11:05:30.112Z',
  features: ['pay-by-card'],
  segments: ['Beta testers'],
  waitsFor: [],
  ...parts,
})

const filters = (query: string) => readFilters(new URLSearchParams(query))

describe('what a change request waits for', () => {
  it.each([
    ['In review', [requirement('minimum', 0, 2)], '0 of 2', '2 approvals missing'],
    ['In review', [requirement('minimum', 1, 2)], '1 of 2', '1 approval missing'],
    ['In review', [requirement('minimum', 1, 2), requirement('legal', 0, 1)], '1 of 2', 'legal missing'],
    ['Approved', [], undefined, 'not applied yet'],
    ['Approved', [requirement('legal', 0, 1)], undefined, 'legal missing'],
    ['Draft', [requirement('minimum', 0, 2)], undefined, 'only you can see it'],
  ] as const)('%s %j', (state, waitsFor, number, todo) => {
    expect(toEntry(item({ state, waitsFor: [...waitsFor] }))).toMatchObject({ state, number, todo })
  })

  it('is the reason where a schedule will not run, as the server says it', () => {
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

  it('says who applied without how many approvals', () => {
    const applied = {
      by: 'Cara',
      at: '2026-11-20T11:05:30.112Z',
      missing: [{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 0 } as const],
    }
    const look = { item: item({ state: 'Applied' }), mayLook: true, applied }
    expect(toLookEntry(look)).toMatchObject({
      state: 'Second look needed',
      todo: 'applied by Cara with 0 of 2 approvals',
    })
  })
})

describe('the rows of Needs you', () => {
  it('stand in groups of what there is to do, production first, then what waits longest', () => {
    const entries = [
      item({ id: 1, environment: 'staging', stateSince: '2026-11-01T00:00:00Z' }),
      item({ id: 2, stateSince: '2026-11-03T00:00:00Z' }),
      item({ id: 3, stateSince: '2026-11-02T00:00:00Z' }),
      item({ id: 4, state: 'Approved' }),
    ].map((one) => toEntry(one))
    const groups = groupEntries(filters(''), entries).map(({ label, entries: rows }) => [
      label,
      rows.map((row) => row.item.id),
    ])
    expect(groups).toEqual([
      ['To review', [3, 2, 1]],
      ['To apply', [4]],
    ])
  })
})

describe('the rows of Yours', () => {
  it('are open, what is stuck first', () => {
    const states = ['Draft', 'Applied', 'In review', 'Scheduled', 'Rejected', 'Approved'] as const
    const [group] = groupEntries(
      filters('needs=mine'),
      states.map((state) => toEntry(item({ state }))),
    )
    expect(group?.entries.map(({ state }) => state)).toEqual(['Approved', 'In review', 'Scheduled', 'Draft'])
  })
})

describe('the rows of Yours in one state', () => {
  it('are shown when they are closed too', () => {
    const [group] = groupEntries(filters('needs=mine&state=Applied'), [toEntry(item({ state: 'Applied' }))])
    expect(group?.entries).toHaveLength(1)
  })
})

describe('the filters of the address', () => {
  it('leave out what they do not know', () => {
    expect(filters('needs=everything&state=Lost&project=&query=card')).toEqual({
      tab: 'me',
      project: undefined,
      environment: undefined,
      state: undefined,
      query: 'card',
    })
  })

  it('stay when another list is chosen', () => {
    expect(tabPath('all', new URLSearchParams('needs=mine&query=card'))).toBe('/?needs=all&query=card')
    expect(tabPath('me', new URLSearchParams('needs=mine'))).toBe('/')
  })

  it.each([
    ['query=CARDS', true],
    ['query=pay-by', true],
    ['query=beta', true],
    ['query=%2342', true],
    ['query=43', false],
    ['project=shop&environment=production', true],
    ['project=other', false],
    ['state=Applied', false],
  ])('%s fits: %s', (query, fits) => {
    expect(matches(toEntry(item()), filters(query))).toBe(fits)
  })
})
