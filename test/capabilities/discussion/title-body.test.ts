import { parseTitle } from '../../../src/capabilities/discussion/routes'
import { expectRejected, labelled } from '../../validation/rejection'

const smile = '🙂'

describe('PUT .../change-requests/:id/title', () => {
  it.each([
    ['a', 'a'],
    ['  Switch on the checkout \n', 'Switch on the checkout'],
    ['x'.repeat(200), 'x'.repeat(200)],
    [`  ${smile.repeat(200)}  `, smile.repeat(200)],
    ['مرحبا', 'مرحبا'],
    ['<b>bold</b>', '<b>bold</b>'],
  ])('accepts %j', (title, expected) => {
    expect(parseTitle({ title, other: 1 })).toBe(expected)
  })

  it.each(
    labelled([
      [{}, '/body/title', 'title is required and missing'],
      [{ title: null }, '/body/title', 'must be string, got null'],
      [{ title: 12 }, '/body/title', 'must be string, got 12'],
      [{ title: '' }, '/body/title', 'must have at least 1 character'],
      [{ title: ' \n ' }, '/body/title', 'must have 1 to 200 characters'],
      [{ title: 'x'.repeat(201) }, '/body/title', 'must have 1 to 200 characters'],
      [{ title: smile.repeat(201) }, '/body/title', 'must have 1 to 200 characters'],
      [{ title: 'two\nlines' }, '/body/title', 'the character U+000A is not allowed'],
      [{ title: 'bell \u0007 x' }, '/body/title', 'U+0007'],
      [{ title: 'delete\u007Fx' }, '/body/title', 'U+007F'],
      [{ title: 'next\u0085line' }, '/body/title', 'U+0085'],
      [{ title: '\u202Ax' }, '/body/title', 'U+202A'],
      [{ title: 'x\u202Efdp' }, '/body/title', 'U+202E'],
      [{ title: 'x\u2066y' }, '/body/title', 'U+2066'],
      [{ title: 'x\u2069' }, '/body/title', 'U+2069'],
    ]),
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseTitle, body, path, message)
  })
})
