import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

async function exported(api: Api, query = '', who: Caller = 'author'): Promise<{ lines: Json[]; trailer: Json }> {
  const { text } = succeeded(await api.get(`/export/change-requests${query}`, who))
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { trailer: lines.pop().trailer, lines }
}

/** @see contract 28 */
export const changeRequestExport: RuleGroup = {
  title: 'the export of change requests',
  rules: [
    must('CR-488', 'have a line for each by id, with its newest event, then a trailer', async (api, expect) => {
      const { id, project } = await api.inState('Applied')
      const { lines, trailer } = await exported(api, `?project=${project}`)
      const ids = lines.map((line) => line.id)
      expect(ids).toEqual([...ids].sort((one, other) => one - other))
      const line = lines.find((one) => one.id === id)
      const events = await api.eventsOf(id)
      expect([line.state, line.ended.state, line.lastEvent]).toEqual(['Applied', 'Applied', events.at(-1).id])
      const filter = { project: [project] }
      expect(trailer).toEqual({ count: ids.length, firstId: ids[0], lastId: ids.at(-1), filter })
    }),

    must('CR-489', 'have no draft, not even of the caller, and continue after an id', async (api, expect) => {
      const { id } = await api.inState('Cancelled')
      const draft = await api.draft()
      const { lines, trailer } = await exported(api, `?after=${id - 1}`)
      expect([lines[0].id, lines.some((line) => line.id === draft.id)]).toEqual([id, false])
      expect((await exported(api, `?after=${trailer.lastId}`)).trailer.count).toBe(0)
    }),

    must('CR-490', 'select by the last change, and reject a malformed time', async (api, expect) => {
      const { id } = await api.inState('Rejected')
      const { lines } = await exported(api, `?after=${id - 1}`)
      const { updatedAt } = lines[0]
      expect((await exported(api, `?changedFrom=${updatedAt}`)).lines.some((line) => line.id === id)).toBe(true)
      expect((await exported(api, `?changedTo=${updatedAt}`)).lines.some((line) => line.id === id)).toBe(false)
      const response = await api.get('/export/change-requests?changedFrom=yesterday')
      expect(errorOf(response)).toEqual([400, 'BadDataError'])
    }),
  ],
}
