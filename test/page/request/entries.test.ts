import type { DiscussionCommentView, EventView } from '../../../src/generated'
import { toEntries } from '../../../src/page/app/screens/request/discussion/entries'

const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`

function event(minute: number, type: string, createdBy = 'ann'): EventView {
  return { id: minute, type, createdAt: at(minute), createdBy } as EventView
}

function comment(minute: number): DiscussionCommentView {
  const createdBy = { id: 1, username: 'Ann', imageUrl: null }
  const untouched = { editedAt: null, deleted: null, resolved: null, may: [] }
  const author = { ...createdBy, kind: 'person', onBehalfOf: null } as const
  return { id: minute, text: 'Go.', createdBy, author, createdAt: at(minute), changeId: null, ...untouched }
}

const shapes = (...[comments, events, filter]: Parameters<typeof toEntries>) =>
  toEntries(comments, events, filter).map((entry) => (entry.kind === 'comment' ? 'comment' : entry.events.length))

describe('comments and history', () => {
  it('stand in the order of time', () => {
    expect(shapes([comment(2)], [event(1, 'a'), event(3, 'b')], 'all')).toEqual([1, 'comment', 1])
  })

  it('tell once what one person did many times in a row', () => {
    const added = [1, 2, 3].map((minute) => event(minute, 'change-added'))
    expect(shapes([], [...added, event(4, 'change-added', 'ben')], 'all')).toEqual([3, 1])
  })

  it('tell each approval for itself', () => {
    const votes = [1, 2].map((minute) => event(minute, 'change-request-approval-added'))
    expect(shapes([], votes, 'all')).toEqual([1, 1])
  })

  it('are parted by something that was said', () => {
    expect(shapes([comment(2)], [event(1, 'change-added'), event(3, 'change-added')], 'all')).toEqual([1, 'comment', 1])
  })

  it.each([
    ['comments', ['comment']],
    ['history', [1]],
  ] as const)('can be %s alone', (filter, expected) => {
    expect(shapes([comment(2)], [event(1, 'a')], filter)).toEqual(expected)
  })
})
