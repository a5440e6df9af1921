import type { FreezeView, ReviewListItemView } from '../../../src/generated'
import { type Entry, positionsOf, toLanes } from '../../../src/page/app/screens/schedule/lanes'
import { firstDay, weeksFrom } from '../../../src/page/app/screens/schedule/weeks'
import { textOf } from '../../../src/page/app/words/spans'

const hourMs = 3_600_000
const now = Date.parse('2026-11-20T12:00:00Z')
const span = { from: Date.parse('2026-11-20T00:00:00Z'), to: Date.parse('2026-12-18T00:00:00Z') }

interface Row {
  readonly id: number
  readonly at: string
  readonly status?: 'pending' | 'failed' | 'suspended'
  readonly follows?: number
  readonly held?: string
  readonly environment?: string
}

function rowOf({ id, at, status = 'pending', environment = 'production', ...rest }: Row): ReviewListItemView {
  const reason = status === 'pending' ? {} : { reason: 'A reviewer objected.' }
  return {
    ...{ id, project: 'shop', environment, state: 'Scheduled', features: ['checkout'], segments: [] },
    ...{ schedule: { scheduledAt: at, status, ...reason }, ...rest },
  } as unknown as ReviewListItemView
}

const sale: FreezeView = {
  ...{ name: 'Sale', reason: 'Sales', from: '2026-11-27T00:00:00Z', until: '2026-12-01T00:00:00Z', when: null },
  ...{ scheduled: 'hold', mode: 'enforce' },
}
const lanesOf = (rows: readonly Row[], freezes: readonly FreezeView[] = []) =>
  toLanes(rows.map(rowOf), [], new Map([['shop/production', freezes]]), span, now)

describe('an entry', () => {
  it.each<[string, Omit<Row, 'id'>, string, string]>([
    ['is pending', { at: '2026-11-20T15:20:00Z' }, 'Scheduled', 'in 3 h 20 min'],
    ['is due', { at: '2026-11-20T11:59:00Z' }, 'Scheduled', 'due now'],
    ['is held', { at: '2026-11-20T11:00:00Z', held: 'Frost' }, 'Schedule held', 'by the freeze “Frost”'],
    ['will be held', { at: '2026-11-28T11:00:00Z' }, 'Scheduled', 'The freeze “Sale” will hold it.'],
    ['is suspended', { at: '2026-11-21T11:00:00Z', status: 'suspended' }, 'Schedule suspended', 'A reviewer objected.'],
    ['failed', { at: '2026-11-19T11:00:00Z', status: 'failed' }, 'Schedule failed', 'A reviewer objected.'],
  ])('%s', (_, row, state, note) => {
    const [lane] = lanesOf([{ id: 1, ...row }], [sale])
    expect(lane?.entries.map((one) => [one.state, textOf(one.note).replaceAll('\u00a0', ' ')])).toEqual([[state, note]])
  })
})

describe('the environments', () => {
  it('have their entries by time and the freezes of these weeks; those with neither are left out', () => {
    const over = { ...sale, name: 'Over', from: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z' }
    const endless = { ...sale, name: 'Endless', from: '2026-12-17T00:00:00Z', until: null }
    const rows = [
      { id: 3, at: '2026-11-23T09:00:00Z' },
      { id: 1, at: '2026-11-22T09:00:00Z' },
      { id: 2, at: '2026-11-22T09:00:00Z', environment: 'development' },
    ].map(rowOf)
    const places = [{ project: 'shop', environment: 'staging' }]
    const lanes = toLanes(rows, places, new Map([['shop/production', [over, sale, endless]]]), span, now)
    expect(lanes.map(({ key, entries, freezes }) => [key, entries.map(({ row }) => row.id), freezes.length])).toEqual([
      ['shop/development', [2], 0],
      ['shop/production', [1, 3], 2],
    ])
    expect(lanes[1]?.freezes[1]?.until).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the marks', () => {
  const entriesAt = (
    ...times: readonly (readonly [id: number, hours: number, follows?: number])[]
  ): readonly Entry[] => {
    const rows = times.map(([id, hours, follows]) => {
      return { id, at: new Date(now + hours * hourMs).toISOString(), ...(follows !== undefined && { follows }) }
    })
    return lanesOf(rows)[0]?.entries ?? []
  }
  const rowsOf = (entries: readonly Entry[]) =>
    Object.fromEntries(positionsOf(entries, span).map(({ entry, row }) => [entry.row.id, row]))

  it('are in one row where there is room, else below', () => {
    expect(rowsOf(entriesAt([1, 0], [2, 8], [3, 96]))).toEqual({ 1: 0, 2: 1, 3: 0 })
  })

  it('of a chain are in one row, with no other between them', () => {
    expect(rowsOf(entriesAt([1, 0], [2, 96, 1], [3, 48], [4, 192, 2], [5, 192]))).toEqual({
      1: 0,
      3: 1,
      2: 0,
      4: 0,
      5: 1,
    })
  })

  it('of two followers are below each other', () => {
    expect(rowsOf(entriesAt([1, 0], [2, 96, 1], [3, 97, 1]))).toEqual({ 1: 0, 2: 0, 3: 1 })
  })

  it('are in at most eight rows', () => {
    expect(positionsOf(entriesAt(...Array.from({ length: 20 }, (_, id) => [id, 0] as const)), span)).toHaveLength(8)
  })
})

describe('four weeks', () => {
  it.each([
    ['', '2026-11-21'],
    ['from=2026-12-01', '2026-12-01'],
    ['from=2026-13-01', '2026-11-21'],
    ['from=tomorrow', '2026-11-21'],
  ])('with the address %j begin on %s', (query, day) => {
    expect(firstDay(new URLSearchParams(query), now, 'Pacific/Auckland')).toBe(day)
  })

  it.each([
    ['Pacific/Auckland', '2026-09-20', -1],
    ['Europe/Berlin', '2026-10-10', 1],
    ['America/Los_Angeles', '2026-03-01', -1],
  ])('in %s from %s have %d hour more', (zone, first, hours) => {
    const weeks = weeksFrom(first, zone)
    expect(weeks.to - weeks.from).toBe((28 * 24 + hours) * hourMs)
    expect(weeks.starts.map(({ left }) => Math.round(left))).toEqual([0, 25, 50, 75])
    expect(weeks.weekends).toHaveLength(8)
  })
})
