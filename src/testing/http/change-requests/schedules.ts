import { type Api, errorOf, expectedTrace, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

const hourMs = 60 * 60_000

/** The time in `ms` milliseconds. */
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Checks the rule if the host app has a scheduler. */
const whereScheduled =
  (check: (api: Api, expect: Parameters<Check>[1], runDue: () => Promise<unknown>) => Promise<void>): Check =>
  async (api, expect) => {
    if (api.runDue !== undefined) await check(api, expect, api.runDue)
  }

/** Creates a change request that a reviewer has scheduled. */
async function scheduled(api: Api, scheduledAt = inMs(hourMs)): Promise<Json> {
  const { id } = await api.approved()
  return succeeded(await api.move('reviewer', id, 'Scheduled', { scheduledAt })).body
}

const typesOf = async (api: Api, id: number) => (await api.eventsOf(id)).map(({ type }) => type)

export const schedules: RuleGroup = {
  title: 'schedules',
  rules: [
    must(
      'CR-361',
      'reject a schedule with 409 and the code no-scheduler if no scheduler is configured',
      async (api, expect) => {
        const { id } = await api.approved()
        const response = await api.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(hourMs) })
        const codes = response.body.details?.map(({ code }: Json) => code)
        const off = [409, 'ConflictError', ['no-scheduler']]
        expect([...errorOf(response), codes]).toEqual(api.runDue === undefined ? off : [200, undefined, undefined])
      },
    ),

    must(
      'CR-362',
      'let callers who can apply schedule an approved change request, and log an event',
      whereScheduled(async (api, expect) => {
        const { id } = await api.approved()
        const scheduledAt = inMs(hourMs)
        const { status, body } = await api.move('reviewer', id, 'Scheduled', { scheduledAt })
        expect([status, body.state, body.schedule]).toEqual([200, 'Scheduled', { scheduledAt, status: 'pending' }])
        const [event] = (await api.eventsOf(id)).slice(-1)
        expect([event.type, event.data]).toEqual([
          'change-request-scheduled',
          { changeRequestId: id, scheduledDate: scheduledAt },
        ])
      }),
    ),

    must(
      'CR-363',
      'reject a time in the past with 400, and tolerate clock differences of less than a minute',
      whereScheduled(async (api, expect) => {
        const { id } = await api.approved()
        const late = await api.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(-2 * hourMs) })
        expect(errorOf(late)).toEqual([400, 'BadDataError'])
        expect((await api.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(-20_000) })).status).toBe(200)
      }),
    ),

    must(
      'CR-364',
      'reject scheduling an unapproved change request with 409, and deny it without APPLY_CHANGE_REQUEST with 403',
      whereScheduled(async (api, expect) => {
        const { id } = await api.inReview()
        const sent = { scheduledAt: inMs(hourMs) }
        expect(errorOf(await api.move('reviewer', id, 'Scheduled', sent))).toEqual([409, 'ConflictError'])
        expect(errorOf(await api.move('reader', id, 'Scheduled', sent))).toEqual([403, 'PermissionError'])
      }),
    ),

    must(
      'CR-365',
      'apply a due change request once, and log the events in order',
      whereScheduled(async (api, expect, runDue) => {
        const { id } = await scheduled(api, inMs(-20_000))
        await Promise.all([runDue(), runDue()])
        const changeRequest = await api.read(id)
        expect([changeRequest.state, changeRequest.schedule]).toEqual(['Applied', undefined])
        expect((await typesOf(api, id)).slice(-3)).toEqual([
          'change-request-scheduled',
          'change-request-applied',
          'change-request-scheduled-application-success',
        ])
        const [{ data }] = (await api.eventsOf(id)).slice(-2) as [Json]
        expect(data).toEqual({ changeRequestId: id, scheduled: true, ...expectedTrace(data, changeRequest) })
      }),
    ),

    must(
      'CR-366',
      'apply nothing before its time',
      whereScheduled(async (api, expect, runDue) => {
        const before = await scheduled(api)
        await runDue()
        expect(await api.read(before.id)).toEqual(before)
      }),
    ),

    must(
      'CR-367',
      'accept another time, and applying manually before it',
      whereScheduled(async (api, expect) => {
        const { id } = await scheduled(api)
        const scheduledAt = inMs(2 * hourMs)
        const later = succeeded(await api.move('reviewer2', id, 'Scheduled', { scheduledAt })).body
        expect(later.schedule).toEqual({ scheduledAt, status: 'pending' })
        expect(succeeded(await api.move('reviewer', id, 'Applied')).body.state).toBe('Applied')
        expect((await typesOf(api, id)).slice(-3)).toEqual([
          'change-request-scheduled',
          'change-request-scheduled',
          'change-request-applied',
        ])
      }),
    ),

    must(
      'CR-368',
      'let the author reject a scheduled change request, which removes the schedule',
      whereScheduled(async (api, expect, runDue) => {
        const { id } = await scheduled(api, inMs(-20_000))
        const { state, schedule } = succeeded(await api.move('author', id, 'Rejected')).body
        await runDue()
        expect([state, schedule, (await api.read(id)).state]).toEqual(['Rejected', undefined, 'Rejected'])
      }),
    ),

    must(
      'CR-369',
      'list the scheduled change requests of a flag, and keep their changes unchanged',
      whereScheduled(async (api, expect) => {
        const { id, environment, features } = await scheduled(api)
        const { body } = succeeded(await api.get(api.path(`scheduled?feature=${encodeURIComponent(api.feature)}`)))
        expect(body.filter((item: Json) => item.id === id)).toEqual([{ id, environment }])
        const [{ id: changeId }] = features[0].changes
        const edit = await api.send('author', 'PUT', api.path(`${id}/changes/${changeId}`), {
          body: api.change(1),
        })
        expect(errorOf(edit)).toEqual([409, 'ConflictError'])
      }),
    ),
  ],
}
