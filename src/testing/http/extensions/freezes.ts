import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

/** Creates an approved change request of the flag that a freeze matches; of any flag if there is no freeze. */
async function approvedInFreeze(api: Api): Promise<Json> {
  const { id } = succeeded(
    await api.propose({ ...api.change(), ...(api.frozen && { feature: api.frozen.feature }) }),
  ).body
  succeeded(await api.move('author', id, 'In review'))
  return succeeded(await api.move('reviewer', id, 'Approved')).body
}

const namesOf = (freezes: Json[]): string[] => freezes.map(({ name }) => name)

const freezesOf = async (api: Api): Promise<Json[]> => succeeded(await api.get(`${api.proposals}/freezes`)).body.freezes

/** @see contract 25.1 */
export const freezes: RuleGroup = {
  title: 'freezes',
  rules: [
    must(
      'CR-496',
      'list the freezes of an environment, and those of a change request in its review',
      async (api, expect) => {
        const names = api.frozen === undefined ? [] : [api.frozen.freeze]
        expect(namesOf(await freezesOf(api))).toEqual(names)
        const { id } = await approvedInFreeze(api)
        const { now, scheduled } = (await api.review(id)).freezes
        expect([namesOf(now), scheduled]).toEqual([names, []])
      },
    ),

    must('CR-497', 'reject applying during a freeze, and name the freeze', async (api, expect) => {
      const { id } = await approvedInFreeze(api)
      const response = await api.move('reviewer', id, 'Applied')
      if (api.frozen === undefined) return expect(succeeded(response).body.state).toBe('Applied')
      expect(errorOf(response)).toEqual([409, 'ConflictError'])
      const [{ code, message }] = response.body.details
      expect([response.body.details.length, code, message.includes(api.frozen.freeze)]).toEqual([1, 'frozen', true])
      expect((await api.read(id)).state).toBe('Approved')
    }),

    must('CR-498', 'apply in an emergency during a freeze, and record the freeze', async (api, expect) => {
      const { id } = await approvedInFreeze(api)
      const body = { state: 'Applied', emergency: { reason: 'Customers cannot pay.' } }
      const response = await api.send('admin', 'PUT', api.path(`${id}/state`), { body })
      if (!api.emergencies) return expect(errorOf(response)).toEqual([409, 'ConflictError'])
      expect(succeeded(response).body.state).toBe('Applied')
      const applied = (await api.eventsOf(id)).find(({ type }) => type === 'change-request-applied')
      const until = (await freezesOf(api))[0]?.until
      const missing = api.frozen && [{ code: 'frozen', name: api.frozen.freeze, until }]
      expect(applied?.data.emergency?.missing).toEqual(missing)
    }),
  ],
}
