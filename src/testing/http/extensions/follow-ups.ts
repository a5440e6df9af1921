import { type Api, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

const minuteMs = 60_000

/** The time in `ms` milliseconds. */
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Checks the rule if the host app has a scheduler. */
const whereScheduled =
  (check: (api: Api, expect: Parameters<Check>[1], runDue: () => Promise<unknown>) => Promise<void>): Check =>
  async (api, expect) => {
    if (api.runDue !== undefined) await check(api, expect, api.runDue)
  }

const plan = async (api: Api, when: object) => {
  const { id } = await api.approved()
  return api.move('reviewer', id, 'Scheduled', when)
}

const planned = async (api: Api, when: object): Promise<Json> => succeeded(await plan(api, when)).body

const reviewOf = async (api: Api, id: number): Promise<Json> => succeeded(await api.get(api.path(`${id}/review`))).body

/** @see contract 25.3 */
export const followUps: RuleGroup = {
  title: 'schedules that follow others',
  rules: [
    must(
      'CR-551',
      'let a schedule follow a pending one of the same flag, and apply it after that',
      whereScheduled(async (api, expect, runDue) => {
        const first = await planned(api, { scheduledAt: inMs(-20_000) })
        const next = await planned(api, { scheduledAt: inMs(-10_000), after: first.id })
        const { follows } = await reviewOf(api, next.id)
        expect([follows.id, follows.status, follows.minutesAfter]).toEqual([first.id, 'pending', null])
        expect((await reviewOf(api, first.id)).followedBy.map(({ id }: Json) => id)).toEqual([next.id])
        await runDue()
        const states = await Promise.all([first.id, next.id].map(async (id) => (await api.read(id)).state))
        expect(states).toEqual(['Applied', 'Applied'])
      }),
    ),

    must(
      'CR-552',
      'compute the time of a schedule with minutesAfter, and store it once the predecessor was applied',
      whereScheduled(async (api, expect, runDue) => {
        const scheduledAt = inMs(60 * minuteMs)
        const first = await planned(api, { scheduledAt })
        const next = await planned(api, { after: first.id, minutesAfter: 480 })
        const after = (start: string) => new Date(Date.parse(start) + 480 * minuteMs).toISOString()
        expect(next.schedule).toEqual({ scheduledAt: after(scheduledAt), status: 'pending' })
        const moved = inMs(-20_000)
        succeeded(await api.move('reviewer', first.id, 'Scheduled', { scheduledAt: moved }))
        expect((await api.read(next.id)).schedule.scheduledAt).toBe(after(moved))
        await runDue()
        const { follows } = await reviewOf(api, next.id)
        expect([follows.status, follows.minutesAfter]).toEqual(['applied', null])
        const { scheduledAt: fixed } = (await api.read(next.id)).schedule
        expect(fixed).toBe(after(follows.scheduledAt))
        const [event] = (await api.eventsOf(next.id)).slice(-1)
        expect([event.type, event.data.scheduledDate]).toEqual(['change-request-scheduled', fixed])
      }),
    ),

    must(
      'CR-553',
      'suspend a schedule whose predecessor does not get applied',
      whereScheduled(async (api, expect, runDue) => {
        const first = await planned(api, { scheduledAt: inMs(60 * minuteMs) })
        const next = await planned(api, { scheduledAt: inMs(90 * minuteMs), after: first.id })
        succeeded(await api.move('admin', first.id, 'Rejected'))
        await runDue()
        const { status, reason } = (await api.read(next.id)).schedule
        expect([status, reason]).toEqual(['suspended', `It follows change request #${first.id}, which was rejected.`])
      }),
    ),

    must(
      'CR-554',
      'reject contradictory times with 400, and a predecessor that cannot be followed with 409 cannot-follow',
      whereScheduled(async (api, expect) => {
        const first = await planned(api, { scheduledAt: inMs(60 * minuteMs) })
        const { id } = await api.approved()
        const scheduledAt = inMs(90 * minuteMs)
        for (const when of [
          {},
          { minutesAfter: 5 },
          { after: first.id },
          { after: first.id, minutesAfter: 0 },
          { after: first.id, minutesAfter: 525_601 },
          { after: first.id, minutesAfter: 5, scheduledAt },
        ]) {
          expect(errorOf(await api.move('reviewer', id, 'Scheduled', when))).toEqual([400, 'BadDataError'])
        }
        const onApproval = { body: { scheduledAt: 'approval', after: first.id } }
        expect(errorOf(await api.send('reviewer', 'PUT', api.path(`${id}/scheduling`), onApproval))).toEqual([
          400,
          'BadDataError',
        ])
        for (const when of [
          { scheduledAt: inMs(30 * minuteMs), after: first.id },
          { scheduledAt, after: id },
          { scheduledAt, after: 999_999_999 },
        ]) {
          const { status, body } = await api.move('reviewer', id, 'Scheduled', when)
          expect([status, body.details?.map(({ code }: Json) => code)]).toEqual([409, ['cannot-follow']])
        }
      }),
    ),

    must(
      'CR-555',
      'list the schedules of a period in the inbox, whatever their status',
      whereScheduled(async (api, expect) => {
        const time = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000 * minuteMs
        const at = (minutes: number) => new Date(time + minutes * minuteMs).toISOString()
        const first = await planned(api, { scheduledAt: at(0) })
        const next = await planned(api, { scheduledAt: at(10), after: first.id })
        const found = async (from: string, to: string) => {
          const query = `project=${api.project}&scheduledFrom=${from}&scheduledTo=${to}`
          const { reviews } = succeeded(await api.get(`/reviews?${query}`)).body
          return reviews.map(({ id, follows = null }: Json) => [id, follows])
        }
        expect(await found(at(0), at(11))).toEqual([
          [next.id, first.id],
          [first.id, null],
        ])
        expect(await found(at(1), at(11))).toEqual([[next.id, first.id]])
        expect(await found(at(0), at(10))).toEqual([[first.id, null]])
      }),
    ),
  ],
}
