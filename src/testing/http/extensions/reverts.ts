import { type Api, errorOf, type HttpResponse, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

async function applied(api: Api): Promise<number> {
  return (await api.inState('Applied')).id
}

function revert(api: Api, id: number, who: Caller = 'author', headers = {}) {
  return api.send(who, 'POST', api.path(`${id}/revert`), { body: {}, headers })
}

/** Reads the preview of a revert. A host app with `recordOnly` cannot revert anything. */
async function preview(api: Api, id: number): Promise<Json> {
  return succeeded(await api.get(api.path(`${id}/revert`))).body
}

const revertedBy = async (api: Api, id: number): Promise<Json> => (await api.review(id)).revertedBy

/** @see contract 17 */
export const reverts: RuleGroup = {
  title: 'reverts',
  rules: [
    must('CR-471', 'preview the changes of a revert, or name those that cannot be reverted', async (api, expect) => {
      const id = await applied(api)
      const { changes, irreversible } = await preview(api, id)
      const response = await revert(api, id)
      if (irreversible.length > 0 || changes.length === 0)
        return expect(errorOf(response)).toEqual([409, 'ConflictError'])
      const proposed = succeeded(response).body.features.flatMap((group: Json) => group.changes)
      expect(proposed.map(({ action }: Json) => action)).toEqual(changes.map(({ action }: Json) => action))
    }),

    must('CR-472', 'create a draft of the caller, linked in both directions', async (api, expect) => {
      const id = await applied(api)
      const response = await revert(api, id)
      if (response.status === 409) return expect(await revertedBy(api, id)).toBe(null)
      const draft = succeeded(response).body
      expect([draft.state, draft.title]).toEqual(['Draft', `Revert "Change request #${id}"`])
      expect(await revertedBy(api, id)).toBe(draft.id)
      const [created] = await api.eventsOf(draft.id)
      expect([created.type, created.data.reverts]).toEqual(['change-request-created', id])
    }),

    must(
      'CR-473',
      'reject a revert while the caller has another open change request in the environment',
      async (api, expect) => {
        const id = await applied(api)
        await api.draft()
        expect(errorOf(await revert(api, id))).toEqual([409, 'ConflictError'])
      },
    ),

    must('CR-474', 'reject a revert of a change request that is not applied', async (api, expect) => {
      const { id } = await api.inReview()
      expect(errorOf(await revert(api, id))).toEqual([409, 'ConflictError'])
      expect(errorOf(await api.get(api.path(`${id}/revert`)))).toEqual([409, 'ConflictError'])
    }),

    must('CR-475', 'revert once per Idempotency-Key', async (api, expect) => {
      const id = await applied(api)
      const once = { 'Idempotency-Key': `revert-${id}` }
      const [first, second] = [await revert(api, id, 'author', once), await revert(api, id, 'author', once)]
      const made = ({ status, body }: HttpResponse) => [status, status === 200 ? body.id : body.name]
      expect(made(second)).toEqual(made(first))
    }),
  ],
}
