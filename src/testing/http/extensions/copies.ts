import { type Api, errorOf, type HttpResponse, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

function copy(api: Api, id: number, who: Caller = 'author', headers = {}) {
  return api.send(who, 'POST', api.path(`${id}/copy`), { headers })
}

const stepOf = async (api: Api, id: number) =>
  (await api.review(id)).steps.find(({ step }: { step: string }) => step === 'copy')

/** @see contract 17 */
export const copies: RuleGroup = {
  title: 'copies',
  rules: [
    must('CR-476', 'propose the changes of a closed change request again, as a draft', async (api, expect) => {
      for (const state of ['Cancelled', 'Rejected'] as const) {
        const { id, features } = await api.inState(state)
        const { allowed, missing } = await stepOf(api, id)
        expect([allowed, missing]).toEqual([true, []])
        const draft = succeeded(await copy(api, id)).body
        expect([draft.state, draft.title, draft.approvals]).toEqual(['Draft', `Copy of "Change request #${id}"`, []])
        const proposed = (groups: typeof features) =>
          groups.flatMap(({ name, changes }: { name: string; changes: { action: string }[] }) =>
            changes.map(({ action }) => [name, action]),
          )
        expect(proposed(draft.features)).toEqual(proposed(features))
        const [created] = await api.eventsOf(draft.id)
        expect([created.type, created.data.copies]).toEqual(['change-request-created', id])
        succeeded(await api.send('author', 'DELETE', api.path(`${draft.id}`)))
      }
    }),

    must('CR-477', 'reject a copy while the caller has an open change request there', async (api, expect) => {
      const { id } = await api.inState('Cancelled')
      await api.draft()
      const response = await copy(api, id)
      expect(errorOf(response)).toEqual([409, 'ConflictError'])
      expect(response.body.details[0].code).toBe('other-open-change-request')
    }),

    must('CR-478', 'reject a copy of a change request that is open', async (api, expect) => {
      const { id } = await api.inReview()
      const response = await copy(api, id)
      expect(errorOf(response)).toEqual([409, 'ConflictError'])
      expect(response.body.details[0].code).toBe('wrong-state')
      expect((await stepOf(api, id)).offered).toBe(false)
    }),

    must('CR-479', 'copy once per Idempotency-Key', async (api, expect) => {
      const { id } = await api.inState('Cancelled')
      const once = { 'Idempotency-Key': `copy-${id}` }
      const [first, second] = [await copy(api, id, 'author', once), await copy(api, id, 'author', once)]
      const made = ({ status, body }: HttpResponse) => [status, body.id]
      expect(made(second)).toEqual(made(first))
      expect(first.status).toBe(200)
    }),
  ],
}
