import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const shown = async (world: World): Promise<Json> => {
  const { body } = granted(await world.get(world.path('config'), 'reader'))
  return body.find(({ environment }: Json) => environment === world.environment)
}

export const settings: RuleGroup = {
  title: 'settings',
  rules: [
    must('CR-701', 'take changeRequestsEnabled and answer changeRequestEnabled', async (world, expect) => {
      const body = { changeRequestsEnabled: true, requiredApprovals: 2 }
      const { status, text } = await world.putSettings('admin', body)
      expect([status, text]).toEqual([200, ''])
      const { type, ...rest } = await shown(world)
      expect(typeof type).toBe('string')
      expect(rest).toEqual({ environment: world.environment, changeRequestEnabled: true, requiredApprovals: 2 })
      const misspelled = await world.putSettings('admin', { changeRequestEnabled: true })
      expect(refusal(misspelled)).toEqual([400, 'BadDataError'])
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
    }),

    must('CR-702', 'bring the number of approvals into 1 to 10', async (world, expect) => {
      const seen: number[] = []
      for (const requiredApprovals of [0, 1, 10, 11, 1000]) {
        await world.settings({ changeRequestsEnabled: true, requiredApprovals })
        seen.push((await shown(world)).requiredApprovals)
      }
      expect(seen).toEqual([1, 1, 10, 10, 10])
    }),

    must('CR-704', 'keep the number of approvals where none is sent', async (world, expect) => {
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 4 })
      await world.settings({ changeRequestsEnabled: false })
      expect((await shown(world)).requiredApprovals).toBe(null)
      await world.settings({ changeRequestsEnabled: true })
      expect((await shown(world)).requiredApprovals).toBe(4)
    }),

    must('CR-705', 'let a new change request need as many approvals', async (world, expect) => {
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 2 })
      expect((await world.draft()).minApprovals).toBe(2)
    }),

    must('CR-706', 'refuse without PROJECT_CHANGE_REQUEST_WRITE, and name it', async (world, expect) => {
      const answer = await world.putSettings('author', { changeRequestsEnabled: false })
      const { permissions } = answer.body
      expect([...refusal(answer), permissions]).toEqual([403, 'PermissionError', ['PROJECT_CHANGE_REQUEST_WRITE']])
      expect((await shown(world)).changeRequestEnabled).toBe(true)
    }),

    must('CR-707', 'refuse what is no number of approvals with 400', async (world, expect) => {
      for (const requiredApprovals of [1.5, -1, '2', true, [2]]) {
        const answer = await world.putSettings('admin', { changeRequestsEnabled: true, requiredApprovals })
        expect([requiredApprovals, ...refusal(answer)]).toEqual([requiredApprovals, 400, 'BadDataError'])
      }
    }),

    must('CR-708', 'take null for no number of approvals, as the settings are answered', async (world, expect) => {
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 4 })
      await world.settings({ changeRequestsEnabled: false })
      const { requiredApprovals } = await shown(world)
      const { status } = await world.putSettings('admin', { changeRequestsEnabled: true, requiredApprovals })
      const { requiredApprovals: kept } = await shown(world)
      expect([requiredApprovals, status, kept]).toEqual([null, 200, 4])
    }),
  ],
}
