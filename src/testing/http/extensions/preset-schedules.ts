import { type Api, errorOf, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

const scheduling = (api: Api, id: number) => api.path(`${id}/scheduling`)

const setPreset = (api: Api, id: number, body: object = { scheduledAt: 'approval' }) =>
  api.send('reviewer', 'PUT', scheduling(api, id), { body })

/** Checks the rule if the host app has a scheduler. */
const whereScheduled =
  (check: (...[api, expect]: Parameters<Check>) => Promise<void>): Check =>
  async (api, expect) => {
    if (api.runDue !== undefined) await check(api, expect)
  }

/** @see contract 25.2 */
export const presetSchedules: RuleGroup = {
  title: 'preset schedules',
  rules: [
    must(
      'CR-511',
      'schedule in the commit of the last approval, in the name of the user who preset the schedule',
      whereScheduled(async (api, expect) => {
        const id = (await api.inReview()).id
        expect(succeeded(await setPreset(api, id)).body.state).toBe('In review')
        const { presetSchedule } = await api.review(id)
        expect([presetSchedule.scheduledAt, presetSchedule.after, presetSchedule.withdrawn]).toEqual([
          'approval',
          null,
          null,
        ])
        const { body } = succeeded(await api.move('admin', id, 'Approved'))
        expect([body.state, body.schedule.status]).toEqual(['Scheduled', 'pending'])
        const events = (await api.eventsOf(id)).slice(-3)
        expect(events.map(({ type }) => type)).toEqual([
          'change-request-approval-added',
          'change-request-approved',
          'change-request-scheduled',
        ])
        expect(events[2].data).toEqual({
          changeRequestId: id,
          scheduledDate: body.schedule.scheduledAt,
          presetAt: presetSchedule.at,
        })
        expect(events[2].createdByUserId).toBe(presetSchedule.by.id)
        expect((await api.review(id)).presetSchedule).toBe(null)
      }),
    ),

    must(
      'CR-512',
      'end a preset schedule by an edit and by its withdrawal, and name the cause',
      whereScheduled(async (api, expect) => {
        const id = (await api.inReview()).id
        const causeNow = async () => (await api.review(id)).presetSchedule?.withdrawn?.cause
        const withdraw = () => api.send('author', 'DELETE', scheduling(api, id))
        expect((await withdraw()).status).toBe(204)
        succeeded(await setPreset(api, id))
        expect((await withdraw()).status).toBe(204)
        expect(await causeNow()).toBe('user')
        succeeded(await setPreset(api, id))
        expect(await causeNow()).toBe(undefined)
        succeeded(await api.propose(api.change(1)))
        expect(await causeNow()).toBe('edit')
        expect(succeeded(await api.move('reviewer', id, 'Approved')).body.state).toBe('Approved')
      }),
    ),

    must(
      'CR-513',
      'reject a preset schedule of a draft, of the past, of other values, and without APPLY_CHANGE_REQUEST',
      whereScheduled(async (api, expect) => {
        const { id } = succeeded(await api.propose(api.change())).body
        const asked = async (who: 'author' | 'reader') =>
          errorOf(await api.send(who, 'PUT', scheduling(api, id), { body: { scheduledAt: 'approval' } }))
        expect(await asked('author')).toEqual([409, 'ConflictError'])
        succeeded(await api.move('author', id, 'In review'))
        expect(await asked('reader')).toEqual([403, 'PermissionError'])
        const codes = [
          await setPreset(api, id, { scheduledAt: '2020-01-01T00:00:00Z' }),
          await setPreset(api, id, { scheduledAt: 'soon' }),
          await setPreset(api, id, {}),
          await setPreset(api, id, { scheduledAt: 'approval', after: 1 }),
        ].map(errorOf)
        expect(codes).toEqual(Array(4).fill([400, 'BadDataError']))
        succeeded(await api.move('author', id, 'Cancelled'))
        expect(errorOf(await setPreset(api, id))).toEqual([409, 'ConflictError'])
        expect(errorOf(await api.send('author', 'DELETE', scheduling(api, id)))).toEqual([409, 'ConflictError'])
      }),
    ),

    must(
      'CR-514',
      'reject an approval with a digest alone while a preset schedule is in force',
      whereScheduled(async (api, expect) => {
        const id = (await api.inReview()).id
        const { digest } = await api.review(id)
        const { headers } = succeeded(await setPreset(api, id, { scheduledAt: 'approval', digest }))
        const approve = (sent: Record<string, string> = {}) =>
          api.send('reviewer', 'PUT', api.path(`${id}/state`), { body: { state: 'Approved', digest }, headers: sent })
        expect(errorOf(await approve())).toEqual([412, 'PreconditionFailedError'])
        expect(succeeded(await approve({ 'If-Match': headers.get('etag') ?? '' })).body.state).toBe('Scheduled')
      }),
    ),
  ],
}
