import { type Check, must, type RuleGroup } from '../rule'
import { type Answer, granted, type Json, refusal, type World } from '../world'

const reason = 'Customers cannot pay.'

/** Where emergencies are off, each is rejected with the reason. */
function withEmergencies(check: Check): Check {
  return async (world, expect) => {
    if (world.emergencies) return check(world, expect)
    const { id } = await world.inReview()
    const answer = await urgently(world, id)
    expect([...refusal(answer), answer.body.details[0].code]).toEqual([409, 'ConflictError', 'emergencies-disabled'])
  }
}

/** An application before the approval; an admin holds SKIP_CHANGE_REQUEST. */
function urgently(world: World, id: number, who: 'admin' | 'author' | 'reviewer' = 'admin', why = reason) {
  const body = { state: 'Applied', emergency: { reason: why } }
  return world.send(who, 'PUT', world.path(`${id}/state`), { body })
}

function acknowledge(world: World, id: number, who: 'admin' | 'author' | 'reviewer' | 'reader', body: object = {}) {
  return world.send(who, 'POST', world.path(`${id}/acknowledgement`), { body })
}

async function waiting(world: World): Promise<number[]> {
  const answer = await world.get('/search/change-requests?afterReview=IS:open&limit=1000', 'admin')
  return granted(answer).body.changeRequests.map(({ id }: Json) => id)
}

const applied = (events: Json[]): Json => events.find(({ type }) => type === 'change-request-applied')?.data

const codesOf = ({ body }: Answer): string[] => body.details.map(({ code }: Json) => code)

/** @see extensions 4 */
export const emergencies: RuleGroup = {
  title: 'emergencies',
  rules: [
    must(
      'CR-441',
      'apply what is in review, and tell the reason and what was missing',
      withEmergencies(async (world, expect) => {
        const { id } = await world.inReview({ approvals: 2 })
        granted(await world.move('reviewer', id, 'Approved'))
        expect(granted(await urgently(world, id)).body.state).toBe('Applied')
        expect(applied(await world.eventsOf(id)).emergency).toEqual({
          reason,
          missing: [{ name: 'minimum', approvals: 2, given: 1 }],
        })
      }),
    ),

    must(
      'CR-442',
      'refuse it without SKIP_CHANGE_REQUEST, and name it',
      withEmergencies(async (world, expect) => {
        const { id } = await world.inReview()
        const answer = await urgently(world, id, 'author')
        expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['SKIP_CHANGE_REQUEST']])
        expect((await world.read(id)).state).toBe('In review')
      }),
    ),

    must(
      'CR-443',
      'be an ordinary application where nothing is missing',
      withEmergencies(async (world, expect) => {
        const { id } = await world.approved()
        expect(granted(await urgently(world, id)).body.state).toBe('Applied')
        expect(applied(await world.eventsOf(id))).toEqual({ changeRequestId: id })
        expect((await waiting(world)).includes(id)).toBe(false)
      }),
    ),

    must('CR-444', 'refuse a reason that is too short, and one for another state, with 400', async (world, expect) => {
      const { id } = await world.inReview()
      expect(refusal(await urgently(world, id, 'admin', '  too short '))).toEqual([400, 'BadDataError'])
      const body = { state: 'Approved', emergency: { reason } }
      const other = await world.send('reviewer', 'PUT', world.path(`${id}/state`), { body })
      expect(refusal(other)).toEqual([400, 'BadDataError'])
      expect((await world.read(id)).state).toBe('In review')
    }),

    must(
      'CR-445',
      'find it until somebody else had a second look',
      withEmergencies(async (world, expect) => {
        const { id } = await world.inReview()
        granted(await urgently(world, id))
        expect((await waiting(world)).includes(id)).toBe(true)
        const done = granted(await acknowledge(world, id, 'reviewer', { comment: 'Fine' })).body
        expect([done.state, done.approvals, done.comments[0].text]).toEqual(['Applied', [], 'Fine'])
        expect((await waiting(world)).includes(id)).toBe(false)
        const { type, data } = (await world.eventsOf(id)).at(-1)
        expect([type, data]).toEqual(['change-request-approval-added', { changeRequestId: id, afterReview: true }])
      }),
    ),

    must(
      'CR-446',
      'take no second look of who made or applied it, or may not approve',
      withEmergencies(async (world, expect) => {
        const { id } = await world.inReview()
        granted(await urgently(world, id))
        for (const [who, code] of [
          ['author', 'own-change-request'],
          ['admin', 'own-change-request'],
          ['reader', 'missing-permission'],
        ] as const) {
          const answer = await acknowledge(world, id, who)
          expect([who, answer.status, codesOf(answer)]).toEqual([who, 403, [code]])
        }
        expect((await waiting(world)).includes(id)).toBe(true)
      }),
    ),

    must(
      'CR-447',
      'take one second look, and none of what was applied as usual',
      withEmergencies(async (world, expect) => {
        const urgent = await world.inReview()
        granted(await urgently(world, urgent.id))
        granted(await acknowledge(world, urgent.id, 'reviewer'))
        const second = await acknowledge(world, urgent.id, 'reviewer')
        expect([second.status, codesOf(second)]).toEqual([409, ['already-acknowledged']])
        const { id } = await world.inState('Applied')
        const other = await acknowledge(world, id, 'reviewer')
        expect([other.status, codesOf(other)]).toEqual([409, ['wrong-state']])
      }),
    ),
  ],
}
