import type { EventView } from '../../../src/generated'
import { changedSince, sinceWords } from '../../../src/page/app/words/content/since'

const edited = (before: number, after: number) =>
  ({ type: 'change-edited', preData: { changeId: before }, data: { changeId: after } }) as unknown as EventView

const since = (...input: Parameters<typeof changedSince>) =>
  changedSince(...input).map(({ id, status }) => `${id} ${status}`)

describe('what changed since a user saw it', () => {
  const seen = { 1: 'a', 2: 'b', 3: 'c' }

  it('is compared by id and digest', () => {
    expect(since(seen, seen, [])).toEqual(['1 same', '2 same', '3 same'])
    expect(since(seen, { 1: 'a', 2: 'x', 4: 'd' }, [])).toEqual(['1 same', '2 edited', '4 new', '3 gone'])
  })

  it('follows edits of edits in the log; a rebase that keeps the id is none', () => {
    const events = [edited(1, 4), edited(2, 2), edited(4, 5)]
    expect(since(seen, { 2: 'x', 3: 'c', 5: 'a' }, events)).toEqual(['2 edited', '3 same', '5 same'])
    expect(since(seen, { 2: 'b', 3: 'c' }, events)).toEqual(['2 same', '3 same', '5 gone'])
  })

  it('is counted in words, without what is the same', () => {
    const of = (...statuses: ('same' | 'edited' | 'new' | 'gone')[]) =>
      sinceWords(statuses.map((status, id) => ({ id, status })))
    expect([of(), of('same'), of('gone', 'edited', 'new', 'edited')]).toEqual(['', '', '2 edited, 1 new, 1 removed'])
  })
})
