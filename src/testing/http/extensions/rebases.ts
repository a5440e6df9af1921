import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'
import { granted, refusal, type World } from '../world'

function rebase(world: World, id: number, who: Caller = 'author', body: object = {}) {
  return world.send(who, 'POST', world.path(`${id}/rebase`), { body })
}

/** @see extensions 5 */
export const rebases: RuleGroup = {
  title: 'diffs and rebases',
  rules: [
    must('CR-461', 'show of each change what it alters, and whether its base is known', async (world, expect) => {
      const { id } = await world.inReview()
      const [change] = granted(await world.get(world.path(`${id}/review`))).body.changes
      expect(typeof change.baseKnown).toBe('boolean')
      expect(Array.isArray(change.fields)).toBe(true)
      expect([change.conflict, change.causedBy]).toEqual([null, null])
    }),

    must('CR-462', 'void all approvals by a rebase, and lead back to review', async (world, expect) => {
      const { id } = await world.approved()
      const { state, approvals } = granted(await rebase(world, id)).body
      expect([state, approvals]).toEqual(['In review', []])
    }),

    must('CR-463', 'let nobody but the author rebase', async (world, expect) => {
      const { id } = await world.inReview()
      expect(refusal(await rebase(world, id, 'admin'))).toEqual([403, 'OperationDeniedError'])
      expect((await world.read(id)).state).toBe('In review')
    }),

    must('CR-464', 'reject a rebase of what is closed', async (world, expect) => {
      const { id } = await world.inState('Cancelled')
      expect(refusal(await rebase(world, id))).toEqual([409, 'ConflictError'])
    }),
  ],
}
