import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup, should } from '../rule'
import type { Caller } from '../wire/host'

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled'] as const

/** Requests the target state from each of the given states, as the given caller. */
async function moveFromEach(
  api: Api,
  target: string,
  from: readonly (readonly [string, Caller])[],
): Promise<[string, ...unknown[]][]> {
  const seen: [string, ...unknown[]][] = []
  for (const [state, who] of from) {
    const before = await api.inState(state)
    const response = await api.move(who, before.id, target)
    const untouched = JSON.stringify(await api.read(before.id)) === JSON.stringify(before)
    seen.push([state, ...errorOf(response), untouched])
    await api.move('author', before.id, 'Cancelled')
  }
  return seen
}

const rejected = (from: readonly (readonly [string, Caller])[]) =>
  from.map(([state]) => [state, 409, 'ConflictError', true])

/** Each target with the states from which it cannot be reached, and the caller. */
const rejections: readonly (readonly [`CR-${number}`, string, readonly (readonly [string, Caller])[]])[] = [
  ['CR-321', 'Draft', states.map((state) => [state, 'author'] as const)],
  ['CR-322', 'In review', states.slice(1).map((state) => [state, 'author'] as const)],
  ['CR-323', 'Approved', states.slice(2).map((state) => [state, 'reviewer'] as const)],
  ['CR-324', 'Rejected', states.slice(2).map((state) => [state, 'reviewer'] as const)],
  ['CR-325', 'Applied', states.filter((state) => state !== 'Approved').map((state) => [state, 'author'] as const)],
  ['CR-326', 'Cancelled', states.slice(3).map((state) => [state, 'author'] as const)],
]

export const transitions: RuleGroup = {
  title: 'PUT /projects/:projectId/change-requests/:id/state',
  rules: [
    ...rejections.map(([id, target, from]) =>
      must(
        id,
        `reject changing from ${from.map(([state]) => state).join(', ')} to ${target} with 409`,
        async (api, expect) => {
          expect(await moveFromEach(api, target, from)).toEqual(rejected(from))
        },
      ),
    ),

    must('CR-331', 'let the author cancel until the change request is closed', async (api, expect) => {
      for (const state of ['Draft', 'In review', 'Approved']) {
        const { id } = await api.inState(state)
        const { status, body } = await api.move('author', id, 'Cancelled')
        expect([state, status, body.state]).toEqual([state, 200, 'Cancelled'])
      }
    }),

    must('CR-332', 'let an admin cancel after submission', async (api, expect) => {
      for (const state of ['In review', 'Approved']) {
        const { id } = await api.inState(state)
        const { status, body } = await api.move('admin', id, 'Cancelled')
        expect([state, status, body.state]).toEqual([state, 200, 'Cancelled'])
      }
    }),

    must('CR-333', 'let no other caller cancel or submit for review', async (api, expect) => {
      const { id } = await api.inReview()
      for (const state of ['Cancelled', 'In review']) {
        const response = await api.move('reviewer', id, state)
        expect([state, response.status]).toEqual([state, 403])
      }
    }),

    must('CR-334', 'reject an unknown or missing state with 400', async (api, expect) => {
      const { id } = await api.draft()
      const path = api.path(`${id}/state`)
      for (const body of [
        { state: 'Done' },
        { state: 'approved' },
        {},
        { state: 3 },
        { state: 'In review', comment: 3 },
      ]) {
        const response = await api.send('author', 'PUT', path, { body })
        expect([body, ...errorOf(response)]).toEqual([body, 400, 'BadDataError'])
      }
      expect((await api.read(id)).state).toBe('Draft')
    }),

    must('CR-335', 'reject a schedule without a time with 400', async (api, expect) => {
      const { id } = await api.approved()
      expect(errorOf(await api.move('reviewer', id, 'Scheduled'))).toEqual([400, 'BadDataError'])
    }),

    must('CR-336', 'store the comment sent with a state, unless it is blank', async (api, expect) => {
      const { id } = await api.draft()
      succeeded(await api.move('author', id, 'In review', { comment: '  please look  ' }))
      const { comments } = succeeded(await api.move('reviewer', id, 'Approved', { comment: '   ' })).body
      expect(comments.map(({ text }: Json) => text)).toEqual(['please look'])
    }),

    must('CR-337', 'store nothing of a rejected request, including its comment', async (api, expect) => {
      const inReview = await api.inReview()
      await api.move('author', inReview.id, 'Approved', { comment: 'my own' })
      await api.move('reviewer', inReview.id, 'Applied', { comment: 'too early' })
      expect(await api.read(inReview.id)).toEqual(inReview)
    }),

    should('CR-338', 'name both states in the error', async (api, expect) => {
      const { id } = await api.inState('Rejected')
      const { message } = (await api.move('reviewer', id, 'Approved')).body
      expect([message.includes('Rejected'), message.includes('Approved')]).toEqual([true, true])
    }),
  ],
}
