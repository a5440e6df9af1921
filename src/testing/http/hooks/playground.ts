import { type Api, errorOf, type HttpResponse } from '../api'
import { must, type RuleGroup } from '../rule'

const body = { context: { appName: 'web' } }

const play = (api: Api, who: 'author' | 'reader' | 'admin' | 'nobody', id: number): Promise<HttpResponse> =>
  api.send(who, 'POST', `/playground/change-request/${id}`, { body })

/** @see contract 3.9 */
export const playground: RuleGroup = {
  title: 'the playground',
  rules: [
    must(
      'CR-451',
      'evaluate a change request in review or approved, and return 404 without a playground',
      async (api, expect) => {
        const { id } = await api.inReview()
        const { status, body: result } = await play(api, 'reader', id)
        expect(status).toBe(api.hasPlayground ? 200 : 404)
        expect(typeof result).toBe('object')
        await api.move('reviewer', id, 'Approved')
        expect((await play(api, 'reader', id)).status).toBe(api.hasPlayground ? 200 : 404)
      },
    ),

    must(
      'CR-452',
      "return 404 for another user's draft, and for callers without read permission",
      async (api, expect) => {
        const { id } = await api.draft()
        expect(errorOf(await play(api, 'admin', id))).toEqual([404, 'NotFoundError'])
        await api.move('author', id, 'In review')
        expect(errorOf(await play(api, 'nobody', id))).toEqual([404, 'NotFoundError'])
        expect(errorOf(await play(api, 'admin', id + 1_000_000))).toEqual([404, 'NotFoundError'])
      },
    ),

    must('CR-453', 'reject drafts and closed change requests with 409', async (api, expect) => {
      const expected = api.hasPlayground ? [409, 'ConflictError'] : [404, 'NotFoundError']
      for (const state of ['Draft', 'Cancelled', 'Applied']) {
        const { id } = await api.inState(state)
        expect(errorOf(await play(api, 'author', id))).toEqual(expected)
        if (state === 'Draft') await api.move('author', id, 'Cancelled')
      }
    }),

    must('CR-454', 'reject a context without appName with 400', async (api, expect) => {
      const path = '/playground/change-request/1'
      for (const wrong of [{}, { context: {} }, { context: { appName: '' } }, { context: { appName: 1 } }]) {
        expect(errorOf(await api.send('author', 'POST', path, { body: wrong }))).toEqual([400, 'BadDataError'])
      }
    }),
  ],
}
