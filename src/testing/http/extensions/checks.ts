import { type Api, codesOf, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

type Who = Parameters<Api['send']>[0]

interface Report {
  readonly who?: Who
  readonly name?: string
  readonly body?: object
}

/** Reports that the check has passed, for the current content. */
async function report(api: Api, id: number, { who = 'reviewer', name, body = {} }: Report = {}) {
  const { digest } = await api.review(id)
  const path = api.path(`${id}/checks/${name ?? api.checked?.check ?? 'ci'}`)
  return api.send(who, 'PUT', path, { body: { status: 'passed', digest, ...body } })
}

async function inReview(api: Api): Promise<number> {
  const { id } = succeeded(
    await api.propose({ ...api.change(), ...(api.checked && { feature: api.checked.feature }) }),
  ).body
  succeeded(await api.move('author', id, 'In review'))
  return id
}

const shown = async (api: Api, id: number) =>
  (await api.review(id)).checks.map(({ name, status, summary }: Json) => [name, status, summary])

/** If the host app has no check, checks that none blocks and that none can be reported. */
function withCheck(check: Check): Check {
  return async (api, expect) => {
    if (api.checked !== undefined) return check(api, expect)
    const { id } = await api.inReview()
    const { checks = [] } = await api.review(id)
    expect([checks, (await report(api, id, { who: 'admin' })).status]).toEqual([[], 404])
  }
}

/** @see contract 24 */
export const checks: RuleGroup = {
  title: 'checks',
  rules: [
    must(
      'CR-541',
      'store a report, show it in the review, and change nothing for an equal one',
      withCheck(async (api, expect) => {
        const id = await inReview(api)
        const name = api.checked?.check
        expect(await shown(api, id)).toEqual([[name, null, null]])
        const body = { summary: ' 3 of 212 failed. ', status: 'failed', url: 'https://ci.example/runs/1' }
        const { headers, body: answer } = succeeded(await report(api, id, { body }))
        expect(answer.checks).toEqual((await api.review(id)).checks)
        expect(await shown(api, id)).toEqual([[name, 'failed', '3 of 212 failed.']])
        const again = succeeded(await report(api, id, { body }))
        expect(again.headers.get('etag')).toBe(headers.get('etag'))
      }),
    ),

    must(
      'CR-542',
      'reject an apply until a required check has passed for the current content',
      withCheck(async (api, expect) => {
        const id = await inReview(api)
        expect(codesOf(await api.move('reviewer', id, 'Applied'))).toEqual(['missing-approvals', 'missing-check'])
        succeeded(await report(api, id))
        succeeded(await api.propose({ ...api.change(), feature: api.checked?.feature }))
        expect(await shown(api, id)).toEqual([[api.checked?.check, null, null]])
        succeeded(await api.move('reviewer', id, 'Approved'))
        const refused = await api.move('reviewer', id, 'Applied')
        expect([errorOf(refused), codesOf(refused)]).toEqual([[409, 'ConflictError'], ['missing-check']])
        succeeded(await report(api, id))
        expect(succeeded(await api.move('reviewer', id, 'Applied')).body.state).toBe('Applied')
        const applied = (await api.eventsOf(id)).find(({ type }) => type === 'change-request-applied')
        expect(applied?.data.checks.map(({ name, status }: Json) => [name, status])).toEqual([
          [api.checked?.check, 'passed'],
        ])
      }),
    ),

    must(
      'CR-543',
      'reject reports of authors, without the permission and without a user id, of other content, and of other checks',
      withCheck(async (api, expect) => {
        const id = await inReview(api)
        const answers = [
          await report(api, id, { who: 'author' }),
          await report(api, id, { who: 'reader' }),
          await report(api, id, { who: 'token' }),
          await report(api, id, { body: { digest: 'sha256:other' } }),
          await report(api, id, { name: 'no-such-check' }),
          await report(api, id, { body: { status: 'skipped' } }),
          await report(api, id, { body: { url: 'http://ci.example' } }),
          await report(api, id, { body: { summary: 'a\u202eb' } }),
          await report(api, id, { body: { note: 'x' } }),
        ]
        expect(answers.map(errorOf)).toEqual([
          [403, 'OperationDeniedError'],
          [403, 'PermissionError'],
          [403, 'OperationDeniedError'],
          [412, 'PreconditionFailedError'],
          [404, 'NotFoundError'],
          ...Array(4).fill([400, 'BadDataError']),
        ])
        succeeded(await api.move('author', id, 'Cancelled'))
        expect(errorOf(await report(api, id))).toEqual([409, 'ConflictError'])
      }),
    ),

    must(
      'CR-544',
      'list what waits for a report of a check',
      withCheck(async (api, expect) => {
        const id = await inReview(api)
        const isListed = async (check: string | undefined): Promise<boolean> => {
          const query = `/reviews?project=${api.project}&check=${check}&limit=100`
          const { reviews, totals } = succeeded(await api.get(query, 'reviewer')).body
          expect(totals).toBe(null)
          return reviews.some((one: Json) => one.id === id)
        }
        expect([await isListed(api.checked?.check), await isListed('no-such-check')]).toEqual([true, false])
        succeeded(await report(api, id, { body: { status: 'pending' } }))
        expect(await isListed(api.checked?.check)).toBe(false)
      }),
    ),
  ],
}
