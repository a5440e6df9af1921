import { must, type RuleGroup, should } from '../rule'
import { type Json, refusal } from '../world'

const idsOf = (changeRequest: Json): number[] =>
  changeRequest.features.flatMap(({ changes }: Json) => changes.map(({ id }: Json) => id))

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

export const proposing: RuleGroup = {
  title: 'POST /projects/:projectId/environments/:environment/change-requests',
  rules: [
    must('CR-001', 'answer one change with 200 and the whole change request, a Draft', async (world, expect) => {
      const { status, body } = await world.propose()
      const { id, createdBy, createdAt } = body
      const [{ changes }] = body.features
      expect(status).toBe(200)
      expect({ ...body, stateTimestamps: undefined }).toEqual({
        id,
        title: `Change request #${id}`,
        environment: world.environment,
        project: world.project,
        minApprovals: 1,
        features: [{ ...body.features[0], name: world.feature, changes }],
        segments: [],
        approvals: [],
        rejections: [],
        comments: [],
        createdBy,
        createdAt,
        state: 'Draft',
        stateTimestamps: undefined,
      })
      const { action, payload } = world.change()
      expect(changes.map((one: Json) => [one.action, one.payload])).toEqual([[action, payload]])
    }),

    must('CR-002', 'take a list of changes and number them in its order', async (world, expect) => {
      const { body } = await world.propose([world.change(0), world.change(1), world.change(2)])
      const [{ changes }] = body.features
      expect(changes.map(({ payload }: Json) => payload.number)).toEqual([0, 1, 2])
      expect(idsOf(body)).toEqual(idsOf(body).toSorted((one, other) => one - other))
    }),

    must('CR-003', 'append to the change request that the caller has open', async (world, expect) => {
      const first = await world.draft()
      const { body } = await world.propose(world.change(1))
      expect(body.id).toBe(first.id)
      expect(idsOf(body).length).toBe(2)
      expect(idsOf(body)[0]).toBe(idsOf(first)[0])
    }),

    must('CR-004', 'keep the change requests of two callers apart', async (world, expect) => {
      const { id } = await world.draft()
      const { body } = await world.propose(world.change(), 'admin')
      expect([body.id === id, body.state, idsOf(body).length]).toEqual([false, 'Draft', 1])
    }),

    must('CR-005', 'make a new change request once the last one is closed', async (world, expect) => {
      for (const state of ['Applied', 'Rejected', 'Cancelled']) {
        const { id } = await world.inState(state)
        const { body } = await world.propose()
        expect([state, body.id === id, body.state]).toEqual([state, false, 'Draft'])
        await world.move('author', body.id, 'Cancelled')
      }
    }),

    must('CR-006', 'show changes of segments apart from those of flags, by id', async (world, expect) => {
      const segment = (id: number) => ({ action: 'deleteSegment', payload: { id } })
      const { body } = await world.propose([segment(9), world.change(), segment(4)])
      expect(body.segments.map(({ action, payload }: Json) => [action, payload])).toEqual([
        ['deleteSegment', { id: 9 }],
        ['deleteSegment', { id: 4 }],
      ])
      expect(idsOf(body).length).toBe(1)
      expect(body.segments.every(({ name }: Json) => typeof name === 'string')).toBe(true)
    }),

    must('CR-007', 'refuse an empty list with 400', async (world, expect) => {
      expect(refusal(await world.propose([]))).toEqual([400, 'BadDataError'])
    }),

    should('CR-008', 'refuse more than 100 changes at once with 400 ExceedsLimitError', async (world, expect) => {
      const many = Array.from({ length: 101 }, (_, index) => world.change(index))
      expect(refusal(await world.propose(many))).toEqual([400, 'ExceedsLimitError'])
    }),

    must('CR-009', 'refuse a whole list for one faulty change and name its place', async (world, expect) => {
      const answer = await world.propose([world.change(), { ...world.change(), payload: {} }])
      expect(refusal(answer)).toEqual([400, 'BadDataError'])
      expect(answer.body.details.map(({ path }: Json) => path)).toEqual(['/body/1/payload/enabled'])
      expect((await world.get(world.path('pending'))).body.length).toBe(0)
    }),

    must('CR-010', 'refuse an unknown action with 400', async (world, expect) => {
      const answer = await world.propose({ ...world.change(), action: 'updateNothing' })
      expect(refusal(answer)).toEqual([400, 'BadDataError'])
      expect(answer.body.details.map(({ path }: Json) => path)).toEqual(['action'])
    }),

    must('CR-011', 'take no text for a boolean and no number for a name', async (world, expect) => {
      const text = await world.propose({ ...world.change(), payload: { enabled: 'true' } })
      const number = await world.propose({ ...world.change(), feature: 12 })
      expect([refusal(text), refusal(number)]).toEqual(Array(2).fill([400, 'BadDataError']))
    }),

    must('CR-012', 'refuse malformed names in the path with 400', async (world, expect) => {
      for (const name of ['bad%20name', '%2e%2e%2f', 'a'.repeat(101)]) {
        const path = `/projects/${world.project}/environments/${name}/change-requests`
        const answer = await world.send('admin', 'POST', path, { body: world.change() })
        expect([name, ...refusal(answer)]).toEqual([name, 400, 'BadDataError'])
      }
    }),

    must('CR-013', 'answer 415 to what does not say it is JSON, whatever its charset', async (world, expect) => {
      const text = JSON.stringify(world.change())
      const as = (type: string) =>
        world.send('author', 'POST', world.proposals, { text, headers: { 'Content-Type': type } })
      expect(refusal(await as('text/plain'))).toEqual([415, 'ContentTypeError'])
      expect(refusal(await as('application/x-www-form-urlencoded'))).toEqual([415, 'ContentTypeError'])
      expect((await as('application/json; charset=utf-8')).status).toBe(200)
    }),

    must('CR-014', 'refuse a body that is no JSON object or array, or cannot be stored', async (world, expect) => {
      const payload = (text: string) => `{"action":"updateEnabled","feature":"${world.feature}","payload":${text}}`
      const malformed = ['{"action":', 'null', '"text"', '12']
      const bodies = [
        payload('{"enabled":true,"note":"a\\u0000b"}'),
        payload('{"enabled":true,"note":"\\ud800"}'),
        payload('{"enabled":true,"__proto__":{}}'),
        payload('{"enabled":true,"note":1e400}'),
        payload(`{"enabled":true,"note":${deep(40)}}`),
      ]
      const propose = (text: string) => world.send('author', 'POST', world.proposals, { text })
      for (const text of world.parsesBodies ? bodies : [...malformed, ...bodies]) {
        expect([text, ...refusal(await propose(text))]).toEqual([text, 400, 'BadDataError'])
      }
      // A parser of the host that comes first refuses in its own way.
      for (const text of world.parsesBodies ? malformed : []) {
        const { status } = await propose(text)
        expect([text, status >= 400 && status < 500]).toEqual([text, true])
      }
    }),

    must(
      'CR-020',
      'take a minimum of approvals that was raised meanwhile when sent to review',
      async (world, expect) => {
        const { id } = await world.draft()
        await world.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
        expect((await world.propose(world.change(1))).body.minApprovals).toBe(1)
        expect((await world.move('author', id, 'In review')).body.minApprovals).toBe(3)
        expect((await world.move('reviewer', id, 'Approved')).body.state).toBe('In review')
      },
    ),

    must(
      'CR-021',
      'keep the minimum of approvals from the review on, and never take a lower one',
      async (world, expect) => {
        await world.settings({ changeRequestsEnabled: true, requiredApprovals: 2 })
        const { id } = await world.draft()
        await world.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
        expect((await world.move('author', id, 'In review')).body.minApprovals).toBe(2)
        await world.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
        const { state, minApprovals } = (await world.move('reviewer', id, 'Approved')).body
        expect([state, minApprovals]).toEqual(['In review', 2])
      },
    ),

    must('CR-016', 'refuse new changes while switched off, and let go on what exists', async (world, expect) => {
      const { id } = await world.draft()
      await world.settings({ changeRequestsEnabled: false })
      expect(refusal(await world.propose())).toEqual([400, 'BadDataError'])
      for (const [who, state] of [
        ['author', 'In review'],
        ['reviewer', 'Approved'],
        ['reviewer', 'Applied'],
      ] as const) {
        expect((await world.move(who, id, state)).body.state).toBe(state)
      }
    }),

    must('CR-017', 'let a key without a person read, but not propose', async (world, expect) => {
      expect(refusal(await world.propose(world.change(), 'token'))).toEqual([403, 'OperationDeniedError'])
      expect((await world.get(world.path(), 'token')).status).toBe(200)
    }),

    must('CR-018', 'drop unknown properties of a change, and keep those of an open payload', async (world, expect) => {
      const { body } = await world.propose({ ...world.change(7), unknown: 1 })
      const [{ changes }] = body.features
      expect(changes[0].payload.number).toBe(7)
      expect('unknown' in changes[0]).toBe(false)
    }),

    must('CR-019', 'answer a change without payload with an empty one', async (world, expect) => {
      const { body } = await world.propose({ action: 'archiveFeature', feature: world.feature })
      expect(body.features[0].changes[0].payload).toEqual({})
    }),
  ],
}
