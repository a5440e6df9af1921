import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const shown = async (api: Api): Promise<Json> => {
  const { body } = succeeded(await api.get(api.path('config'), 'reader'))
  return body.find(({ environment }: Json) => environment === api.environment)
}

export const settings: RuleGroup = {
  title: 'settings',
  rules: [
    must('CR-701', 'accept changeRequestsEnabled and return changeRequestEnabled', async (api, expect) => {
      const body = { changeRequestsEnabled: true, requiredApprovals: 2 }
      const { status, text } = await api.putSettings('admin', body)
      expect([status, text]).toEqual([204, ''])
      const { type, ...rest } = await shown(api)
      expect(typeof type).toBe('string')
      expect(rest).toEqual({ environment: api.environment, changeRequestEnabled: true, requiredApprovals: 2 })
      const misspelled = await api.putSettings('admin', { changeRequestEnabled: true })
      expect(errorOf(misspelled)).toEqual([400, 'BadDataError'])
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
    }),

    must('CR-702', 'clamp the number of approvals to 1 to 10', async (api, expect) => {
      const seen: number[] = []
      for (const requiredApprovals of [0, 1, 10, 11, 1000]) {
        await api.settings({ changeRequestsEnabled: true, requiredApprovals })
        seen.push((await shown(api)).requiredApprovals)
      }
      expect(seen).toEqual([1, 1, 10, 10, 10])
    }),

    must('CR-704', 'keep the number of approvals if none is sent', async (api, expect) => {
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 4 })
      await api.settings({ changeRequestsEnabled: false })
      expect((await shown(api)).requiredApprovals).toBe(null)
      await api.settings({ changeRequestsEnabled: true })
      expect((await shown(api)).requiredApprovals).toBe(4)
    }),

    must('CR-705', 'use the number of approvals for new change requests', async (api, expect) => {
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 2 })
      expect((await api.draft()).minApprovals).toBe(2)
    }),

    must(
      'CR-706',
      'deny changing settings without PROJECT_CHANGE_REQUEST_WRITE, and name the permission',
      async (api, expect) => {
        const response = await api.putSettings('author', { changeRequestsEnabled: false })
        const { permissions } = response.body
        expect([...errorOf(response), permissions]).toEqual([403, 'PermissionError', ['PROJECT_CHANGE_REQUEST_WRITE']])
        expect((await shown(api)).changeRequestEnabled).toBe(true)
      },
    ),

    must('CR-707', 'reject an invalid number of approvals with 400', async (api, expect) => {
      for (const requiredApprovals of [1.5, -1, '2', true, [2]]) {
        const response = await api.putSettings('admin', { changeRequestsEnabled: true, requiredApprovals })
        expect([requiredApprovals, ...errorOf(response)]).toEqual([requiredApprovals, 400, 'BadDataError'])
      }
    }),

    must('CR-708', 'treat null as no number of approvals, as the settings are returned', async (api, expect) => {
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 4 })
      await api.settings({ changeRequestsEnabled: false })
      const { requiredApprovals } = await shown(api)
      const { status } = await api.putSettings('admin', { changeRequestsEnabled: true, requiredApprovals })
      const { requiredApprovals: kept } = await shown(api)
      expect([requiredApprovals, status, kept]).toEqual([null, 204, 4])
    }),
  ],
}
