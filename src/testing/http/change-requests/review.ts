import { must, type RuleGroup, should } from '../rule'
import { granted, type Json, refusal } from '../world'

const peopleOf = (votes: Json[]): number[] => votes.map(({ createdBy }) => createdBy.id)

export const review: RuleGroup = {
  title: 'votes',
  rules: [
    must('CR-301', 'send a draft to review for its author', async (world, expect) => {
      const { id } = await world.draft()
      const { status, body } = await world.move('author', id, 'In review')
      expect([status, body.state, body.approvals]).toEqual([200, 'In review', []])
    }),

    must('CR-302', 'keep a draft without changes from review with 409', async (world, expect) => {
      const draft = await world.draft()
      granted(
        await world.send('author', 'DELETE', world.path(`${draft.id}/changes/${draft.features[0].changes[0].id}`)),
      )
      expect(refusal(await world.move('author', draft.id, 'In review'))).toEqual([409, 'ConflictError'])
      expect((await world.read(draft.id)).state).toBe('Draft')
    }),

    must('CR-303', 'approve with the last approval that is needed', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      const first = granted(await world.move('reviewer', id, 'Approved')).body
      const second = granted(await world.move('reviewer2', id, 'Approved')).body
      expect([first.state, first.approvals.length]).toEqual(['In review', 1])
      expect([second.state, second.approvals.length]).toEqual(['Approved', 2])
      expect(peopleOf(second.approvals)[0]).toBe(peopleOf(first.approvals)[0])
    }),

    must('CR-304', 'count one approval of a person and refuse the second with 409', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      const once = granted(await world.move('reviewer', id, 'Approved')).body
      expect(refusal(await world.move('reviewer', id, 'Approved'))).toEqual([409, 'ConflictError'])
      expect(await world.read(id)).toEqual(once)
    }),

    must('CR-305', 'count one approval of a person, however many they send at once', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 3 })
      const voters = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'reviewer' : 'reviewer2'))
      const answers = await Promise.all(voters.map((who) => world.move(who as 'reviewer', id, 'Approved')))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, ...Array(8).fill(409)])
      const { state, approvals } = await world.read(id)
      expect([state, new Set(peopleOf(approvals)).size, approvals.length]).toEqual(['In review', 2, 2])
    }),

    must('CR-306', 'let no author vote on their own, whatever they hold', async (world, expect) => {
      const inReview = await world.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const answer = await world.move('author', inReview.id, state)
        expect([state, ...refusal(answer)]).toEqual([state, 403, 'OperationDeniedError'])
      }
      expect(await world.read(inReview.id)).toEqual(inReview)
    }),

    should('CR-307', 'let no admin vote on their own either', async (world, expect) => {
      const { id } = granted(await world.propose(world.change(), 'admin')).body
      granted(await world.move('admin', id, 'In review'))
      expect(refusal(await world.move('admin', id, 'Approved'))).toEqual([403, 'OperationDeniedError'])
    }),

    must('CR-308', 'let an admin vote on what others made', async (world, expect) => {
      const { id } = await world.inReview()
      expect(granted(await world.move('admin', id, 'Approved')).body.state).toBe('Approved')
    }),

    must('CR-309', 'reject for a reviewer and keep the vote', async (world, expect) => {
      const { id } = await world.inReview()
      const { status, body } = await world.move('reviewer', id, 'Rejected')
      expect([status, body.state, body.rejections.length, body.approvals]).toEqual([200, 'Rejected', 1, []])
    }),

    must('CR-310', 'refuse the rejection of somebody who has approved with 409', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      granted(await world.move('reviewer', id, 'Approved'))
      expect(refusal(await world.move('reviewer', id, 'Rejected'))).toEqual([409, 'ConflictError'])
      expect(granted(await world.move('reviewer2', id, 'Rejected')).body.state).toBe('Rejected')
    }),

    must('CR-311', 'refuse votes without APPROVE_CHANGE_REQUEST, and name it', async (world, expect) => {
      const { id } = await world.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const answer = await world.move('reader', id, state)
        const { permissions } = answer.body
        expect([state, ...refusal(answer), permissions]).toEqual([
          state,
          403,
          'PermissionError',
          ['APPROVE_CHANGE_REQUEST'],
        ])
      }
    }),

    must('CR-312', 'refuse votes of a key without a person', async (world, expect) => {
      const inReview = await world.inReview()
      for (const state of ['Approved', 'Rejected']) {
        const answer = await world.move('token', inReview.id, state)
        expect([state, ...refusal(answer)]).toEqual([state, 403, 'OperationDeniedError'])
      }
      expect(await world.read(inReview.id)).toEqual(inReview)
    }),
  ],
}
