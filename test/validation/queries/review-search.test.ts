import { createQueryReader } from '../../../src/validation/queries/query-reader'
import { parsePlace, parseReviewSearch, parseTimelineStart } from '../../../src/validation/queries/review-search'
import { rejection } from '../rejection'

const queryOf = (query: string) => createQueryReader(new URLSearchParams(query))
const parse = (query: string) => parseReviewSearch(queryOf(query))

const none = {
  needs: 'all',
  project: undefined,
  environment: undefined,
  state: undefined,
  author: undefined,
  feature: undefined,
  requested: undefined,
  query: undefined,
  order: 'newest',
  after: undefined,
  limit: 50,
}

describe('GET /reviews', () => {
  it.each([
    ['', {}],
    ['needs=me&state=In review', { needs: 'me', state: 'In review' }],
    ['project=shop&environment=production', { project: 'shop', environment: 'production' }],
    ['query=check out&limit=100', { query: 'check out', limit: 100 }],
    ['author=7&feature=checkout&requested=me', { author: 7, feature: 'checkout', requested: 'me' }],
    ['order=waiting', { order: 'waiting' }],
    ['order=recent', { order: 'recent' }],
    ['createdFrom=2026-03-01T00:00:00Z', { createdFrom: '2026-03-01T00:00:00.000Z' }],
    ['createdTo=2026-03-02T07:30:00.000Z', { createdTo: '2026-03-02T07:30:00.000Z' }],
    ['cursor=1772625600000-42', { after: { at: '2026-03-04T12:00:00.000Z', id: 42 } }],
  ])('reads %j', (query, expected) => {
    expect(parse(query)).toEqual({ ...none, ...expected })
  })

  it.each([
    ['needs=you', 'needs'],
    ['state=Closed', 'state'],
    ['project=bad name', 'project'],
    ['environment=..', 'environment'],
    ['author=ann', 'author'],
    ['feature=a b', 'feature'],
    ['requested=7', 'requested'],
    ['order=oldest', 'order'],
    ['createdFrom=2026-03-01', 'createdFrom'],
    ['createdTo=2026-02-31T00:00:00Z', 'createdTo'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=', undefined],
    ['cursor=1772625600000', 'cursor'],
    ['cursor=1-2-3', 'cursor'],
    ['cursor=8640000000000001-1', 'cursor'],
    ['cursor=-1-1', 'cursor'],
  ])('%j: the parameter %s is invalid', (query, parameter) => {
    if (parameter === undefined) expect(parse(query)).toEqual(none)
    else expect(rejection(() => parse(query)).details[0]?.path).toBe(`/query/${parameter}`)
  })
})

describe('GET /me', () => {
  it('reads a place', () => {
    expect(parsePlace(queryOf('project=shop'))).toEqual({ project: 'shop', environment: undefined })
    expect(rejection(() => parsePlace(queryOf('project=bad name'))).details[0]?.path).toBe('/query/project')
  })
})

describe('GET .../change-requests/:id/timeline', () => {
  it('reads the id of an event', () => {
    expect([parseTimelineStart(queryOf('')), parseTimelineStart(queryOf('cursor=7'))]).toEqual([0, 7])
    expect(rejection(() => parseTimelineStart(queryOf('cursor=x'))).details[0]?.path).toBe('/query/cursor')
  })
})
