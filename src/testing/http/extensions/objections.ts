import { type Api, codesOf, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

const text = 'The load test still fails.'
const reason = 'The load test passes since noon.'

type Who = Parameters<Api['send']>[0]

const object = (api: Api, id: number, who: Who = 'reviewer', body: object = { text }) =>
  api.send(who, 'PUT', api.path(`${id}/objection`), { body })
const lift = (api: Api, id: number, who: Who = 'reviewer') => api.send(who, 'DELETE', api.path(`${id}/objection`))
const dismiss = (api: Api, id: number, who: Who = 'admin', objectionId = 1, body: object = { reason }) =>
  api.send(who, 'POST', api.path(`${id}/objections/${objectionId}/dismissal`), { body })
const takeBack = (api: Api, id: number, who: Who = 'reviewer') => api.send(who, 'DELETE', api.path(`${id}/approval`))

/** The first objection. */
async function shown(api: Api, id: number): Promise<unknown[]> {
  const [first] = (await api.review(id)).objections
  return [first.id, first.text, first.outdated, first.ended]
}

async function ending(api: Api, id: number): Promise<[string, string | null]> {
  const { how, reason } = (await api.review(id)).objections[0].ended
  return [how, reason]
}

/** If the option is off, checks that the routes do not exist and that the review has no such fields and steps. */
function withObjections(check: Check): Check {
  return async (api, expect) => {
    if (api.objections) return check(api, expect)
    const { id } = await api.inReview()
    const responses = [object(api, id), lift(api, id), dismiss(api, id), takeBack(api, id)]
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const { objections, copiedFrom, steps } = await api.review(id)
    expect([objections, copiedFrom, steps.some(({ step }: Json) => step === 'object')]).toEqual([
      undefined,
      undefined,
      false,
    ])
  }
}

/** @see extensions 17 */
export const objections: RuleGroup = {
  title: 'objections, and approvals taken back',
  rules: [
    must(
      'CR-531',
      'block applying by an objection until the user lifts it, and show it in the review',
      withObjections(async (api, expect) => {
        const { id } = await api.inReview()
        succeeded(await api.move('reviewer2', id, 'Approved'))
        const objected = await object(api, id)
        expect([objected.status, objected.headers.get('etag') === null]).toEqual([204, false])
        const blocked = await api.move('reviewer2', id, 'Applied')
        expect([...errorOf(blocked), codesOf(blocked)]).toEqual([409, 'ConflictError', ['objection']])
        expect(await shown(api, id)).toEqual([1, text, false, null])
        expect((await lift(api, id)).status).toBe(204)
        expect(await ending(api, id)).toEqual(['lifted', null])
        expect(codesOf(await lift(api, id))).toEqual(['wrong-state'])
        succeeded(await api.move('reviewer2', id, 'Applied'))
        const events = await api.eventsOf(id)
        const applied = events.find(({ type }) => type === 'change-request-applied')
        expect(applied.data.objections.map(({ how }: Json) => how)).toEqual(['lifted'])
      }),
    ),

    must(
      'CR-532',
      'remove the approval of a user who objects, and end the objection by an approval that names a revision',
      withObjections(async (api, expect) => {
        const { id } = await api.inReview()
        succeeded(await api.move('reviewer', id, 'Approved'))
        expect((await object(api, id)).status).toBe(204)
        const { state, voidedApprovals, digest } = await api.review(id)
        expect([state, voidedApprovals[0].cause]).toEqual(['In review', 'objected'])
        const sent = (await api.eventsOf(id)).at(-1)
        expect([sent.type, sent.data]).toEqual([
          'change-request-sent-to-review',
          { changeRequestId: id, takenBack: true },
        ])
        expect(errorOf(await api.move('reviewer', id, 'Approved'))).toEqual([428, 'PreconditionRequiredError'])
        const approval = { body: { state: 'Approved', digest } }
        expect(succeeded(await api.send('reviewer', 'PUT', api.path(`${id}/state`), approval)).body.state).toBe(
          'Approved',
        )
        expect((await api.review(id)).objections[0].ended.how).toBe('approved')
      }),
    ),

    must(
      'CR-533',
      'let an ADMIN dismiss the objection of another user with a reason, once',
      withObjections(async (api, expect) => {
        const { id } = await api.inReview()
        await object(api, id)
        expect(errorOf(await dismiss(api, id, 'reviewer2'))).toEqual([403, 'PermissionError'])
        expect(errorOf(await dismiss(api, id, 'admin', 2))).toEqual([404, 'NotFoundError'])
        expect(errorOf(await dismiss(api, id, 'admin', 1, { reason: 'short' }))).toEqual([400, 'BadDataError'])
        expect((await dismiss(api, id)).status).toBe(204)
        expect(await ending(api, id)).toEqual(['dismissed', reason])
        expect(errorOf(await dismiss(api, id))).toEqual([409, 'ConflictError'])
      }),
    ),

    must(
      'CR-534',
      'remove an approval that its user takes back, and return what then lacks approvals to review',
      withObjections(async (api, expect) => {
        const { id } = await api.inReview()
        expect(codesOf(await takeBack(api, id))).toEqual(['wrong-state'])
        succeeded(await api.move('reviewer', id, 'Approved'))
        expect((await takeBack(api, id)).status).toBe(204)
        const { state, voidedApprovals } = await api.review(id)
        expect([state, voidedApprovals[0].cause]).toEqual(['In review', 'taken-back'])
        succeeded(await api.move('author', id, 'Cancelled'))
        const cancelled = (await api.eventsOf(id)).at(-1)
        expect(cancelled.data.takenBack.map(({ by }: Json) => by.id)).toEqual([voidedApprovals[0].by.id])
      }),
    ),

    must(
      'CR-535',
      'reject an objection to a draft and to a closed change request, without a text, and without APPROVE_CHANGE_REQUEST',
      withObjections(async (api, expect) => {
        const { id } = succeeded(await api.propose(api.change())).body
        expect(errorOf(await object(api, id, 'author'))).toEqual([409, 'ConflictError'])
        succeeded(await api.move('author', id, 'In review'))
        expect(errorOf(await object(api, id, 'reader'))).toEqual([403, 'PermissionError'])
        for (const body of [{}, { text: ' ' }, { text, more: 1 }, { text: 1 }]) {
          expect(errorOf(await object(api, id, 'reviewer', body))).toEqual([400, 'BadDataError'])
        }
        succeeded(await api.move('author', id, 'Cancelled'))
        expect(errorOf(await object(api, id))).toEqual([409, 'ConflictError'])
      }),
    ),
  ],
}
