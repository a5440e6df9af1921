import { ClientError } from '../../../src/client'
import { isPassing, toRefusal } from '../../../src/page/app/core/api/answers'

const details = [{ code: 'missing-approvals' as const, message: 'The change request has 1 of 2 approvals.' }]
const refusalOf = (status: number) => toRefusal(new ClientError({ status, name: 'SomeError', message: 'No.', details }))

describe('an error response', () => {
  it.each([
    [401, 'signedOut'],
    [403, 'forbidden'],
    [404, 'gone'],
    [409, 'missing'],
    [412, 'changed'],
    [428, 'changed'],
    [408, 'busy'],
    [429, 'busy'],
    [503, 'busy'],
    [400, 'failed'],
    [500, 'failed'],
  ])('with %d is %s', (status, kind) => {
    expect(refusalOf(status).kind).toBe(kind)
  })

  it.each([
    ['SignInRequired', 0, 'signedOut'],
    ['SignInRequired', 200, 'signedOut'],
    ['UnknownResult', 200, 'unknown'],
    ['HttpError', 200, 'unknown'],
    ['HttpError', 401, 'signedOut'],
    ['HttpError', 403, 'failed'],
    ['HttpError', 404, 'failed'],
    ['HttpError', 409, 'failed'],
    ['HttpError', 412, 'failed'],
    ['HttpError', 413, 'failed'],
    ['HttpError', 500, 'unknown'],
    ['HttpError', 520, 'unknown'],
  ])('that is no response of the router: %s with %d is %s', (name, status, kind) => {
    const refusal = toRefusal(new ClientError({ status, name, message: 'No.' }))
    expect([refusal.kind, isPassing(refusal)]).toEqual([kind, false])
  })

  it('has the missing requirements with the messages of the server', () => {
    expect(refusalOf(409)).toEqual({ kind: 'missing', missing: details })
    expect(refusalOf(403)).toEqual({ kind: 'forbidden', message: 'No.', missing: details })
  })

  it('without details has its message', () => {
    const error = new ClientError({ status: 409, name: 'ConflictError', message: 'It is closed.' })
    expect(toRefusal(error)).toEqual({ kind: 'missing', missing: [{ message: 'It is closed.' }] })
  })
})

describe('no response', () => {
  it('without a network is offline', () => {
    expect(toRefusal(new ClientError({ status: 0, name: 'NetworkError', message: 'Out of reach.' })).kind).toBe(
      'offline',
    )
  })

  it('in time is busy', () => {
    expect(toRefusal(new DOMException('Too late.', 'TimeoutError')).kind).toBe('busy')
  })

  it('is retried, and an error response is not', () => {
    expect([401, 403, 404, 409, 412, 400, 500, 503].map((status) => isPassing(refusalOf(status)))).toEqual([
      ...Array<boolean>(7).fill(false),
      true,
    ])
  })

  it('because of an error in the page is a failure', () => {
    expect(toRefusal(new Error('Oops.'))).toEqual({ kind: 'failed', message: 'Oops.', missing: [] })
  })
})
