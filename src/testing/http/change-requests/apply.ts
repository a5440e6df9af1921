import { must, type RuleGroup, should } from '../rule'
import { granted, type Json, refusal } from '../world'

export const applying: RuleGroup = {
  title: 'applying',
  rules: [
    must('CR-401', 'apply what is approved for callers with APPLY_CHANGE_REQUEST', async (world, expect) => {
      const { id } = await world.approved()
      const { status, body } = await world.move('reviewer2', id, 'Applied')
      expect([status, body.id, body.state]).toEqual([200, id, 'Applied'])
      expect((await world.read(id)).state).toBe('Applied')
    }),

    must('CR-402', 'apply for the author too', async (world, expect) => {
      const { id } = await world.approved()
      expect(granted(await world.move('author', id, 'Applied')).body.state).toBe('Applied')
    }),

    must('CR-403', 'apply nothing that lacks an approval: 409', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      const half = granted(await world.move('reviewer', id, 'Approved')).body
      expect(refusal(await world.move('reviewer', id, 'Applied'))).toEqual([409, 'ConflictError'])
      expect(await world.read(id)).toEqual(half)
    }),

    should('CR-404', 'say how many approvals of how many there are', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      granted(await world.move('reviewer', id, 'Approved'))
      const { message } = (await world.move('reviewer', id, 'Applied')).body
      expect(/\b1\b.*\b2\b/.test(message)).toBe(true)
    }),

    must('CR-405', 'refuse without APPLY_CHANGE_REQUEST, and name it', async (world, expect) => {
      const { id } = await world.approved()
      const answer = await world.move('reader', id, 'Applied')
      expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['APPLY_CHANGE_REQUEST']])
    }),

    must('CR-406', 'refuse a key without a person', async (world, expect) => {
      const { id } = await world.approved()
      expect(refusal(await world.move('token', id, 'Applied'))).toEqual([403, 'OperationDeniedError'])
      expect((await world.read(id)).state).toBe('Approved')
    }),

    must('CR-407', 'apply once, however many ask at once', async (world, expect) => {
      const { id } = await world.approved()
      const answers = await Promise.all(Array.from({ length: 10 }, () => world.move('reviewer', id, 'Applied')))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
      const types = (await world.eventsOf(id)).map(({ type }) => type)
      expect(types.filter((type) => type === 'change-request-applied').length).toBe(1)
    }),

    must(
      'CR-408',
      'hand over the last switch of a flag alone: on and then off never switches it on',
      async (world, expect) => {
        const switches = [0, 1].map((number) => world.change(number))
        const { id } = granted(await world.propose(switches)).body
        granted(await world.move('author', id, 'In review'))
        granted(await world.move('reviewer', id, 'Approved'))
        granted(await world.move('reviewer', id, 'Applied'))
        expect((await world.flagEventsOf(id)).map(({ type }) => type).includes('feature-environment-enabled')).toBe(
          false,
        )
      },
    ),

    must('CR-409', 'settle nothing where no apply was interrupted: 409', async (world, expect) => {
      for (const state of ['In review', 'Approved', 'Applied']) {
        const { id } = await world.inState(state)
        const before = await world.read(id)
        const answer = await world.send('reviewer', 'POST', world.path(`${id}/settlement`))
        expect([...refusal(answer), answer.body.details[0].code]).toEqual([409, 'ConflictError', 'wrong-state'])
        expect(await world.read(id)).toEqual(before)
        const { body } = granted(await world.get(world.path(`${id}/review`), 'reviewer'))
        expect(body.applying).toBe(null)
        expect(body.steps.find(({ step }: Json) => step === 'settle').missing).toEqual(answer.body.details)
        await world.move('author', id, 'Cancelled')
      }
    }),

    must('CR-410', 'refuse to settle without APPLY_CHANGE_REQUEST, and name it', async (world, expect) => {
      const settle = async (who: 'reader' | 'reviewer', id: number) =>
        world.send(who, 'POST', world.path(`${id}/settlement`))
      expect(refusal(await settle('reviewer', (await world.draft()).id))).toEqual([404, 'NotFoundError'])
      const answer = await settle('reader', (await world.approved()).id)
      expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['APPLY_CHANGE_REQUEST']])
    }),
  ],
}
