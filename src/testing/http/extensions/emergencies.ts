import { type Api, codesOf, errorOf, expectedTrace, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

const reason = 'Customers cannot pay.'

/** If emergencies are disabled, checks that they are rejected with the reason. */
function withEmergencies(check: Check): Check {
  return async (api, expect) => {
    if (api.emergencies) return check(api, expect)
    const { id } = await api.inReview()
    const response = await applyInEmergency(api, id)
    expect([...errorOf(response), response.body.details[0].code]).toEqual([
      409,
      'ConflictError',
      'emergencies-disabled',
    ])
  }
}

/** Applies a change request before its approval. An admin has SKIP_CHANGE_REQUEST. */
function applyInEmergency(api: Api, id: number, who: 'admin' | 'author' | 'reviewer' = 'admin', why = reason) {
  const body = { state: 'Applied', emergency: { reason: why } }
  return api.send(who, 'PUT', api.path(`${id}/state`), { body })
}

function acknowledge(api: Api, id: number, who: 'admin' | 'author' | 'reviewer' | 'reader', body: object = {}) {
  return api.send(who, 'POST', api.path(`${id}/acknowledgement`), { body })
}

async function waiting(api: Api): Promise<number[]> {
  const response = await api.get('/search/change-requests?afterReview=IS:open&limit=1000', 'admin')
  return succeeded(response).body.changeRequests.map(({ id }: Json) => id)
}

const applied = (events: Json[]): Json => events.find(({ type }) => type === 'change-request-applied')?.data

/** @see contract 15 */
export const emergencies: RuleGroup = {
  title: 'emergencies',
  rules: [
    must(
      'CR-441',
      'apply a change request in review, and record the reason and the missing requirements',
      withEmergencies(async (api, expect) => {
        const { id } = await api.inReview({ approvals: 2 })
        succeeded(await api.move('reviewer', id, 'Approved'))
        expect(succeeded(await applyInEmergency(api, id)).body.state).toBe('Applied')
        expect(applied(await api.eventsOf(id)).emergency).toEqual({
          reason,
          missing: [{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 1 }],
        })
      }),
    ),

    must(
      'CR-442',
      'deny an emergency without SKIP_CHANGE_REQUEST, and name the permission',
      withEmergencies(async (api, expect) => {
        const { id } = await api.inReview()
        const response = await applyInEmergency(api, id, 'author')
        expect([...errorOf(response), response.body.permissions]).toEqual([
          403,
          'PermissionError',
          ['SKIP_CHANGE_REQUEST'],
        ])
        expect((await api.read(id)).state).toBe('In review')
      }),
    ),

    must(
      'CR-443',
      'apply as usual if no requirement is missing',
      withEmergencies(async (api, expect) => {
        const { id } = await api.approved()
        const changeRequest = succeeded(await applyInEmergency(api, id)).body
        expect(changeRequest.state).toBe('Applied')
        const data = applied(await api.eventsOf(id))
        expect(data).toEqual({ changeRequestId: id, ...expectedTrace(data, changeRequest) })
        expect((await waiting(api)).includes(id)).toBe(false)
      }),
    ),

    must('CR-444', 'reject a reason that is too short, or with another state, with 400', async (api, expect) => {
      const { id } = await api.inReview()
      expect(errorOf(await applyInEmergency(api, id, 'admin', '  too short '))).toEqual([400, 'BadDataError'])
      const body = { state: 'Approved', emergency: { reason } }
      const other = await api.send('reviewer', 'PUT', api.path(`${id}/state`), { body })
      expect(errorOf(other)).toEqual([400, 'BadDataError'])
      expect((await api.read(id)).state).toBe('In review')
    }),

    must(
      'CR-445',
      'list it until another user has acknowledged it',
      withEmergencies(async (api, expect) => {
        const { id } = await api.inReview()
        succeeded(await applyInEmergency(api, id))
        expect((await waiting(api)).includes(id)).toBe(true)
        const done = succeeded(await acknowledge(api, id, 'reviewer', { comment: 'Fine' })).body
        expect([done.state, done.approvals, done.comments[0].text]).toEqual(['Applied', [], 'Fine'])
        expect((await waiting(api)).includes(id)).toBe(false)
        const { type, data } = (await api.eventsOf(id)).at(-1)
        expect([type, data]).toEqual(['change-request-approval-added', { changeRequestId: id, afterReview: true }])
      }),
    ),

    must(
      'CR-446',
      'deny acknowledging to its author, to the user who applied it, and without permission to approve',
      withEmergencies(async (api, expect) => {
        const { id } = await api.inReview()
        succeeded(await applyInEmergency(api, id))
        for (const [who, code] of [
          ['author', 'own-change-request'],
          ['admin', 'own-change-request'],
          ['reader', 'missing-permission'],
        ] as const) {
          const response = await acknowledge(api, id, who)
          expect([who, response.status, codesOf(response)]).toEqual([who, 403, [code]])
        }
        expect((await waiting(api)).includes(id)).toBe(true)
      }),
    ),

    must(
      'CR-447',
      'accept one acknowledgement, and none if it was applied as usual',
      withEmergencies(async (api, expect) => {
        const emergency = await api.inReview()
        succeeded(await applyInEmergency(api, emergency.id))
        succeeded(await acknowledge(api, emergency.id, 'reviewer'))
        const second = await acknowledge(api, emergency.id, 'reviewer')
        expect([second.status, codesOf(second)]).toEqual([409, ['already-acknowledged']])
        const { id } = await api.inState('Applied')
        const other = await acknowledge(api, id, 'reviewer')
        expect([other.status, codesOf(other)]).toEqual([409, ['wrong-state']])
      }),
    ),
  ],
}
