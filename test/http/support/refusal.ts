import type { RawAnswer } from './raw-request'
import { violations } from './schema'

/** Words of SQL, drivers, stack traces and source files, which callers must not see. */
const leaks = /select |insert into|\$1|node_modules|sqlite_|ffcr_|\.[cm]?[jt]s:|stack|\n\s+at /gi

/**
 * Checks the common format of every rejection (contract 11.1).
 *
 * @param sent the input of the caller, which the response can repeat.
 */
export function expectRefusal(answer: RawAnswer, status: number, name: string, sent = ''): void {
  expect([answer.status, answer.body?.name]).toEqual([status, name])
  expect(violations('error', answer.body)).toEqual([])
  expect(answer.body.details.length).toBeGreaterThan(0)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers).not.toHaveProperty('etag')
  expect((answer.text.match(leaks) ?? []).filter((word) => !sent.includes(word))).toEqual([])
}
