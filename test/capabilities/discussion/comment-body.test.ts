import { parseComment } from '../../../src/capabilities/discussion/routes'
import { expectRejected, labelled, rejection } from '../../validation/rejection'

const smile = '🙂'

describe('POST .../change-requests/:id/comments', () => {
  it.each([
    ['a', 'a'],
    ['  Two\nlines\t ', 'Two\nlines'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
    [`\n${smile.repeat(10_000)}\n`, smile.repeat(10_000)],
  ])('accepts a text: %#', (text, expected) => {
    expect(parseComment({ text })).toEqual({ text: expected, changeId: null })
  })

  it.each([7, null])('accepts the change that it is about: %p', (changeId) => {
    expect(parseComment({ text: 'a', changeId })).toEqual({ text: 'a', changeId })
  })

  it.each(
    labelled([
      [{}, '/body/text', 'text is required and missing'],
      [{ text: 'ok', state: 'Approved' }, '/body/state', 'state is not allowed there'],
      [{ text: null }, '/body/text', 'must be string, got null'],
      [{ text: ['a'] }, '/body/text', 'must be string, got ["a"]'],
      [{ text: '' }, '/body/text', 'must have at least 1 character'],
      [{ text: 'ok', changeId: '7' }, '/body/changeId', 'must be integer or null, got "7"'],
      [{ text: 'ok', changeId: 0 }, '/body/changeId', 'must be at least 1, got 0'],
      [{ text: ' \n' }, '/body/text', 'must have 1 to 10000 characters'],
      [{ text: 'x'.repeat(10_001) }, '/body/text', 'must have 1 to 10000 characters'],
      [{ text: smile.repeat(10_001) }, '/body/text', 'must have 1 to 10000 characters'],
    ]),
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseComment, body, path, message)
  })

  it('returns at most 100 characters of what was sent', () => {
    const { details } = rejection(() => parseComment({ text: 'x'.repeat(20_000) }))
    expect(details[0]?.message.length).toBeLessThan(200)
  })
})
