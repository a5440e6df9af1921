import { must, type RuleGroup, should } from '../rule'
import type { Caller } from '../wire/host'
import { granted, type Json, refusal, type World } from '../world'

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled'] as const

/** Asks for the state in each of the present ones, as the caller that each of them names. */
async function tryFrom(
  world: World,
  target: string,
  present: readonly (readonly [string, Caller])[],
): Promise<[string, ...unknown[]][]> {
  const seen: [string, ...unknown[]][] = []
  for (const [state, who] of present) {
    const before = await world.inState(state)
    const answer = await world.move(who, before.id, target)
    const untouched = JSON.stringify(await world.read(before.id)) === JSON.stringify(before)
    seen.push([state, ...refusal(answer), untouched])
    await world.move('author', before.id, 'Cancelled')
  }
  return seen
}

const refused = (present: readonly (readonly [string, Caller])[]) =>
  present.map(([state]) => [state, 409, 'ConflictError', true])

/** Every target with the states from which nothing leads there, and who asks. */
const refusals: readonly (readonly [`CR-${number}`, string, readonly (readonly [string, Caller])[]])[] = [
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
    ...refusals.map(([id, target, present]) =>
      must(
        id,
        `lead nowhere from ${present.map(([state]) => state).join(', ')} to ${target}: 409`,
        async (world, expect) => {
          expect(await tryFrom(world, target, present)).toEqual(refused(present))
        },
      ),
    ),

    must('CR-331', 'cancel for the author until it is closed', async (world, expect) => {
      for (const state of ['Draft', 'In review', 'Approved']) {
        const { id } = await world.inState(state)
        const { status, body } = await world.move('author', id, 'Cancelled')
        expect([state, status, body.state]).toEqual([state, 200, 'Cancelled'])
      }
    }),

    must('CR-332', 'cancel for an admin once it was sent to review', async (world, expect) => {
      for (const state of ['In review', 'Approved']) {
        const { id } = await world.inState(state)
        const { status, body } = await world.move('admin', id, 'Cancelled')
        expect([state, status, body.state]).toEqual([state, 200, 'Cancelled'])
      }
    }),

    must('CR-333', 'let no one else cancel, or send to review', async (world, expect) => {
      const { id } = await world.inReview()
      for (const state of ['Cancelled', 'In review']) {
        const answer = await world.move('reviewer', id, state)
        expect([state, answer.status]).toEqual([state, 403])
      }
    }),

    must('CR-334', 'refuse a state that is none of the seven, and a missing one, with 400', async (world, expect) => {
      const { id } = await world.draft()
      const path = world.path(`${id}/state`)
      for (const body of [
        { state: 'Done' },
        { state: 'approved' },
        {},
        { state: 3 },
        { state: 'In review', comment: 3 },
      ]) {
        const answer = await world.send('author', 'PUT', path, { body })
        expect([body, ...refusal(answer)]).toEqual([body, 400, 'BadDataError'])
      }
      expect((await world.read(id)).state).toBe('Draft')
    }),

    must('CR-335', 'refuse a schedule without a time with 400', async (world, expect) => {
      const { id } = await world.approved()
      expect(refusal(await world.move('reviewer', id, 'Scheduled'))).toEqual([400, 'BadDataError'])
    }),

    must('CR-336', 'keep the comment that comes with a state, unless it is blank', async (world, expect) => {
      const { id } = await world.draft()
      granted(await world.move('author', id, 'In review', { comment: '  please look  ' }))
      const { comments } = granted(await world.move('reviewer', id, 'Approved', { comment: '   ' })).body
      expect(comments.map(({ text }: Json) => text)).toEqual(['please look'])
    }),

    must('CR-337', 'keep nothing of a refused request, its comment neither', async (world, expect) => {
      const inReview = await world.inReview()
      await world.move('author', inReview.id, 'Approved', { comment: 'my own' })
      await world.move('reviewer', inReview.id, 'Applied', { comment: 'too early' })
      expect(await world.read(inReview.id)).toEqual(inReview)
    }),

    should('CR-338', 'name both states in a refusal', async (world, expect) => {
      const { id } = await world.inState('Rejected')
      const { message } = (await world.move('reviewer', id, 'Approved')).body
      expect([message.includes('Rejected'), message.includes('Approved')]).toEqual([true, true])
    }),
  ],
}
