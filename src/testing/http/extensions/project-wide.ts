import { type Api, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

/** Runs the check with a draft that has a change of the whole project. Skipped if the gateway cannot archive flags. */
function withArchive(check: (api: Api, expect: Parameters<Check>[1], draft: Json) => Promise<void>): Check {
  return async (api, expect) => {
    succeeded(await api.propose())
    const response = await api.propose({ action: 'archiveFeature', feature: api.feature })
    if (response.status === 400) return expect(errorOf(response)).toEqual([400, 'BadDataError'])
    return check(api, expect, succeeded(response).body)
  }
}

/** @see contract 18 */
export const projectWide: RuleGroup = {
  title: 'changes that affect the whole project',
  rules: [
    must(
      'CR-491',
      'show for each change whether it affects the environment or the whole project',
      withArchive(async (api, expect, { id }) => {
        const { changes } = await api.review(id)
        const scopes = changes.map(({ action, scope }: Json) => [action, scope])
        expect(Object.fromEntries(scopes)).toEqual({ updateEnabled: 'environment', archiveFeature: 'project' })
      }),
    ),

    must(
      'CR-492',
      'require only the approvals of its own environment once no change affects the whole project',
      withArchive(async (api, expect, { id, features }) => {
        await api.settings({ changeRequestsEnabled: true, requiredApprovals: 7 })
        succeeded(await api.propose(api.change(1)))
        expect((await api.read(id)).minApprovals >= 7).toBe(true)
        const archive = features[0].changes.find(({ action }: Json) => action === 'archiveFeature')
        succeeded(await api.send('author', 'DELETE', api.path(`${id}/changes/${archive.id}`)))
        expect((await api.read(id)).minApprovals).toBe(1)
      }),
    ),

    must(
      'CR-493',
      'deny an approval with the missing requirements of the review, and name each environment',
      withArchive(async (api, expect, { id }) => {
        succeeded(await api.move('author', id, 'In review'))
        const { steps } = await api.review(id, 'reviewer')
        const { missing } = steps.find(({ step }: Json) => step === 'approve')
        const response = await api.move('reviewer', id, 'Approved')
        if (missing.length === 0) return void succeeded(response)
        expect(errorOf(response)).toEqual([403, 'PermissionError'])
        expect(response.body.details.map(({ message }: Json) => message)).toEqual(
          missing.map(({ message }: Json) => message),
        )
      }),
    ),
  ],
}
