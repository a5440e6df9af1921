import type { GroupKey, ReviewCase, ReviewCursor, ReviewSearch, Write } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, later, listedBefore, moment, type Sample, sampleChangeRequest, update } from '../../samples'
import type { StorageSuite } from '../suite'

const reviewed: GroupKey = { project: 'shop', environment: 'production', scope: 'project', state: 'In review' }
const everything: Omit<ReviewSearch, 'cases'> = {
  order: 'newest',
  limit: 100,
  bytes: 1 << 20,
  counts: { of: [], upTo: 1 },
}

/** Stores a change request that is not open, so its author may have any number of them; with the scope `project`. */
async function store(storage: Storage, sample: Sample = {}, rest: Partial<Write> = {}, stateSince = moment) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'In review', userId: 1, ...sample })
  const first = creation(changeRequest)
  await storage.commit({ ...first, summary: { ...first.summary, stateSince }, open: false, ...rest })
  return { version: 1, changeRequest }
}

async function find(storage: Storage, one: Partial<ReviewCase>, rest: Partial<ReviewSearch> = {}) {
  const cases = [{ groups: [reviewed], ...one }]
  const { items } = await storage.reviews({ ...everything, cases, ...rest })
  return items.map(({ changeRequest }) => changeRequest.id)
}

export function describeReviews({ describe, test, expect }: StorageSuite): void {
  describe('reviews(search)', () => {
    test('finds the change requests of the groups of a case', async (storage) => {
      const { id } = (await store(storage)).changeRequest
      await store(storage, { project: 'bank' })
      await store(storage, { environment: 'staging' })
      await store(storage, { state: 'Approved' })

      expect(await find(storage, {})).toEqual([id])
      expect(await find(storage, { groups: [] })).toEqual([])
      expect(await find(storage, { groups: [{ ...reviewed, scope: 'environment' }] })).toEqual([])
      expect((await find(storage, { groups: [reviewed, { ...reviewed, project: 'bank' }] })).length).toBe(2)
    })

    test('finds by author, by subjects and by acknowledgement', async (storage) => {
      const ids: number[] = []
      for (const [userId, subjects, afterReview] of [
        [1, [], false],
        [2, ['feature:a'], false],
        [1, ['feature:a', 'approver:7'], true],
      ] as const) {
        const rest = { subjects, ...(afterReview ? { afterReview } : {}) }
        ids.unshift((await store(storage, { userId }, rest)).changeRequest.id)
      }
      const [third, second, first] = ids as [number, number, number]

      expect(await find(storage, { by: 1 })).toEqual([third, first])
      expect(await find(storage, { notBy: 1 })).toEqual([second])
      expect(await find(storage, { subject: 'feature:a' })).toEqual([third, second])
      expect(await find(storage, { withoutSubject: 'feature:a' })).toEqual([first])
      expect(await find(storage, { by: 1, withoutSubject: 'approver:7' })).toEqual([first])
      expect(await find(storage, { afterReview: true })).toEqual([third])
      expect(await find(storage, {}, { createdBy: 2 })).toEqual([second])
      expect(await find(storage, { notBy: 1 }, { createdBy: 1 })).toEqual([])
      expect(await find(storage, {}, { subjects: ['feature:a', 'approver:7'] })).toEqual([third])
      expect(await find(storage, { subject: 'feature:a' }, { subjects: ['approver:7'] })).toEqual([third])
    })

    test('finds by a range of subjects, both ends included', async (storage) => {
      const ids: number[] = []
      const times = [moment, later(1), later(2)]
      for (const at of times) {
        const subjects = ['approved:', `reviewed:2:${at}`, 'reviewed:21:z', 'stopped:2']
        ids.unshift((await store(storage, {}, { subjects })).changeRequest.id)
      }
      const [third, second, first] = ids as [number, number, number]
      const range = (from: string, to: string) => ({ from: `reviewed:2:${from}`, to: `reviewed:2:${to}` })

      expect(await find(storage, { subject: range('', '~') })).toEqual([third, second, first])
      expect(await find(storage, { subject: range(later(1), '~') })).toEqual([third, second])
      expect(await find(storage, { withoutSubject: range(later(1), '~') })).toEqual([first])
      expect(await find(storage, { subject: range('', later(1)) })).toEqual([second, first])
      expect(await find(storage, { subject: range('', moment), withoutSubject: 'stopped:2' })).toEqual([])
      expect(await find(storage, { subject: range('', later(1)), withoutSubject: range('', moment) })).toEqual([second])
      expect(await find(storage, { subject: range('~', '~') })).toEqual([])
      expect(await find(storage, { subject: range('', moment) }, { subjects: ['stopped:2'] })).toEqual([first])
    })

    test('finds a part of the text as it is, or the id', async (storage) => {
      const texts = ['dark mode', '50 % _off_', "ann's “größe”", '']
      const ids: number[] = []
      for (const searchText of texts) ids.push((await store(storage, {}, { searchText })).changeRequest.id)
      const [dark, percent, ann] = ids as [number, number, number]
      const search = (part: string, id: number | null = null) => find(storage, {}, { query: { part, id } })

      expect(await search('k mo')).toEqual([dark])
      expect(await search('% _')).toEqual([percent])
      expect(await search("'s “gr")).toEqual([ann])
      expect(await search('dark%')).toEqual([])
      expect(await search('dark mode', ann)).toEqual([ann, dark])
      expect(await search('none of them', ann + 100)).toEqual([])
    })

    test('orders by time and id, and continues after a position', async (storage) => {
      const times: readonly (readonly [createdAt: string, stateSince: string])[] = [
        [moment, later(2)],
        [later(1), later(1)],
        [later(1), moment],
        [moment, later(1)],
      ]
      const ids: number[] = []
      for (const [createdAt, since] of times)
        ids.push((await store(storage, { createdAt }, {}, since)).changeRequest.id)
      const [a, b, c, d] = ids as [number, number, number, number]
      const pages = async (order: ReviewSearch['order'], size: Partial<ReviewSearch>) => {
        const found: number[][] = []
        let after: ReviewCursor | null | undefined
        while (after !== null) {
          const search = { ...everything, ...size, cases: [{ groups: [reviewed] }], order, ...(after && { after }) }
          const page = await storage.reviews(search)
          found.push(page.items.map(({ changeRequest }) => changeRequest.id))
          after = page.next
        }
        return found
      }

      expect(await pages('newest', { limit: 3 })).toEqual([[c, b, d], [a]])
      expect(await pages('newest', { limit: 4 })).toEqual([[c, b, d, a]])
      expect(await pages('newest', { bytes: 1 })).toEqual([[c], [b], [d], [a]])
    })

    test('orders by the time in the state', async (storage) => {
      const ids: number[] = []
      for (const since of [later(2), moment, later(1)]) {
        const { changeRequest } = await store(storage, {}, {}, since)
        ids.push(changeRequest.id)
      }
      const [a, b, c] = ids as [number, number, number]
      const first = { ...everything, cases: [{ groups: [reviewed] }], order: 'waiting', limit: 2 } as const
      const { items, next } = await storage.reviews(first)
      expect(items.map(({ changeRequest }) => changeRequest.id)).toEqual([b, c])
      expect(next).toEqual({ at: later(1), id: c })
      expect(await find(storage, {}, { order: 'waiting', ...(next && { after: next }) })).toEqual([a])
      const after = { at: later(1), id: c }
      expect(await find(storage, {}, { order: 'recent', after })).toEqual([b])
      expect(await find(storage, {}, { order: 'recent' })).toEqual([a, c, b])
    })

    test('finds what was created from a time on, and before another one', async (storage) => {
      const ids: number[] = []
      for (const createdAt of [moment, later(1), later(2)]) {
        ids.push((await store(storage, { createdAt }, {}, later(3))).changeRequest.id)
      }
      const [a, b, c] = ids as [number, number, number]
      for (const order of ['newest', 'recent'] as const) {
        expect(await find(storage, {}, { order, createdFrom: later(1) })).toEqual([c, b])
        expect(await find(storage, {}, { order, createdBefore: later(1) })).toEqual([a])
        expect(await find(storage, {}, { order, createdFrom: later(1), createdBefore: later(2) })).toEqual([b])
      }
      expect(await find(storage, {}, { order: 'waiting', createdFrom: later(3) })).toEqual([])
    })

    test('finds what is scheduled from a time on, and before another one, whatever the status', async (storage) => {
      const ids: number[] = []
      const cases = [{ groups: [{ ...reviewed, state: 'Scheduled' as const }] }]
      for (const [index, status] of (['pending', 'failed', 'suspended'] as const).entries()) {
        const schedule = { scheduledAt: later(index), status, reason: null }
        const sample: Sample = { state: 'Scheduled', schedule, userId: index + 1 }
        ids.push((await store(storage, sample, { subjects: ['feature:a'] })).changeRequest.id)
      }
      await store(storage, { state: 'Scheduled' })
      const [a, b, c] = ids as [number, number, number]
      for (const order of ['newest', 'recent'] as const) {
        const found = (rest: Partial<ReviewSearch>) => find(storage, {}, { cases, order, ...rest })
        expect(await found({ scheduledFrom: later(1) })).toEqual([c, b])
        expect(await found({ scheduledBefore: later(1) })).toEqual([a])
        expect(await found({ scheduledFrom: later(1), scheduledBefore: later(2) })).toEqual([b])
        const all = { scheduledFrom: later(0) }
        expect(await found({ ...all, createdBy: 2 })).toEqual([b])
        expect(await found({ ...all, scheduledFrom: later(1), subjects: ['feature:a'] })).toEqual([c, b])
        expect(await found({ ...all, query: { part: 'summary', id: null } })).toEqual([c, b, a])
        expect(await found({ ...all, query: { part: 'none of them', id: b } })).toEqual([b])
      }
      const page = await storage.reviews({ ...everything, cases, scheduledFrom: later(0), limit: 2 })
      const after = page.next === null ? {} : { after: page.next }
      const next = await storage.reviews({ ...everything, cases, scheduledFrom: later(0), ...after })
      const listed = [...page.items, ...next.items]
      expect(listed.map(({ changeRequest }) => changeRequest.id)).toEqual([c, b, a])
    })

    test('counts other cases up to a number, also if the page is empty', async (storage) => {
      for (const userId of [1, 1, 2]) await store(storage, { userId })
      const groups = [reviewed]
      const of = [
        [
          { groups, by: 1 },
          { groups, by: 2 },
        ],
        [{ groups, notBy: 1 }],
        [],
        [{ groups: [] }],
      ]
      const counted = async (upTo: number, rest: Partial<ReviewSearch> = {}) =>
        (await storage.reviews({ ...everything, cases: [], ...rest, counts: { of, upTo } })).counts

      expect(await counted(10)).toEqual([3, 1, 0, 0])
      expect(await counted(2)).toEqual([2, 1, 0, 0])
      expect(await counted(10, { createdBy: 1 })).toEqual([2, 0, 0, 0])
      expect(await counted(10, { cases: [{ groups }], query: { part: 'summary', id: null } })).toEqual([3, 1, 0, 0])
    })

    test('finds what was committed last', async (storage) => {
      const first = await store(storage)
      const { id } = first.changeRequest
      const query = (part: string) => ({ query: { part, id: null } })
      const inEnvironment = { groups: [{ ...reviewed, scope: 'environment' as const }] }
      expect(await find(storage, {}, query('summary'))).toEqual([id])

      const scoped = update(first)
      const summary = { ...scoped.summary, scope: 'environment' } as const
      await storage.commit({ ...scoped, summary, searchText: 'new', open: false })
      const found = [
        await find(storage, {}),
        await find(storage, inEnvironment),
        await find(storage, inEnvironment, query('new')),
        await find(storage, inEnvironment, query('summary')),
      ]
      expect(found).toEqual([[], [id], [id], []])

      const before = { ...listedBefore(first.changeRequest), scope: 'environment', searchText: 'new' } as const
      await storage.commit({ ...update({ ...first, version: 2 }), before, removed: true })
      expect(await find(storage, inEnvironment)).toEqual([])
      expect(await find(storage, inEnvironment, query('new'))).toEqual([])
    })
  })
}
