import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

function preview(api: Api, changes: unknown, who: Caller | null = 'author') {
  return api.send(who, 'POST', `${api.proposals}/preview`, { body: { changes } })
}

async function environmentsIn(api: Api, who: Caller): Promise<string[]> {
  const { places } = succeeded(await api.get(`/places?query=${encodeURIComponent(api.project)}`, who)).body
  const own = places.filter(({ project }: Json) => project === api.project)
  return own.flatMap(({ environments }: Json) => environments.map(({ name }: Json) => name))
}

/** @see contract 20 */
export const previews: RuleGroup = {
  title: 'previews and places',
  rules: [
    must('CR-521', 'preview what the review of a new change request would show', async (api, expect) => {
      const changes = [api.change(0), api.change(1)]
      const { body } = succeeded(await preview(api, changes))
      const { id } = succeeded(await api.propose(changes)).body
      const review = await api.review(id)
      const effectOf = ({ action, feature, before, after, fields, conflict }: Json) => {
        return { action, feature, before, after, fields, conflict }
      }
      expect(body.changes.map(effectOf)).toEqual(review.changes.map(effectOf))
      expect(body.changes.map(({ index }: Json) => index)).toEqual([0, 1])
      expect(body.requirements).toEqual(review.requirements)
      expect(body.steps).toEqual(review.steps.filter(({ step }: Json) => step === 'applyInEmergency'))
    }),

    must('CR-522', 'store nothing for a preview', async (api, expect) => {
      const before = succeeded(await api.get(`/events?project=${api.project}`, 'admin')).body
      succeeded(await preview(api, [api.change()]))
      const pending = succeeded(await api.get(api.path('pending'))).body
      expect(pending.filter(({ environment }: Json) => environment === api.environment)).toEqual([])
      expect(succeeded(await api.get(`/events?project=${api.project}`, 'admin')).body).toEqual(before)
    }),

    must('CR-523', 'reject in a preview what a proposal rejects, and name the position', async (api, expect) => {
      const invalid = { ...api.change(), payload: {} }
      const response = await preview(api, [api.change(), invalid])
      expect(errorOf(response)).toEqual(errorOf(await api.propose([api.change(), invalid])))
      expect(response.body.details[0].path).toBe('/body/changes/1/payload/enabled')
      expect(errorOf(await preview(api, []))).toEqual([400, 'BadDataError'])
    }),

    must('CR-524', 'deny a preview to a caller who cannot propose', async (api, expect) => {
      expect(errorOf(await preview(api, [api.change()], 'reviewer'))).toEqual([403, 'PermissionError'])
      expect(errorOf(await preview(api, [api.change()], 'token'))).toEqual([403, 'OperationDeniedError'])
      expect((await preview(api, [api.change()], null)).status).toBe(401)
    }),

    must('CR-525', 'list as places only where the caller can propose', async (api, expect) => {
      await api.draft()
      expect(await environmentsIn(api, 'author')).toEqual([api.environment])
      expect(await environmentsIn(api, 'reader')).toEqual([])
    }),

    must('CR-526', 'offer the action that switches a flag, with its schema', async (api, expect) => {
      const { actions } = succeeded(await api.get(`${api.proposals}/actions`)).body
      const offered = actions.find(({ action }: Json) => action === api.change().action)
      expect([offered.scope, typeof offered.schema]).toEqual(['environment', 'object'])
    }),
  ],
}
