import { parseApprovers } from '../../../src/capabilities/discussion/routes'
import { expectRejected, labelled } from '../../validation/rejection'

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
  ])('accepts the reviewers %j', (reviewers, expected) => {
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
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseApprovers, body, path, message)
  })
})
