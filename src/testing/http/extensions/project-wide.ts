import { type Check, must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

/** A draft with a change of the whole project. A gateway that cannot archive flags has nothing to show here. */
function withArchive(check: (world: World, expect: Parameters<Check>[1], draft: Json) => Promise<void>): Check {
  return async (world, expect) => {
    granted(await world.propose())
    const answer = await world.propose({ action: 'archiveFeature', feature: world.feature })
    if (answer.status === 400) return expect(refusal(answer)).toEqual([400, 'BadDataError'])
    return check(world, expect, granted(answer).body)
  }
}

const reviewOf = async (world: World, id: number, who: 'author' | 'reviewer' = 'author'): Promise<Json> =>
  granted(await world.get(world.path(`${id}/review`), who)).body

/** @see extensions 7 */
export const projectWide: RuleGroup = {
  title: 'changes of a whole project',
  rules: [
    must(
      'CR-491',
      'show of each change whether it affects the environment or the whole project',
      withArchive(async (world, expect, { id }) => {
        const { changes } = await reviewOf(world, id)
        const scopes = changes.map(({ action, scope }: Json) => [action, scope])
        expect(Object.fromEntries(scopes)).toEqual({ updateEnabled: 'environment', archiveFeature: 'project' })
      }),
    ),

    must(
      'CR-492',
      'need the approvals of the own environment again once no change affects the whole project',
      withArchive(async (world, expect, { id, features }) => {
        await world.settings({ changeRequestsEnabled: true, requiredApprovals: 7 })
        granted(await world.propose(world.change(1)))
        expect((await world.read(id)).minApprovals >= 7).toBe(true)
        const archive = features[0].changes.find(({ action }: Json) => action === 'archiveFeature')
        granted(await world.send('author', 'DELETE', world.path(`${id}/changes/${archive.id}`)))
        expect((await world.read(id)).minApprovals).toBe(1)
      }),
    ),

    must(
      'CR-493',
      'refuse an approval of it with what the review lists, naming each environment',
      withArchive(async (world, expect, { id }) => {
        granted(await world.move('author', id, 'In review'))
        const { steps } = await reviewOf(world, id, 'reviewer')
        const { missing } = steps.find(({ step }: Json) => step === 'approve')
        const answer = await world.move('reviewer', id, 'Approved')
        if (missing.length === 0) return void granted(answer)
        expect(refusal(answer)).toEqual([403, 'PermissionError'])
        expect(answer.body.details.map(({ message }: Json) => message)).toEqual(
          missing.map(({ message }: Json) => message),
        )
      }),
    ),
  ],
}
