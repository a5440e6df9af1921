import type { EventView, ReviewListItemView, ReviewsView } from '../../../src/generated'
import { changedBy, type PagedList, readPages } from '../../../src/page/app/screens/inbox/pages'

const row = (id: number, more: Partial<ReviewListItemView> = {}) =>
  ({ id, project: 'shop', features: [`flag-${id}`], segments: [], ...more }) as unknown as ReviewListItemView

/** Three pages of two rows each; `asked` lists the cursors that were read. */
function server() {
  const asked: (string | undefined)[] = []
  const rows = [row(6), row(5), row(4), row(3, { segments: ['Beta'] }), row(2), row(1)]
  const read = async (cursor: string | undefined): Promise<{ body: ReviewsView }> => {
    asked.push(cursor)
    const from = cursor === undefined ? 0 : rows.findIndex(({ id }) => `${id}` === cursor) + 1
    const reviews = rows.slice(from, from + 2)
    const last = reviews.at(-1)
    const totals = {
      me: { count: 0, atLeast: false },
      mine: { count: 0, atLeast: false },
      all: { count: 6, atLeast: false },
      toFix: null,
    }
    const next = last === undefined || last === rows.at(-1) ? null : `${last.id}`
    return { body: { reviews, next, totals: cursor === undefined ? totals : null } }
  }
  return { asked, rows, read }
}

const event = (parts: Partial<EventView>) => ({ project: 'shop', data: null, featureName: null, ...parts }) as EventView

async function withAll() {
  const { asked, rows, read } = server()
  const list: PagedList = { pages: [], count: 3, changes: [] }
  await readPages(list, read)
  asked.length = 0
  const again = async (...changes: PagedList['changes']) => {
    list.changes.push(...changes)
    const { body } = await readPages(list, read)
    return {
      asked: asked.splice(0),
      ids: body.reviews.map(({ id }) => id),
      titles: body.reviews.map(({ title }) => title),
      next: body.next,
      total: body.totals?.all.count,
    }
  }
  return { rows, again, list }
}

describe('the pages of the inbox', () => {
  it('are read one after the other, with the totals of the first', async () => {
    const { asked, read } = server()
    const list: PagedList = { pages: [], count: 1, changes: [] }
    expect((await readPages(list, read)).body).toMatchObject({ next: '5', totals: { all: { count: 6 } } })
    list.count++
    const { body } = await readPages(list, read)
    expect([body.reviews.map(({ id }) => id), body.next, body.totals?.all.count]).toEqual([[6, 5, 4, 3], '3', 6])
    expect(asked).toEqual([undefined, undefined, '5'])
  })

  it.each<[string, Partial<EventView>, (string | undefined)[]]>([
    ['of a change request', { data: { changeRequestId: 4 } }, [undefined, '5']],
    ['of a flag', { featureName: 'flag-1' }, [undefined, '3']],
    ['of a flag with the same name elsewhere', { featureName: 'flag-1', project: 'bank' }, [undefined]],
    ['of a segment', { type: 'segment-updated', project: null as never }, [undefined, '5']],
    ['of something else', { featureName: 'other' }, [undefined]],
  ])('are read again if an event %s may have changed them, and the first one', async (_, parts, asked) => {
    const { again } = await withAll()
    expect(await again(changedBy([event(parts)]))).toMatchObject({
      asked,
      ids: [6, 5, 4, 3, 2, 1],
      next: null,
      total: 6,
    })
  })

  it('are read again once, not again for earlier events', async () => {
    const { again } = await withAll()
    expect((await again(({ id }) => id === 1)).asked).toEqual([undefined, '3'])
    expect((await again()).asked).toEqual([undefined])
  })

  it('are read again after a failed read', async () => {
    const { list, again } = await withAll()
    list.changes.push(({ id }) => id === 1)
    await expect(readPages(list, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
    expect((await again()).asked).toEqual([undefined, '3'])
  })

  it('move rows to the next page for a new change request, and back if one is gone', async () => {
    const { rows, again } = await withAll()
    rows.unshift(row(7))
    expect(await again()).toMatchObject({ asked: [undefined], ids: [7, 6, 5, 4, 3, 2, 1] })
    expect(await again(({ id }) => id === 5)).toMatchObject({ asked: [undefined, '6'], ids: [7, 6, 5, 4, 3, 2, 1] })
    rows.splice(0, 2)
    expect(await again()).toMatchObject({ asked: [undefined], ids: [5, 4, 3, 2, 1], next: null })
    rows.splice(0, 1)
    expect(await again(({ id }) => id === 4)).toMatchObject({ ids: [4, 3, 2, 1], next: null })
  })

  it('are read again after an unknown page', async () => {
    const { rows, again } = await withAll()
    rows.unshift(row(12), row(11), row(10), row(9), row(8), row(7))
    expect(await again()).toMatchObject({ asked: [undefined, '11', '9'], ids: [12, 11, 10, 9, 8, 7], next: '7' })
  })

  it('list each change request once, as of the last read', async () => {
    const { rows, again } = await withAll()
    const [last] = rows.splice(5, 1)
    rows.unshift({ ...last, title: 'Waits again' } as ReviewListItemView)
    const { ids, titles } = await again()
    expect(ids).toEqual([1, 6, 5, 4, 3, 2])
    expect(titles[0]).toBe('Waits again')
  })
})
