import { type Api, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

/** Checks the rule if the host app has a route behind a gate. */
const whereGated =
  (check: Check): Check =>
  async (api, expect) => {
    if (api.gated !== undefined) await check(api, expect)
  }

const reason = 'Kunden können nicht zahlen'

/** The events that the host app records during `act`, without those of change requests. */
async function recordedBy(api: Api, act: () => Promise<unknown>): Promise<Json[]> {
  const read = async (): Promise<Json[]> =>
    succeeded(await api.get(`/events?project=${api.project}`, 'admin')).body.events
  const newest = (await read())[0]?.id ?? 0
  await act()
  return (await read()).filter(({ id, type }) => id > newest && !type.startsWith('change-'))
}

function numberOfChanges({ features, segments }: Json): number {
  return features.flatMap(({ changes }: Json) => changes).length + segments.length
}

/** @see contract 18 */
export const gate: RuleGroup = {
  title: 'the gate in front of a route of the host app',
  rules: [
    must(
      'CR-481',
      'block a write without SKIP_CHANGE_REQUEST: return 403 that names it, or propose a change in a draft',
      whereGated(async (api, expect) => {
        const recorded = await recordedBy(api, async () => {
          const response = await api.writePastReview('author')
          if (api.gated?.proposes === true) return
          expect([...errorOf(response), response.body.permissions]).toEqual([
            403,
            'PermissionError',
            ['SKIP_CHANGE_REQUEST'],
          ])
        })
        const pending = succeeded(await api.get(api.path('pending'))).body
        const drafts = pending.filter(({ environment }: Json) => environment === api.environment)
        expect(drafts.map(({ state }: Json) => state)).toEqual(api.gated?.proposes === true ? ['Draft'] : [])
        expect(recorded).toEqual([])
      }),
    ),

    must(
      'CR-482',
      'reject an unauthenticated write with 401',
      whereGated(async (api, expect) => {
        const recorded = await recordedBy(api, async () => {
          const response = await api.writePastReview(null)
          expect(errorOf(response)).toEqual([401, 'AuthenticationRequired'])
        })
        expect(recorded).toEqual([])
      }),
    ),

    must(
      'CR-483',
      'let a write pass if change requests are disabled, without marking its events',
      whereGated(async (api, expect) => {
        await api.settings({ changeRequestsEnabled: false })
        const recorded = await recordedBy(api, async () => succeeded(await api.writePastReview('author')))
        expect(recorded.filter(({ data }) => data?.skippedChangeRequest !== undefined)).toEqual([])
      }),
    ),

    must(
      'CR-484',
      'let a write pass with SKIP_CHANGE_REQUEST, and record the reason in its events',
      whereGated(async (api, expect) => {
        const headers = { 'Change-Request-Skip-Reason': encodeURIComponent(reason) }
        const recorded = await recordedBy(api, async () => succeeded(await api.writePastReview('admin', headers)))
        expect(recorded.map(({ data }) => data?.skippedChangeRequest?.reason)).toEqual(recorded.map(() => reason))
      }),
    ),

    must(
      'CR-485',
      'add proposals of a gate to the change request in review until the first vote, then reject them with its path',
      whereGated(async (api, expect) => {
        if (api.gated?.proposes !== true) return
        const { id } = await api.inReview()
        await api.writePastReview('author')
        const before = await api.read(id)
        expect([before.state, numberOfChanges(before)]).toEqual(['In review', 2])
        const approved = succeeded(await api.move('reviewer', id, 'Approved')).body
        const response = await api.writePastReview('author')
        expect(errorOf(response)).toEqual([409, 'ConflictError'])
        const paths = response.body.details.map(({ path }: Json) => path)
        expect(paths.filter((path?: string) => path?.endsWith(api.path(id))).length).toBe(1)
        const after = await api.read(id)
        expect([after.state, numberOfChanges(after), after.approvals]).toEqual(['Approved', 2, approved.approvals])
      }),
    ),
  ],
}
