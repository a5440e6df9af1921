import { parseChangeRequestSearch } from '../../../src/validation/queries/change-request-search'
import { createQueryReader } from '../../../src/validation/queries/query-reader'
import { rejection } from '../rejection'

const search = (query: Record<string, string>) =>
  parseChangeRequestSearch(createQueryReader(new URLSearchParams(query)))

const highest = '9007199254740991'

describe('GET /api/admin/search/change-requests', () => {
  const everything = {
    createdBy: null,
    requestedApproverId: null,
    state: null,
    afterReview: false,
    offset: 0,
    limit: 50,
  }

  it.each([
    [{}, {}],
    [{ createdBy: '', limit: '' }, {}],
    [{ createdBy: 'IS:7' }, { createdBy: 7 }],
    [{ createdBy: 'IS:0' }, { createdBy: 0 }],
    [{ createdBy: `IS:${highest}` }, { createdBy: 2 ** 53 - 1 }],
    [{ requestedApproverId: 'IS:12' }, { requestedApproverId: 12 }],
    [{ state: 'IS:open' }, { state: 'open' }],
    [{ state: 'IS:closed' }, { state: 'closed' }],
    [{ afterReview: 'IS:open' }, { afterReview: true }],
    [{ offset: '0' }, {}],
    [{ offset: highest }, { offset: 2 ** 53 - 1 }],
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '1000' }, { limit: 1000 }],
    [
      { createdBy: 'IS:1', requestedApproverId: 'IS:2', state: 'IS:open', offset: '20', limit: '10' },
      { createdBy: 1, requestedApproverId: 2, state: 'open', offset: 20, limit: 10 },
    ],
  ])('with %j filters by %j', (values, expected) => {
    expect(search(values)).toEqual({ ...everything, ...expected })
  })

  const person = 'must be IS: and the id of a user'
  const state = 'must be IS:open or IS:closed'
  const offset = `must be a whole number from 0 to ${highest}`
  const limit = 'must be a whole number from 1 to 1000'

  it.each([
    ['createdBy', '7', person],
    ['createdBy', 'IS:', person],
    ['createdBy', 'IS:-42', person],
    ['createdBy', 'IS: 7', person],
    ['createdBy', 'IS:07', person],
    ['createdBy', 'IS:7,8', person],
    ['createdBy', 'is:7', person],
    ['createdBy', 'IS_ANY_OF:7', person],
    ['createdBy', 'IS:9007199254740992', person],
    ['requestedApproverId', 'IS:ann', person],
    ['state', 'open', state],
    ['state', 'IS:Open', state],
    ['state', 'IS:Draft', state],
    ['state', 'IS:open,closed', state],
    ['offset', '-1', offset],
    ['offset', '1.5', offset],
    ['offset', 'ten', offset],
    ['offset', '9007199254740992', offset],
    ['limit', '0', limit],
    ['limit', '1001', limit],
    ['limit', '1e2', limit],
  ])('rejects %s=%j', (parameter, value, message) => {
    const error = rejection(() => search({ [parameter]: value }))
    expect(error.name).toBe('BadDataError')
    const got = `${message}, got ${JSON.stringify(value)}`
    expect(error.details).toEqual([{ path: `/query/${parameter}`, message: got }])
  })

  it('names the first invalid parameter', () => {
    const error = rejection(() => search({ limit: 'x', state: 'x' }))
    expect(error.details.map(({ path }) => path)).toEqual(['/query/state'])
  })
})
