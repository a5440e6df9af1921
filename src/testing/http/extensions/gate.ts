import { type Check, must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

/** Checked where the host has a route behind the gate. */
const whereGated =
  (check: Check): Check =>
  async (world, expect) => {
    if (world.gated !== undefined) await check(world, expect)
  }

const reason = 'Kunden können nicht zahlen'

/** What the host records while something is done, apart from what change requests leave there. */
async function recordedBy(world: World, act: () => Promise<unknown>): Promise<Json[]> {
  const read = async (): Promise<Json[]> =>
    granted(await world.get(`/events?project=${world.project}`, 'admin')).body.events
  const newest = (await read())[0]?.id ?? 0
  await act()
  return (await read()).filter(({ id, type }) => id > newest && !type.startsWith('change-'))
}

function numberOfChanges({ features, segments }: Json): number {
  return features.flatMap(({ changes }: Json) => changes).length + segments.length
}

/** @see extensions 7 */
export const gate: RuleGroup = {
  title: 'the gate before a route of the host',
  rules: [
    must(
      'CR-481',
      'keep back a write without SKIP_CHANGE_REQUEST, with 403 that names it or as a change in a draft',
      whereGated(async (world, expect) => {
        const recorded = await recordedBy(world, async () => {
          const answer = await world.writePastReview('author')
          if (world.gated?.proposes === true) return
          expect([...refusal(answer), answer.body.permissions]).toEqual([
            403,
            'PermissionError',
            ['SKIP_CHANGE_REQUEST'],
          ])
        })
        const pending = granted(await world.get(world.path('pending'))).body
        const drafts = pending.filter(({ environment }: Json) => environment === world.environment)
        expect(drafts.map(({ state }: Json) => state)).toEqual(world.gated?.proposes === true ? ['Draft'] : [])
        expect(recorded).toEqual([])
      }),
    ),

    must(
      'CR-482',
      'refuse a write of nobody with 401',
      whereGated(async (world, expect) => {
        const recorded = await recordedBy(world, async () => {
          const answer = await world.writePastReview(null)
          expect(refusal(answer)).toEqual([401, 'AuthenticationRequired'])
        })
        expect(recorded).toEqual([])
      }),
    ),

    must(
      'CR-483',
      'let a write pass where change requests are off, without a mark',
      whereGated(async (world, expect) => {
        await world.settings({ changeRequestsEnabled: false })
        const recorded = await recordedBy(world, async () => granted(await world.writePastReview('author')))
        expect(recorded.filter(({ data }) => data?.skippedChangeRequest !== undefined)).toEqual([])
      }),
    ),

    must(
      'CR-484',
      'let a write pass by SKIP_CHANGE_REQUEST, and mark its events with the reason',
      whereGated(async (world, expect) => {
        const headers = { 'Change-Request-Skip-Reason': encodeURIComponent(reason) }
        const recorded = await recordedBy(world, async () => granted(await world.writePastReview('admin', headers)))
        expect(recorded.map(({ data }) => data?.skippedChangeRequest?.reason)).toEqual(recorded.map(() => reason))
      }),
    ),

    must(
      'CR-485',
      'add what a gate proposes to the request in review until somebody votes, then refuse it with the path of that request',
      whereGated(async (world, expect) => {
        if (world.gated?.proposes !== true) return
        const { id } = await world.inReview()
        await world.writePastReview('author')
        const before = await world.read(id)
        expect([before.state, numberOfChanges(before)]).toEqual(['In review', 2])
        const approved = granted(await world.move('reviewer', id, 'Approved')).body
        const answer = await world.writePastReview('author')
        expect(refusal(answer)).toEqual([409, 'ConflictError'])
        const paths = answer.body.details.map(({ path }: Json) => path)
        expect(paths.filter((path?: string) => path?.endsWith(world.path(id))).length).toBe(1)
        const after = await world.read(id)
        expect([after.state, numberOfChanges(after), after.approvals]).toEqual(['Approved', 2, approved.approvals])
      }),
    ),
  ],
}
