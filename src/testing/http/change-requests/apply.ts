import { codesOf, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup, should } from '../rule'

export const applying: RuleGroup = {
  title: 'applying',
  rules: [
    must('CR-401', 'apply an approved change request for callers with APPLY_CHANGE_REQUEST', async (api, expect) => {
      const { id } = await api.approved()
      const { status, body } = await api.move('reviewer2', id, 'Applied')
      expect([status, body.id, body.state]).toEqual([200, id, 'Applied'])
      expect((await api.read(id)).state).toBe('Applied')
    }),

    must('CR-402', 'let the author apply, too', async (api, expect) => {
      const { id } = await api.approved()
      expect(succeeded(await api.move('author', id, 'Applied')).body.state).toBe('Applied')
    }),

    must('CR-403', 'reject applying with 409 while an approval is missing', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      const half = succeeded(await api.move('reviewer', id, 'Approved')).body
      expect(errorOf(await api.move('reviewer', id, 'Applied'))).toEqual([409, 'ConflictError'])
      expect(await api.read(id)).toEqual(half)
    }),

    should('CR-404', 'state how many of the required approvals there are', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      succeeded(await api.move('reviewer', id, 'Approved'))
      const { message } = (await api.move('reviewer', id, 'Applied')).body
      expect(/\b1\b.*\b2\b/.test(message)).toBe(true)
    }),

    must('CR-405', 'deny applying without APPLY_CHANGE_REQUEST, and name the permission', async (api, expect) => {
      const { id } = await api.approved()
      const response = await api.move('reader', id, 'Applied')
      expect([...errorOf(response), response.body.permissions]).toEqual([
        403,
        'PermissionError',
        ['APPLY_CHANGE_REQUEST'],
      ])
    }),

    must('CR-406', 'deny applying with an API key without a user', async (api, expect) => {
      const { id } = await api.approved()
      expect(errorOf(await api.move('token', id, 'Applied'))).toEqual([403, 'OperationDeniedError'])
      expect((await api.read(id)).state).toBe('Approved')
    }),

    must('CR-407', 'apply once when several callers apply concurrently', async (api, expect) => {
      const { id } = await api.approved()
      const responses = await Promise.all(Array.from({ length: 10 }, () => api.move('reviewer', id, 'Applied')))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
      const types = (await api.eventsOf(id)).map(({ type }) => type)
      expect(types.filter((type) => type === 'change-request-applied').length).toBe(1)
    }),

    must(
      'CR-408',
      'apply only the last switch of a flag: on and then off never switches it on',
      async (api, expect) => {
        const switches = [0, 1].map((number) => api.change(number))
        const { id } = succeeded(await api.propose(switches)).body
        succeeded(await api.move('author', id, 'In review'))
        succeeded(await api.move('reviewer', id, 'Approved'))
        succeeded(await api.move('reviewer', id, 'Applied'))
        expect((await api.flagEventsOf(id)).map(({ type }) => type).includes('feature-environment-enabled')).toBe(false)
      },
    ),

    must('CR-409', 'reject settling with 409 if no apply attempt was interrupted', async (api, expect) => {
      for (const state of ['In review', 'Approved', 'Applied']) {
        const { id } = await api.inState(state)
        const before = await api.read(id)
        const response = await api.send('reviewer', 'POST', api.path(`${id}/settlement`))
        expect([...errorOf(response), ...codesOf(response)]).toEqual([409, 'ConflictError', 'wrong-state'])
        expect(await api.read(id)).toEqual(before)
        const { applying, steps } = await api.review(id, 'reviewer')
        expect(applying).toBe(null)
        expect(steps.find(({ step }: Json) => step === 'settle').missing).toEqual(response.body.details)
        await api.move('author', id, 'Cancelled')
      }
    }),

    must('CR-410', 'deny settling without APPLY_CHANGE_REQUEST, and name the permission', async (api, expect) => {
      const settle = async (who: 'reader' | 'reviewer', id: number) =>
        api.send(who, 'POST', api.path(`${id}/settlement`))
      expect(errorOf(await settle('reviewer', (await api.draft()).id))).toEqual([404, 'NotFoundError'])
      const response = await settle('reader', (await api.approved()).id)
      expect([...errorOf(response), response.body.permissions]).toEqual([
        403,
        'PermissionError',
        ['APPLY_CHANGE_REQUEST'],
      ])
    }),
  ],
}
