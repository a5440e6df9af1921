import { errorOf, type Json } from '../api'
import { must, type RuleGroup, should } from '../rule'

const idsOf = (changeRequest: Json): number[] =>
  changeRequest.features.flatMap(({ changes }: Json) => changes.map(({ id }: Json) => id))

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

export const proposing: RuleGroup = {
  title: 'POST /projects/:projectId/environments/:environment/change-requests',
  rules: [
    must(
      'CR-001',
      'create a Draft from one change, and return 200 and the whole change request',
      async (api, expect) => {
        const { status, body } = await api.propose()
        const { id, createdBy, createdAt } = body
        const [{ changes }] = body.features
        expect(status).toBe(200)
        expect({ ...body, stateTimestamps: undefined }).toEqual({
          id,
          title: `Change request #${id}`,
          environment: api.environment,
          project: api.project,
          minApprovals: 1,
          features: [{ ...body.features[0], name: api.feature, changes }],
          segments: [],
          approvals: [],
          rejections: [],
          comments: [],
          createdBy,
          createdAt,
          state: 'Draft',
          stateTimestamps: undefined,
        })
        const { action, payload } = api.change()
        expect(changes.map((one: Json) => [one.action, one.payload])).toEqual([[action, payload]])
      },
    ),

    must('CR-002', 'accept a list of changes and number them in that order', async (api, expect) => {
      const { body } = await api.propose([api.change(0), api.change(1), api.change(2)])
      const [{ changes }] = body.features
      expect(changes.map(({ payload }: Json) => payload.number)).toEqual([0, 1, 2])
      expect(idsOf(body)).toEqual(idsOf(body).toSorted((one, other) => one - other))
    }),

    must('CR-003', "append to the caller's open change request", async (api, expect) => {
      const first = await api.draft()
      const { body } = await api.propose(api.change(1))
      expect(body.id).toBe(first.id)
      expect(idsOf(body).length).toBe(2)
      expect(idsOf(body)[0]).toBe(idsOf(first)[0])
    }),

    must('CR-004', 'create separate change requests for two callers', async (api, expect) => {
      const { id } = await api.draft()
      const { body } = await api.propose(api.change(), 'admin')
      expect([body.id === id, body.state, idsOf(body).length]).toEqual([false, 'Draft', 1])
    }),

    must('CR-005', 'create a new change request once the last one is closed', async (api, expect) => {
      for (const state of ['Applied', 'Rejected', 'Cancelled']) {
        const { id } = await api.inState(state)
        const { body } = await api.propose()
        expect([state, body.id === id, body.state]).toEqual([state, false, 'Draft'])
        await api.move('author', body.id, 'Cancelled')
      }
    }),

    must('CR-006', 'list segment changes separately from flag changes, by id', async (api, expect) => {
      const segment = (id: number) => ({ action: 'deleteSegment', payload: { id } })
      const { body } = await api.propose([segment(9), api.change(), segment(4)])
      expect(body.segments.map(({ action, payload }: Json) => [action, payload])).toEqual([
        ['deleteSegment', { id: 9 }],
        ['deleteSegment', { id: 4 }],
      ])
      expect(idsOf(body).length).toBe(1)
      expect(body.segments.every(({ name }: Json) => typeof name === 'string')).toBe(true)
    }),

    must('CR-007', 'reject an empty list with 400', async (api, expect) => {
      expect(errorOf(await api.propose([]))).toEqual([400, 'BadDataError'])
    }),

    should('CR-008', 'reject more than 100 changes in one request with 400 ExceedsLimitError', async (api, expect) => {
      const many = Array.from({ length: 101 }, (_, index) => api.change(index))
      expect(errorOf(await api.propose(many))).toEqual([400, 'ExceedsLimitError'])
    }),

    must('CR-009', 'reject a list with one invalid change as a whole, and name the position', async (api, expect) => {
      const response = await api.propose([api.change(), { ...api.change(), payload: {} }])
      expect(errorOf(response)).toEqual([400, 'BadDataError'])
      expect(response.body.details.map(({ path }: Json) => path)).toEqual(['/body/1/payload/enabled'])
      expect((await api.get(api.path('pending'))).body.length).toBe(0)
    }),

    must('CR-010', 'reject an unknown action with 400', async (api, expect) => {
      const response = await api.propose({ ...api.change(), action: 'updateNothing' })
      expect(errorOf(response)).toEqual([400, 'BadDataError'])
      expect(response.body.details.map(({ path }: Json) => path)).toEqual(['action'])
    }),

    must('CR-011', 'accept no string for a boolean and no number for a name', async (api, expect) => {
      const text = await api.propose({ ...api.change(), payload: { enabled: 'true' } })
      const number = await api.propose({ ...api.change(), feature: 12 })
      expect([errorOf(text), errorOf(number)]).toEqual(Array(2).fill([400, 'BadDataError']))
    }),

    must('CR-012', 'reject malformed names in the path with 400', async (api, expect) => {
      for (const name of ['bad%20name', '%2e%2e%2f', 'a'.repeat(101)]) {
        const path = `/projects/${api.project}/environments/${name}/change-requests`
        const response = await api.send('admin', 'POST', path, { body: api.change() })
        expect([name, ...errorOf(response)]).toEqual([name, 400, 'BadDataError'])
      }
    }),

    must('CR-013', 'return 415 for a Content-Type other than JSON, and accept any charset', async (api, expect) => {
      const text = JSON.stringify(api.change())
      const as = (type: string) =>
        api.send('author', 'POST', api.proposals, { text, headers: { 'Content-Type': type } })
      expect(errorOf(await as('text/plain'))).toEqual([415, 'ContentTypeError'])
      expect(errorOf(await as('application/x-www-form-urlencoded'))).toEqual([415, 'ContentTypeError'])
      expect((await as('application/json; charset=utf-8')).status).toBe(200)
    }),

    must(
      'CR-014',
      'reject a body that is not a JSON object or array, or that cannot be stored',
      async (api, expect) => {
        const payload = (text: string) =>
          `{"action":"updateEnabled","feature":${JSON.stringify(api.feature)},"payload":${text}}`
        const malformed = ['{"action":', 'null', '"text"', '12']
        const bodies = [
          payload('{"enabled":true,"note":"a\\u0000b"}'),
          payload('{"enabled":true,"note":"\\ud800"}'),
          payload('{"enabled":true,"__proto__":{}}'),
          payload('{"enabled":true,"note":1e400}'),
          payload(`{"enabled":true,"note":${deep(40)}}`),
        ]
        const propose = (text: string) => api.send('author', 'POST', api.proposals, { text })
        for (const text of api.parsesBodies ? bodies : [...malformed, ...bodies]) {
          expect([text, ...errorOf(await propose(text))]).toEqual([text, 400, 'BadDataError'])
        }
        // A body parser of the host app in front of the router rejects malformed JSON in its own way.
        for (const text of api.parsesBodies ? malformed : []) {
          const { status } = await propose(text)
          expect([text, status >= 400 && status < 500]).toEqual([text, true])
        }
      },
    ),

    must(
      'CR-020',
      'use a minimum of approvals that was raised meanwhile when submitted for review',
      async (api, expect) => {
        const { id } = await api.draft()
        await api.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
        expect((await api.propose(api.change(1))).body.minApprovals).toBe(1)
        expect((await api.move('author', id, 'In review')).body.minApprovals).toBe(3)
        expect((await api.move('reviewer', id, 'Approved')).body.state).toBe('In review')
      },
    ),

    must('CR-021', 'keep the minimum of approvals after submission, and never use a lower one', async (api, expect) => {
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 2 })
      const { id } = await api.draft()
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
      expect((await api.move('author', id, 'In review')).body.minApprovals).toBe(2)
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
      const { state, minApprovals } = (await api.move('reviewer', id, 'Approved')).body
      expect([state, minApprovals]).toEqual(['In review', 2])
    }),

    must(
      'CR-016',
      'reject new changes while change requests are disabled, and let existing ones continue',
      async (api, expect) => {
        const { id } = await api.draft()
        await api.settings({ changeRequestsEnabled: false })
        expect(errorOf(await api.propose())).toEqual([400, 'BadDataError'])
        for (const [who, state] of [
          ['author', 'In review'],
          ['reviewer', 'Approved'],
          ['reviewer', 'Applied'],
        ] as const) {
          expect((await api.move(who, id, state)).body.state).toBe(state)
        }
      },
    ),

    must('CR-017', 'let an API key without a user read, but not propose', async (api, expect) => {
      expect(errorOf(await api.propose(api.change(), 'token'))).toEqual([403, 'OperationDeniedError'])
      expect((await api.get(api.path(), 'token')).status).toBe(200)
    }),

    must('CR-018', 'drop unknown properties of a change, and keep those of an open payload', async (api, expect) => {
      const { body } = await api.propose({ ...api.change(7), unknown: 1 })
      const [{ changes }] = body.features
      expect(changes[0].payload.number).toBe(7)
      expect('unknown' in changes[0]).toBe(false)
    }),

    must('CR-019', 'return an empty payload for a change without one', async (api, expect) => {
      const { body } = await api.propose({ action: 'archiveFeature', feature: api.feature })
      expect(body.features[0].changes[0].payload).toEqual({})
    }),
  ],
}
