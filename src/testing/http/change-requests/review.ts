import { errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup, should } from '../rule'

const peopleOf = (votes: Json[]): number[] => votes.map(({ createdBy }) => createdBy.id)

export const review: RuleGroup = {
  title: 'votes',
  rules: [
    must('CR-301', 'let the author submit a draft for review', async (api, expect) => {
      const { id } = await api.draft()
      const { status, body } = await api.move('author', id, 'In review')
      expect([status, body.state, body.approvals]).toEqual([200, 'In review', []])
    }),

    must('CR-302', 'reject submitting a draft without changes with 409', async (api, expect) => {
      const draft = await api.draft()
      succeeded(await api.send('author', 'DELETE', api.path(`${draft.id}/changes/${draft.features[0].changes[0].id}`)))
      expect(errorOf(await api.move('author', draft.id, 'In review'))).toEqual([409, 'ConflictError'])
      expect((await api.read(draft.id)).state).toBe('Draft')
    }),

    must('CR-303', 'change to Approved with the last required approval', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      const first = succeeded(await api.move('reviewer', id, 'Approved')).body
      const second = succeeded(await api.move('reviewer2', id, 'Approved')).body
      expect([first.state, first.approvals.length]).toEqual(['In review', 1])
      expect([second.state, second.approvals.length]).toEqual(['Approved', 2])
      expect(peopleOf(second.approvals)[0]).toBe(peopleOf(first.approvals)[0])
    }),

    must('CR-304', 'count one approval per user and reject a second one with 409', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      const once = succeeded(await api.move('reviewer', id, 'Approved')).body
      expect(errorOf(await api.move('reviewer', id, 'Approved'))).toEqual([409, 'ConflictError'])
      expect(await api.read(id)).toEqual(once)
    }),

    must('CR-305', 'count one approval per user, even if a user sends several concurrently', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 3 })
      const voters = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'reviewer' : 'reviewer2'))
      const responses = await Promise.all(voters.map((who) => api.move(who as 'reviewer', id, 'Approved')))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, ...Array(8).fill(409)])
      const { state, approvals } = await api.read(id)
      expect([state, new Set(peopleOf(approvals)).size, approvals.length]).toEqual(['In review', 2, 2])
    }),

    must('CR-306', "deny votes on the caller's own change request, whatever their permissions", async (api, expect) => {
      const inReview = await api.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const response = await api.move('author', inReview.id, state)
        expect([state, ...errorOf(response)]).toEqual([state, 403, 'OperationDeniedError'])
      }
      expect(await api.read(inReview.id)).toEqual(inReview)
    }),

    should('CR-307', "deny votes on the caller's own change request to admins, too", async (api, expect) => {
      const { id } = succeeded(await api.propose(api.change(), 'admin')).body
      succeeded(await api.move('admin', id, 'In review'))
      expect(errorOf(await api.move('admin', id, 'Approved'))).toEqual([403, 'OperationDeniedError'])
    }),

    must('CR-308', 'let an admin vote on change requests of others', async (api, expect) => {
      const { id } = await api.inReview()
      expect(succeeded(await api.move('admin', id, 'Approved')).body.state).toBe('Approved')
    }),

    must('CR-309', 'let a reviewer reject, and store the vote', async (api, expect) => {
      const { id } = await api.inReview()
      const { status, body } = await api.move('reviewer', id, 'Rejected')
      expect([status, body.state, body.rejections.length, body.approvals]).toEqual([200, 'Rejected', 1, []])
    }),

    must('CR-310', 'reject with 409 the rejection of a reviewer who has approved', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      succeeded(await api.move('reviewer', id, 'Approved'))
      expect(errorOf(await api.move('reviewer', id, 'Rejected'))).toEqual([409, 'ConflictError'])
      expect(succeeded(await api.move('reviewer2', id, 'Rejected')).body.state).toBe('Rejected')
    }),

    must('CR-311', 'deny votes without APPROVE_CHANGE_REQUEST, and name the permission', async (api, expect) => {
      const { id } = await api.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const response = await api.move('reader', id, state)
        const { permissions } = response.body
        expect([state, ...errorOf(response), permissions]).toEqual([
          state,
          403,
          'PermissionError',
          ['APPROVE_CHANGE_REQUEST'],
        ])
      }
    }),

    must('CR-312', 'deny votes with an API key without a user', async (api, expect) => {
      const inReview = await api.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const response = await api.move('token', inReview.id, state)
        expect([state, ...errorOf(response)]).toEqual([state, 403, 'OperationDeniedError'])
      }
      expect(await api.read(inReview.id)).toEqual(inReview)
    }),
  ],
}
