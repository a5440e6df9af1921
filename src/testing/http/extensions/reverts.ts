import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'
import { type Answer, granted, type Json, refusal, type World } from '../world'

async function applied(world: World): Promise<number> {
  return (await world.inState('Applied')).id
}

function revert(world: World, id: number, who: Caller = 'author', headers = {}) {
  return world.send(who, 'POST', world.path(`${id}/revert`), { body: {}, headers })
}

/** What a revert would do. A host that records applications alone can take nothing back. */
async function preview(world: World, id: number): Promise<Json> {
  return granted(await world.get(world.path(`${id}/revert`))).body
}

const revertedBy = async (world: World, id: number): Promise<Json> =>
  granted(await world.get(world.path(`${id}/review`))).body.revertedBy

/** @see extensions 6 */
export const reverts: RuleGroup = {
  title: 'reverts',
  rules: [
    must('CR-471', 'show beforehand what a revert proposes, or name what nothing takes back', async (world, expect) => {
      const id = await applied(world)
      const { changes, irreversible } = await preview(world, id)
      const answer = await revert(world, id)
      if (irreversible.length > 0 || changes.length === 0)
        return expect(refusal(answer)).toEqual([409, 'ConflictError'])
      const proposed = granted(answer).body.features.flatMap((group: Json) => group.changes)
      expect(proposed.map(({ action }: Json) => action)).toEqual(changes.map(({ action }: Json) => action))
    }),

    must('CR-472', 'make a draft of the caller, linked both ways', async (world, expect) => {
      const id = await applied(world)
      const answer = await revert(world, id)
      if (answer.status === 409) return expect(await revertedBy(world, id)).toBe(null)
      const draft = granted(answer).body
      expect([draft.state, draft.title]).toEqual(['Draft', `Revert "Change request #${id}"`])
      expect(await revertedBy(world, id)).toBe(draft.id)
      const [created] = await world.eventsOf(draft.id)
      expect([created.type, created.data.reverts]).toEqual(['change-request-created', id])
    }),

    must('CR-473', 'reject a revert while the caller has another change request open there', async (world, expect) => {
      const id = await applied(world)
      await world.draft()
      expect(refusal(await revert(world, id))).toEqual([409, 'ConflictError'])
    }),

    must('CR-474', 'reject a revert of what is not applied', async (world, expect) => {
      const { id } = await world.inReview()
      expect(refusal(await revert(world, id))).toEqual([409, 'ConflictError'])
      expect(refusal(await world.get(world.path(`${id}/revert`)))).toEqual([409, 'ConflictError'])
    }),

    must('CR-475', 'revert once for one Idempotency-Key', async (world, expect) => {
      const id = await applied(world)
      const once = { 'Idempotency-Key': `revert-${id}` }
      const [first, second] = [await revert(world, id, 'author', once), await revert(world, id, 'author', once)]
      const made = ({ status, body }: Answer) => [status, status === 200 ? body.id : body.name]
      expect(made(second)).toEqual(made(first))
    }),
  ],
}
