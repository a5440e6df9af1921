import { must, type RuleGroup } from '../rule'
import { type Answer, refusal, type World } from '../world'

const body = { context: { appName: 'web' } }

const play = (world: World, who: 'author' | 'reader' | 'admin' | 'nobody', id: number): Promise<Answer> =>
  world.send(who, 'POST', `/playground/change-request/${id}`, { body })

/** @see contract 3.9 */
export const playground: RuleGroup = {
  title: 'the playground',
  rules: [
    must(
      'CR-451',
      'try what is in review or approved, and answer 404 where there is no playground',
      async (world, expect) => {
        const { id } = await world.inReview()
        const { status, body: answer } = await play(world, 'reader', id)
        expect(status).toBe(world.hasPlayground ? 200 : 404)
        expect(typeof answer).toBe('object')
        await world.move('reviewer', id, 'Approved')
        expect((await play(world, 'reader', id)).status).toBe(world.hasPlayground ? 200 : 404)
      },
    ),

    must(
      'CR-452',
      "answer 404 to somebody else's draft, and to what the caller may not read",
      async (world, expect) => {
        const { id } = await world.draft()
        expect(refusal(await play(world, 'admin', id))).toEqual([404, 'NotFoundError'])
        await world.move('author', id, 'In review')
        expect(refusal(await play(world, 'nobody', id))).toEqual([404, 'NotFoundError'])
        expect(refusal(await play(world, 'admin', id + 1_000_000))).toEqual([404, 'NotFoundError'])
      },
    ),

    must('CR-453', 'refuse a draft and what is closed with 409', async (world, expect) => {
      const expected = world.hasPlayground ? [409, 'ConflictError'] : [404, 'NotFoundError']
      for (const state of ['Draft', 'Cancelled', 'Applied']) {
        const { id } = await world.inState(state)
        expect(refusal(await play(world, 'author', id))).toEqual(expected)
        if (state === 'Draft') await world.move('author', id, 'Cancelled')
      }
    }),

    must('CR-454', 'reject a context without appName with 400', async (world, expect) => {
      const path = '/playground/change-request/1'
      for (const wrong of [{}, { context: {} }, { context: { appName: '' } }, { context: { appName: 1 } }]) {
        expect(refusal(await world.send('author', 'POST', path, { body: wrong }))).toEqual([400, 'BadDataError'])
      }
    }),
  ],
}
