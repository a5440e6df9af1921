import { type Api, errorOf, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

function rebase(api: Api, id: number, who: Caller = 'author', body: object = {}) {
  return api.send(who, 'POST', api.path(`${id}/rebase`), { body })
}

/** @see contract 16 */
export const rebases: RuleGroup = {
  title: 'diffs and rebases',
  rules: [
    must('CR-461', 'show for each change what it changes, and whether its base is known', async (api, expect) => {
      const { id } = await api.inReview()
      const [change] = (await api.review(id)).changes
      expect(typeof change.baseKnown).toBe('boolean')
      expect(Array.isArray(change.fields)).toBe(true)
      expect([change.conflict, change.causedBy]).toEqual([null, null])
    }),

    must('CR-462', 'void all approvals on a rebase, and change back to In review', async (api, expect) => {
      const { id } = await api.approved()
      const { state, approvals } = succeeded(await rebase(api, id)).body
      expect([state, approvals]).toEqual(['In review', []])
    }),

    must('CR-463', 'let only the author rebase', async (api, expect) => {
      const { id } = await api.inReview()
      expect(errorOf(await rebase(api, id, 'admin'))).toEqual([403, 'OperationDeniedError'])
      expect((await api.read(id)).state).toBe('In review')
    }),

    must('CR-464', 'reject a rebase of a closed change request', async (api, expect) => {
      const { id } = await api.inState('Cancelled')
      expect(errorOf(await rebase(api, id))).toEqual([409, 'ConflictError'])
    }),
  ],
}
