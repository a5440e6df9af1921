import { excessOfChanges, excessOfComments, fittingText } from '../../../src/domain/content/size'
import { change, commentOf, later, personOf } from '../support/change-requests'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const comments = (count: number, text = 'é') =>
  Array.from({ length: count }, (_, id) => ({ id, text, createdBy: personOf('ben'), createdAt: later }))
const changes = (count: number, text = 'é') =>
  Array.from({ length: count }, (_, index) => change(index + 1, { payload: { text } }))

describe('excessOfComments(before, after, limits)', () => {
  it.each([
    [9, undefined],
    [10, undefined],
    [
      11,
      'A change request can have at most 10 comments. A text that you send with a step, such as an approval, is still accepted.',
    ],
  ])('%i of 10', (count, refusal) => {
    expect(excessOfComments([], comments(count), { comments: 10, bytes: 10_000 })).toBe(refusal)
  })

  it.each([1, 3])('measures %i comments in bytes of JSON', (count) => {
    const all = comments(count)
    const bytes = bytesOf(all)
    expect(excessOfComments([], all, { comments: 10, bytes })).toBeUndefined()
    expect(excessOfComments([], all, { comments: 10, bytes: bytes - 1 })).toBe(
      `The comments of a change request can have at most ${bytes - 1} bytes as JSON; with this one they have ${bytes}. ` +
        'Shorten it. A text that you send with a step, such as an approval, is still accepted.',
    )
  })

  it('limits the comments of one user to 200', () => {
    const full = comments(200)
    const limits = { comments: 1_000, bytes: 1_000_000 }
    expect(excessOfComments(full.slice(1), full, limits)).toBeUndefined()
    expect(excessOfComments(full, comments(201), limits)).toMatch(
      /^You can have at most 200 comments in a change request/,
    )
    const other = { ...full[0], createdBy: personOf('ann') } as (typeof full)[number]
    expect(excessOfComments(full, [...full, other], limits)).toBeUndefined()
  })

  it('does not count what is deleted', () => {
    const before = comments(1_000).map((one, index) => (index < 801 ? { ...one, text: null } : one))
    const after = [...before, ...comments(1)]
    const bytes = bytesOf(after.filter(({ text }) => text !== null))
    expect(excessOfComments(before, after, { comments: 200, bytes })).toBeUndefined()
    expect(excessOfComments(before, after, { comments: 199, bytes })).toContain('at most 199 comments')
    expect(excessOfComments(before, after, { comments: 200, bytes: bytes - 1 })).toContain(`they have ${bytes}.`)
  })

  it('allows what is neither more nor larger than before', () => {
    const [before, longer] = [comments(3, 'long'), comments(3, 'longer')]
    const limits = { comments: 2, bytes: 1 }
    expect(excessOfComments(before, comments(3, 'less'), limits)).toBeUndefined()
    expect(excessOfComments(before, longer, { ...limits, bytes: bytesOf(longer) })).toBeUndefined()
    expect(excessOfComments(before, longer, limits)).toContain('at most 1 bytes')
  })
})

describe('excessOfChanges(before, after, limits)', () => {
  const wide = { changes: 3, bytes: 10_000, targetsBytes: 10_000 }

  it.each([
    { before: 2, after: 3, refused: false },
    { before: 3, after: 4, refused: true },
    { before: 0, after: 4, refused: true },
    { before: 5, after: 5, refused: false },
    { before: 5, after: 4, refused: false },
  ])('$before -> $after of 3: rejected $refused', ({ before, after, refused }) => {
    expect(excessOfChanges(changes(before), changes(after), wide)).toBe(
      refused
        ? `A change request can have at most 3 changes; this one has ${before}, and ${after - before} more were sent.`
        : undefined,
    )
  })

  it.each([1, 2, 3])('measures %i changes in bytes of JSON, also the second time', (count) => {
    const all = changes(count)
    const bytes = bytesOf(all)
    for (const _ of ['first', 'second']) {
      expect(excessOfChanges([], all, { ...wide, bytes })).toBeUndefined()
      expect(excessOfChanges([], all, { ...wide, bytes: bytes - 1 })).toBe(
        `The changes of a change request can have at most ${bytes - 1} bytes as JSON; these have ${bytes}.`,
      )
    }
  })

  it.each([
    { what: 'shorter', text: 'x', refused: false },
    { what: 'as long', text: 'xx', refused: false },
    { what: 'longer', text: 'xxx', refused: true },
  ])('accepts a change to one that is already too large only if it does not grow: $what', ({ text, refused }) => {
    const narrow = { ...wide, bytes: 10 }
    const refusal = excessOfChanges(changes(2, 'xx'), changes(2, text), narrow)
    expect(refusal !== undefined).toBe(refused)
  })

  it('does not count data that is stored with a change in addition to the proposal', () => {
    const kept = { base: { name: 'x' }, baseHash: 'sha256:x', rebasedAt: later }
    const limits = { ...wide, bytes: bytesOf(changes(3)) }
    expect(
      excessOfChanges(
        [],
        changes(3).map((one) => ({ ...one, ...kept })),
        limits,
      ),
    ).toBeUndefined()
  })

  it.each([
    { what: 'more', before: 2, refused: true },
    { what: 'as large as before', before: 3, refused: false },
  ])('limits the stored base of the changes: $what', ({ before, refused }) => {
    const all = changes(3).map((one) => ({ ...one, base: { name: 'é' } }))
    const targetsBytes = 3 * bytesOf({ name: 'é' })
    expect(excessOfChanges([], all, { ...wide, targetsBytes })).toBeUndefined()
    expect(excessOfChanges(all.slice(0, before), all, { ...wide, targetsBytes: targetsBytes - 1 })).toBe(
      refused
        ? `The targets of the changes can have at most ${targetsBytes - 1} bytes as JSON; these have ` +
            `${targetsBytes}. Use several change requests.`
        : undefined,
    )
  })
})

describe('fittingText(comments, text, limits)', () => {
  const comments = [commentOf(1, 'ben'), { ...commentOf(2, 'cleo'), text: null }]
  const used = Buffer.byteLength(JSON.stringify(comments.slice(0, 1)))
  const within = (text: string | null, room: number) => fittingText(comments, text, { bytesWithSteps: used + room })

  it.each([
    ['a text that fits', 'whole', 5, 'whole'],
    ['one byte too many', 'whole again', 10, 'whol […]'],
    ['characters of several bytes', '😀😀😀😀', 15, '😀😀 […]'],
    ['characters that JSON escapes', '\n\n\n\n\n\n', 11, '\n\n […]'],
    ['no room for a character', 'whole', 3, null],
    ['no room at all', 'whole', -100, null],
    ['no text', null, 100, null],
  ])('%s', (_, text, room, expected) => {
    expect(within(text, room)).toBe(expected)
  })
})
