import { parseApprovers, parseComment, parseTitle } from '../../../src/capabilities/discussion/routes'
import { expectRejected, labelled, rejection } from '../../validation/rejection'

const smile = '🙂'
const people = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

it.each([
  [[], []],
  [
    [3, 1, 3, 2 ** 53 - 1, 1],
    [3, 1, 2 ** 53 - 1],
  ],
  [[...people(10), ...people(10)], people(10)],
])('PUT .../approvers accepts the reviewers %j', (reviewers, expected) => {
  expect(parseApprovers({ reviewers, other: 1 })).toEqual(expected)
})

it.each(
  labelled([
    [{}, '/body/reviewers', 'reviewers is required and missing'],
    [{ reviewers: { 0: 1 } }, '/body/reviewers', 'must be array'],
    [{ reviewers: [1, '2'] }, '/body/reviewers/1', 'must be integer, got "2"'],
    [{ reviewers: [0] }, '/body/reviewers/0', 'must be at least 1'],
    [{ reviewers: [2 ** 53] }, '/body/reviewers/0', 'must be at most'],
    [{ reviewers: people(11) }, '/body/reviewers', 'must name at most 10 different users, got 11'],
    [{ reviewers: Array(1001).fill(1) }, '/body/reviewers', 'must have at most 1000 items, got [1,1'],
  ]),
)('PUT .../approvers rejects %s', (_, body, path, message) => {
  expectRejected(parseApprovers, body, path, message)
})

it.each([
  ['  Two\nlines\t ', 'Two\nlines', null],
  ['x'.repeat(10_000), 'x'.repeat(10_000), 7],
  [`\n${smile.repeat(10_000)}\n`, smile.repeat(10_000), null],
])('POST .../comments accepts a text, and the change that it is about: %#', (text, expected, changeId) => {
  expect(parseComment({ text, changeId })).toEqual({ text: expected, changeId })
})

it.each(
  labelled([
    [{}, '/body/text', 'text is required and missing'],
    [{ text: 'ok', state: 'Approved' }, '/body/state', 'state is not allowed there'],
    [{ text: ['a'] }, '/body/text', 'must be string, got ["a"]'],
    [{ text: 'ok', changeId: '7' }, '/body/changeId', 'must be integer or null, got "7"'],
    [{ text: 'ok', changeId: 0 }, '/body/changeId', 'must be at least 1, got 0'],
    [{ text: ' \n' }, '/body/text', 'must have 1 to 10000 characters'],
    [{ text: smile.repeat(10_001) }, '/body/text', 'must have 1 to 10000 characters'],
  ]),
)('POST .../comments rejects %s', (_, body, path, message) => {
  expectRejected(parseComment, body, path, message)
})

it('POST .../comments quotes at most 100 characters of what was sent', () => {
  const { details } = rejection(() => parseComment({ text: 'x'.repeat(20_000) }))
  expect(details[0]?.message.length).toBeLessThan(200)
})

it.each([
  ['  Switch on the checkout \n', 'Switch on the checkout'],
  [`  ${smile.repeat(200)}  `, smile.repeat(200)],
  ['مرحبا', 'مرحبا'],
  ['<b>bold</b>', '<b>bold</b>'],
])('PUT .../title accepts %j', (title, expected) => {
  expect(parseTitle({ title, other: 1 })).toBe(expected)
})

it.each(
  labelled([
    [{}, '/body/title', 'title is required and missing'],
    [{ title: 12 }, '/body/title', 'must be string, got 12'],
    [{ title: ' \n ' }, '/body/title', 'must have 1 to 200 characters'],
    [{ title: smile.repeat(201) }, '/body/title', 'must have 1 to 200 characters'],
    [{ title: 'two\nlines' }, '/body/title', 'the character U+000A is not allowed'],
    [{ title: 'delete\u007Fx' }, '/body/title', 'U+007F'],
    [{ title: 'next\u0085line' }, '/body/title', 'U+0085'],
    [{ title: '\u202Ax' }, '/body/title', 'U+202A'],
    [{ title: 'x\u202Efdp' }, '/body/title', 'U+202E'],
    [{ title: 'x\u2066y' }, '/body/title', 'U+2066'],
    [{ title: 'x\u2069' }, '/body/title', 'U+2069'],
  ]),
)('PUT .../title rejects %s', (_, body, path, message) => {
  expectRejected(parseTitle, body, path, message)
})
