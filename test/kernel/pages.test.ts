import { mapPages, readPages } from '../../src/kernel/view/pages'
import type { ListPage } from '../../src/ports/storage/change-requests'
import { collect } from './support/fixture'

/** A list of numbers in pages of a maximum size, with the requests for them. */
function list(count: number, perPage: number) {
  const asked: ListPage[] = []
  const read = async (page: ListPage) => {
    asked.push(page)
    const start = page.after?.id ?? 0
    const size = Math.min(perPage, page.limit, count - start)
    const items = Array.from({ length: size }, (_, index) => start + index + 1)
    const end = start + size
    return { items, next: end < count ? { createdAt: 'then', id: end } : null }
  }
  return { asked, read }
}

const oneMiB = 1024 * 1024

describe('readPages', () => {
  it('reads page after page after the last item, bounded in items and bytes, until none is left', async () => {
    const { asked, read } = list(5, 2)
    expect(await collect(readPages(read))).toEqual([
      { items: [1, 2], last: false },
      { items: [3, 4], last: false },
      { items: [5], last: true },
    ])
    expect(asked).toEqual([
      { limit: 1_000, bytes: oneMiB },
      { after: { createdAt: 'then', id: 2 }, limit: 1_000, bytes: oneMiB },
      { after: { createdAt: 'then', id: 4 }, limit: 1_000, bytes: oneMiB },
    ])
  })

  it('returns one empty page for an empty list', async () => {
    expect(await collect(readPages(list(0, 2).read))).toEqual([{ items: [], last: true }])
  })

  it('ends at the maximum number of items, and requests at most the rest', async () => {
    const { asked, read } = list(9, 2)
    expect(await collect(readPages(read, 3))).toEqual([
      { items: [1, 2], last: false },
      { items: [3], last: true },
    ])
    expect(asked.map(({ limit }) => limit)).toEqual([3, 1])
  })

  it('reads nothing more if the maximum is the end of a page', async () => {
    const { asked, read } = list(9, 2)
    expect(await collect(readPages(read, 2))).toEqual([{ items: [1, 2], last: true }])
    expect(asked).toHaveLength(1)
  })
})

describe('mapPages', () => {
  it('returns the same pages with other items', async () => {
    const pages = readPages(list(3, 2).read)
    const mapped = mapPages(pages, async (items) => items.map(String))
    expect(await collect(mapped)).toEqual([
      { items: ['1', '2'], last: false },
      { items: ['3'], last: true },
    ])
  })
})
