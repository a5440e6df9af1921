import type { DiscussionCommentView, EventView } from '../../../src/generated'
import { toEntries } from '../../../src/page/app/words/content/entries'
import type { UnloggedStep } from '../../../src/page/app/words/unlogged-steps'

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

const step = (minute: number): UnloggedStep => {
  return { at: at(minute), person: { id: 2, username: 'Ben', imageUrl: null }, isObjection: true, words: ['objected'] }
}

const shapes = (...[comments, events, filter, steps]: Parameters<typeof toEntries>) =>
  toEntries(comments, events, filter, steps).map((entry) =>
    entry.kind === 'events' ? entry.events.length : entry.kind,
  )

describe('the activity', () => {
  it('is ordered by time', () => {
    expect(shapes([comment(2)], [event(1, 'a'), event(3, 'b')], 'all')).toEqual([1, 'comment', 1])
  })

  it('has one entry for consecutive edits of one user', () => {
    const added = [1, 2, 3].map((minute) => event(minute, 'change-added'))
    expect(shapes([], [...added, event(4, 'change-added', 'ben')], 'all')).toEqual([3, 1])
  })

  it('has an entry for each approval', () => {
    const votes = [1, 2].map((minute) => event(minute, 'change-request-approval-added'))
    expect(shapes([], votes, 'all')).toEqual([1, 1])
  })

  it('has separate entries for edits with a comment between them', () => {
    expect(shapes([comment(2)], [event(1, 'change-added'), event(3, 'change-added')], 'all')).toEqual([1, 'comment', 1])
  })

  it.each([
    ['comments', ['comment']],
    ['history', [1, 'step']],
  ] as const)('can be limited to %s', (filter, expected) => {
    expect(shapes([comment(2)], [event(1, 'a')], filter, [step(3)])).toEqual(expected)
  })
})
