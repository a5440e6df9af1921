import { type Check, must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const hourMs = 60 * 60_000

/** A time so many milliseconds from now. */
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Checked where the host carries schedules out. */
const whereScheduled =
  (check: (world: World, expect: Parameters<Check>[1], runDue: () => Promise<unknown>) => Promise<void>): Check =>
  async (world, expect) => {
    if (world.runDue !== undefined) await check(world, expect, world.runDue)
  }

/** A fresh change request that a reviewer has scheduled. */
async function scheduled(world: World, scheduledAt = inMs(hourMs)): Promise<Json> {
  const { id } = await world.approved()
  return granted(await world.move('reviewer', id, 'Scheduled', { scheduledAt })).body
}

const typesOf = async (world: World, id: number) => (await world.eventsOf(id)).map(({ type }) => type)

export const schedules: RuleGroup = {
  title: 'schedules',
  rules: [
    must(
      'CR-361',
      'refuse a schedule with 409 and the code no-scheduler where nothing carries it out',
      async (world, expect) => {
        const { id } = await world.approved()
        const answer = await world.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(hourMs) })
        const codes = answer.body.details?.map(({ code }: Json) => code)
        const off = [409, 'ConflictError', ['no-scheduler']]
        expect([...refusal(answer), codes]).toEqual(world.runDue === undefined ? off : [200, undefined, undefined])
      },
    ),

    must(
      'CR-362',
      'schedule what is approved, for who may apply it, with its event',
      whereScheduled(async (world, expect) => {
        const { id } = await world.approved()
        const scheduledAt = inMs(hourMs)
        const { status, body } = await world.move('reviewer', id, 'Scheduled', { scheduledAt })
        expect([status, body.state, body.schedule]).toEqual([200, 'Scheduled', { scheduledAt, status: 'pending' }])
        const [event] = (await world.eventsOf(id)).slice(-1)
        expect([event.type, event.data]).toEqual([
          'change-request-scheduled',
          { changeRequestId: id, scheduledDate: scheduledAt },
        ])
      }),
    ),

    must(
      'CR-363',
      'refuse a time that has passed with 400, and tolerate clocks that differ by less than a minute',
      whereScheduled(async (world, expect) => {
        const { id } = await world.approved()
        const late = await world.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(-2 * hourMs) })
        expect(refusal(late)).toEqual([400, 'BadDataError'])
        expect((await world.move('reviewer', id, 'Scheduled', { scheduledAt: inMs(-20_000) })).status).toBe(200)
      }),
    ),

    must(
      'CR-364',
      'refuse a schedule of what is not approved with 409, and without APPLY_CHANGE_REQUEST with 403',
      whereScheduled(async (world, expect) => {
        const { id } = await world.inReview()
        const sent = { scheduledAt: inMs(hourMs) }
        expect(refusal(await world.move('reviewer', id, 'Scheduled', sent))).toEqual([409, 'ConflictError'])
        expect(refusal(await world.move('reader', id, 'Scheduled', sent))).toEqual([403, 'PermissionError'])
      }),
    ),

    must(
      'CR-365',
      'apply what is due, once, and tell it in this order',
      whereScheduled(async (world, expect, runDue) => {
        const { id } = await scheduled(world, inMs(-20_000))
        await Promise.all([runDue(), runDue()])
        const { state, schedule } = await world.read(id)
        expect([state, schedule]).toEqual(['Applied', undefined])
        expect((await typesOf(world, id)).slice(-3)).toEqual([
          'change-request-scheduled',
          'change-request-applied',
          'change-request-scheduled-application-success',
        ])
        const [applied] = (await world.eventsOf(id)).slice(-2)
        expect(applied.data).toEqual({ changeRequestId: id, scheduled: true })
      }),
    ),

    must(
      'CR-366',
      'apply nothing before its time',
      whereScheduled(async (world, expect, runDue) => {
        const before = await scheduled(world)
        await runDue()
        expect(await world.read(before.id)).toEqual(before)
      }),
    ),

    must(
      'CR-367',
      'accept another time, and an application by hand before it',
      whereScheduled(async (world, expect) => {
        const { id } = await scheduled(world)
        const scheduledAt = inMs(2 * hourMs)
        const later = granted(await world.move('reviewer2', id, 'Scheduled', { scheduledAt })).body
        expect(later.schedule).toEqual({ scheduledAt, status: 'pending' })
        expect(granted(await world.move('reviewer', id, 'Applied')).body.state).toBe('Applied')
        expect((await typesOf(world, id)).slice(-3)).toEqual([
          'change-request-scheduled',
          'change-request-scheduled',
          'change-request-applied',
        ])
      }),
    ),

    must(
      'CR-368',
      'let the author reject what is scheduled, which ends the schedule',
      whereScheduled(async (world, expect, runDue) => {
        const { id } = await scheduled(world, inMs(-20_000))
        const { state, schedule } = granted(await world.move('author', id, 'Rejected')).body
        await runDue()
        expect([state, schedule, (await world.read(id)).state]).toEqual(['Rejected', undefined, 'Rejected'])
      }),
    ),

    must(
      'CR-369',
      'list what is scheduled for a flag, and keep its changes as they are',
      whereScheduled(async (world, expect) => {
        const { id, environment, features } = await scheduled(world)
        const { body } = granted(await world.get(world.path(`scheduled?feature=${world.feature}`)))
        expect(body.filter((item: Json) => item.id === id)).toEqual([{ id, environment }])
        const [{ id: changeId }] = features[0].changes
        const edit = await world.send('author', 'PUT', world.path(`${id}/changes/${changeId}`), {
          body: world.change(1),
        })
        expect(refusal(edit)).toEqual([409, 'ConflictError'])
      }),
    ),
  ],
}
