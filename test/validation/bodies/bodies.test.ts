import { states } from '../../../src/domain/lifecycle'
import { parseApprovers } from '../../../src/validation/bodies/approvers'
import { parseChange } from '../../../src/validation/bodies/changes'
import { parseComment } from '../../../src/validation/bodies/comment'
import { parseSettings } from '../../../src/validation/bodies/settings'
import { parseStateUpdate } from '../../../src/validation/bodies/state-update'
import { parseTitle } from '../../../src/validation/bodies/title'
import { refusal } from '../refusal'

type Parse = (body: unknown) => unknown

const fixedText = 'The input is not valid; see details for what is wrong with it.'
const smile = '🙂'

function expectRefusal(parse: Parse, body: unknown, path: string, message: string) {
  const error = refusal(() => parse(body))
  expect(error).toMatchObject({ name: 'BadDataError', message: fixedText })
  expect(error.details).toEqual([{ path, message: expect.stringContaining(message) }])
}

type Refusal = readonly [body: unknown, path: string, message: string]

/** What a row is called: its body, short enough to be read. */
const labelled = (rows: readonly Refusal[]) => rows.map((row) => [JSON.stringify(row[0]).slice(0, 80), ...row] as const)

describe.each<[string, Parse]>([
  ['a state', parseStateUpdate],
  ['a title', parseTitle],
  ['a comment', parseComment],
  ['settings', parseSettings],
  ['approvers', parseApprovers],
  ['a change', parseChange],
])('the body with %s', (_, parse) => {
  it.each([[[]], [[{}]], [null], ['text'], [1]])('is an object, not %j', (body) => {
    expectRefusal(parse, body, '/body', 'must be object, got')
  })
})

describe('PUT .../change-requests/:id/state', () => {
  it.each(states.filter((state) => state !== 'Scheduled'))('takes %s', (state) => {
    expect(parseStateUpdate({ state })).toEqual({ state, comment: null, scheduledAt: null, digest: null })
  })

  it('takes Scheduled with a time, past ones too', () => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt: '1999-12-31T23:59:59Z', comment: 'Go' })).toEqual({
      state: 'Scheduled',
      comment: 'Go',
      scheduledAt: '1999-12-31T23:59:59.000Z',
      digest: null,
    })
  })

  it.each([
    ['2030-01-01T00:30:00+01:00', '2029-12-31T23:30:00.000Z'],
    ['2030-01-01t00:00:00.1234567z', '2030-01-01T00:00:00.123Z'],
    ['2028-02-29T00:00:00-12:00', '2028-02-29T12:00:00.000Z'],
  ])('turns the time %s into %s', (scheduledAt, expected) => {
    expect(parseStateUpdate({ state: 'Scheduled', scheduledAt }).scheduledAt).toBe(expected)
  })

  it('ignores what else is in the body, a time for another state too', () => {
    const body = { state: 'Applied', scheduledAt: 'tomorrow', note: { deep: [1] } }
    expect(parseStateUpdate(body)).toEqual({ state: 'Applied', comment: null, scheduledAt: null, digest: null })
  })

  it.each([
    ['', null],
    [' \n\t', null],
    [' Fine\nby me ', 'Fine\nby me'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
    [` ${smile.repeat(10_000)} `, smile.repeat(10_000)],
  ])('trims the comment, and a blank one is none: %#', (comment, expected) => {
    expect(parseStateUpdate({ state: 'Approved', comment }).comment).toBe(expected)
  })

  const allowed =
    'state must be one of "Draft", "In review", "Approved", "Scheduled", "Applied", "Cancelled", "Rejected", got'

  it.each(
    labelled([
      [{}, '/body/state', 'state is required and missing'],
      [{ comment: 1 }, '/body/state', 'state is required and missing'],
      [{ state: 'approved' }, 'state', `${allowed} "approved"`],
      [{ state: 'Closed', comment: 1 }, 'state', `${allowed} "Closed"`],
      [{ state: 'constructor' }, 'state', `${allowed} "constructor"`],
      [{ state: '' }, 'state', `${allowed} ""`],
      [{ state: null }, 'state', `${allowed} null`],
      [{ state: ['Approved'] }, 'state', `${allowed} ["Approved"]`],
      [{ state: 'Approved', comment: null }, '/body/comment', 'must be string, got null'],
      [{ state: 'Approved', comment: 12 }, '/body/comment', 'must be string, got 12'],
      [{ state: 'Approved', comment: 'x'.repeat(10_001) }, '/body/comment', 'must have 1 to 10000 characters'],
      [{ state: 'Scheduled', scheduledAt: '2030-01-01T00:00:00Z', comment: [] }, '/body/comment', 'must be string'],
      [{ state: 'Scheduled' }, '/body/scheduledAt', 'scheduledAt is required and missing'],
      [{ state: 'Scheduled', scheduledAt: null }, '/body/scheduledAt', 'must be string, got null'],
      [{ state: 'Scheduled', scheduledAt: 1893456000000 }, '/body/scheduledAt', 'must be string'],
      [{ state: 'Scheduled', scheduledAt: '2030-01-01' }, '/body/scheduledAt', 'date-time'],
      [{ state: 'Scheduled', scheduledAt: '2030-01-01T00:00:00' }, '/body/scheduledAt', 'date-time'],
      [{ state: 'Scheduled', scheduledAt: '2030-02-30T00:00:00Z' }, '/body/scheduledAt', 'date-time'],
      [{ state: 'Scheduled', scheduledAt: '' }, '/body/scheduledAt', 'date-time'],
    ]),
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseStateUpdate, body, path, message)
  })
})

describe('PUT .../change-requests/:id/title', () => {
  it.each([
    ['a', 'a'],
    ['  Switch on the checkout \n', 'Switch on the checkout'],
    ['x'.repeat(200), 'x'.repeat(200)],
    [`  ${smile.repeat(200)}  `, smile.repeat(200)],
    ['مرحبا', 'مرحبا'],
    ['<b>bold</b>', '<b>bold</b>'],
  ])('takes %j', (title, expected) => {
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
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseTitle, body, path, message)
  })
})

describe('POST .../change-requests/:id/comments', () => {
  it.each([
    ['a', 'a'],
    ['  Two\nlines\t ', 'Two\nlines'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
    [`\n${smile.repeat(10_000)}\n`, smile.repeat(10_000)],
  ])('takes a text: %#', (text, expected) => {
    expect(parseComment({ text })).toBe(expected)
  })

  it.each(
    labelled([
      [{}, '/body/text', 'text is required and missing'],
      [{ text: 'ok', state: 'Approved' }, '/body/state', 'state is not allowed there'],
      [{ text: null }, '/body/text', 'must be string, got null'],
      [{ text: ['a'] }, '/body/text', 'must be string, got ["a"]'],
      [{ text: '' }, '/body/text', 'must have at least 1 character'],
      [{ text: ' \n' }, '/body/text', 'must have 1 to 10000 characters'],
      [{ text: 'x'.repeat(10_001) }, '/body/text', 'must have 1 to 10000 characters'],
      [{ text: smile.repeat(10_001) }, '/body/text', 'must have 1 to 10000 characters'],
    ]),
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseComment, body, path, message)
  })

  it('gives back at most 100 characters of what was sent', () => {
    const { details } = refusal(() => parseComment({ text: 'x'.repeat(20_000) }))
    expect(details[0]?.message.length).toBeLessThan(200)
  })
})

describe('PUT .../change-requests/config', () => {
  it.each([
    [{ changeRequestsEnabled: true }, { changeRequestsEnabled: true, requiredApprovals: null }],
    // As the answer of GET .../config has it where change requests are off.
    [
      { changeRequestsEnabled: true, requiredApprovals: null },
      { changeRequestsEnabled: true, requiredApprovals: null },
    ],
    [
      { changeRequestsEnabled: false, requiredApprovals: 0 },
      { changeRequestsEnabled: false, requiredApprovals: 1 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 1 },
      { changeRequestsEnabled: true, requiredApprovals: 1 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 10 },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 11 },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 2 ** 53 - 1, other: null },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
  ])('takes %j', (body, expected) => {
    expect(parseSettings(body)).toEqual(expected)
  })

  it.each(
    labelled([
      [{}, '/body/changeRequestsEnabled', 'changeRequestsEnabled is required and missing'],
      [{ changeRequestEnabled: true }, '/body/changeRequestsEnabled', 'is required and missing'],
      [{ changeRequestsEnabled: 'true' }, '/body/changeRequestsEnabled', 'must be boolean, got "true"'],
      [{ changeRequestsEnabled: null }, '/body/changeRequestsEnabled', 'must be boolean, got null'],
      [
        { changeRequestsEnabled: true, requiredApprovals: 1.5 },
        '/body/requiredApprovals',
        'must be integer or null, got 1.5',
      ],
      [
        { changeRequestsEnabled: true, requiredApprovals: '2' },
        '/body/requiredApprovals',
        'must be integer or null, got "2"',
      ],
      [{ changeRequestsEnabled: true, requiredApprovals: -1 }, '/body/requiredApprovals', 'must be at least 0'],
      [{ changeRequestsEnabled: true, requiredApprovals: 2 ** 53 }, '/body/requiredApprovals', 'must be at most'],
    ]),
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseSettings, body, path, message)
  })
})

describe('PUT .../change-requests/:id/approvers', () => {
  const people = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it.each([
    [[], []],
    [[7], [7]],
    [
      [3, 1, 3, 2 ** 53 - 1, 1],
      [3, 1, 2 ** 53 - 1],
    ],
    [people(10), people(10)],
    [[...people(10), ...people(10)], people(10)],
    [Array(1000).fill(1), [1]],
  ])('takes the reviewers %j', (reviewers, expected) => {
    expect(parseApprovers({ reviewers, other: 1 })).toEqual(expected)
  })

  it.each(
    labelled([
      [{}, '/body/reviewers', 'reviewers is required and missing'],
      [{ reviewers: null }, '/body/reviewers', 'must be array, got null'],
      [{ reviewers: { 0: 1 } }, '/body/reviewers', 'must be array'],
      [{ reviewers: [1, '2'] }, '/body/reviewers/1', 'must be integer, got "2"'],
      [{ reviewers: [1.5] }, '/body/reviewers/0', 'must be integer, got 1.5'],
      [{ reviewers: [{ id: 1 }] }, '/body/reviewers/0', 'must be integer'],
      [{ reviewers: [0] }, '/body/reviewers/0', 'must be at least 1'],
      [{ reviewers: [2 ** 53] }, '/body/reviewers/0', 'must be at most'],
      [{ reviewers: people(11) }, '/body/reviewers', 'must name at most 10 different users, got 11'],
      [{ reviewers: Array(1001).fill(1) }, '/body/reviewers', 'must have at most 1000 items, got [1,1'],
    ]),
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseApprovers, body, path, message)
  })
})

describe('PUT .../change-requests/:changeRequestId/changes/:changeId', () => {
  const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

  it('takes exactly one change', () => {
    expect(parseChange({ ...change, id: 7 })).toEqual(change)
    expectRefusal(parseChange, [change], '/body', 'must be object, got [{"action":"updateEnabled"')
  })

  it.each(
    labelled([
      [{}, '/body/action', 'action is required and missing'],
      [{ ...change, action: 'enable' }, 'action', 'action must be one of "updateSegment"'],
      [{ ...change, payload: {} }, '/body/payload/enabled', 'enabled is required and missing'],
      [{ ...change, feature: '..' }, '/body/feature', 'must match'],
    ]),
  )('refuses %s', (_, body, path, message) => {
    expectRefusal(parseChange, body, path, message)
  })
})
