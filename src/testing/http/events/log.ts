import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const typesOf = async (world: World, id: number): Promise<string[]> =>
  (await world.eventsOf(id)).map(({ type }) => type).filter((type: string) => type.startsWith('change'))

const log = (world: World, query = '') => world.get(`/events${query}`, 'admin')

const ofProject = (world: World) => `?project=${world.project}`

const fields = [
  'id',
  'createdAt',
  'type',
  'createdBy',
  'createdByUserId',
  'environment',
  'project',
  'featureName',
  'data',
  'preData',
  'tags',
  'label',
  'summary',
  'ip',
]

export const events: RuleGroup = {
  title: 'GET /events',
  rules: [
    must('CR-801', 'log a new change request, then each change, in their order', async (world, expect) => {
      const { id, features } = await world.draft(2)
      const logged = await world.eventsOf(id)
      const [{ changes }] = features
      expect(logged.map(({ type, data }) => [type, data.changeId])).toEqual([
        ['change-request-created', undefined],
        ['change-added', changes[0].id],
        ['change-added', changes[1].id],
      ])
      const { changeRequestId, action, payload, feature } = logged[1].data
      expect([changeRequestId, action, payload, feature]).toEqual([
        id,
        changes[0].action,
        changes[0].payload,
        world.feature,
      ])
    }),

    must('CR-802', 'log the whole way to Applied, in its order', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      for (const [who, state] of [
        ['reviewer', 'Approved'],
        ['reviewer2', 'Approved'],
        ['reviewer', 'Applied'],
      ] as const) {
        granted(await world.move(who, id, state))
      }
      expect(await typesOf(world, id)).toEqual([
        'change-request-created',
        'change-added',
        'change-request-sent-to-review',
        'change-request-approval-added',
        'change-request-approval-added',
        'change-request-approved',
        'change-request-applied',
      ])
    }),

    must('CR-803', 'log an edit and a discard with the change as it was', async (world, expect) => {
      const draft = await world.draft()
      const old = draft.features[0].changes[0]
      const path = world.path(`${draft.id}/changes/${old.id}`)
      const edited = granted(await world.send('author', 'PUT', path, { body: world.change(1) })).body
      const fresh = edited.features[0].changes[0]
      granted(await world.send('author', 'DELETE', world.path(`${draft.id}/changes/${fresh.id}`)))
      const logged = (await world.eventsOf(draft.id)).slice(2)
      expect(logged.map(({ type, data, preData }) => [type, data?.changeId, preData.changeId])).toEqual([
        ['change-edited', fresh.id, old.id],
        ['change-discarded', undefined, fresh.id],
      ])
    }),

    must('CR-804', 'log that a draft was discarded, whose events stay', async (world, expect) => {
      const { id } = await world.draft()
      granted(await world.send('author', 'DELETE', world.path(id)))
      expect(await typesOf(world, id)).toEqual(['change-request-created', 'change-added', 'change-request-discarded'])
    }),

    must('CR-805', 'log a rejection and a cancellation', async (world, expect) => {
      const last = async (state: string) => (await typesOf(world, (await world.inState(state)).id)).at(-1)
      expect(await last('Rejected')).toBe('change-request-rejected')
      expect(await last('Cancelled')).toBe('change-request-cancelled')
    }),

    must('CR-806', 'log an edit after the approval by that edit alone', async (world, expect) => {
      const { id } = await world.approved()
      const before = await typesOf(world, id)
      granted(await world.propose(world.change(1)))
      expect(await typesOf(world, id)).toEqual([...before, 'change-added'])
    }),

    must('CR-807', 'write nothing for titles, comments and refusals', async (world, expect) => {
      const { id } = await world.inReview()
      const before = granted(await log(world, ofProject(world))).body.totalEvents
      granted(await world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: 'new' } }))
      granted(await world.send('reader', 'POST', world.path(`${id}/comments`), { body: { text: 'hello' } }))
      await world.move('author', id, 'Approved')
      await world.move('reviewer', id, 'Applied')
      await world.move('reader', id, 'Approved')
      await world.propose([])
      expect(granted(await log(world, ofProject(world))).body.totalEvents).toBe(before)
    }),

    must('CR-808', 'log settings that changed, and only those', async (world, expect) => {
      const newest = async () => granted(await log(world, ofProject(world))).body.events[0]
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
      const { id, type, data, preData } = await newest()
      expect([type, data, preData]).toEqual([
        'change-request-configuration-updated',
        { changeRequestsEnabled: true, requiredApprovals: 3 },
        { changeRequestsEnabled: true, requiredApprovals: 1 },
      ])
      await world.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
      expect((await newest()).id).toBe(id)
    }),

    must('CR-811', 'answer version 1, the events newest first, and how many there are', async (world, expect) => {
      await world.draft(3)
      const { status, body } = await log(world, ofProject(world))
      const ids = body.events.map(({ id }: Json) => id)
      expect([status, Object.keys(body).toSorted(), body.version]).toEqual([
        200,
        ['events', 'totalEvents', 'version'],
        1,
      ])
      expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))
      expect(body.totalEvents).toBe(ids.length)
      expect([...new Set(body.events.map(({ project }: Json) => project))]).toEqual([world.project])
    }),

    must('CR-812', 'fill every field of an event and send no other', async (world, expect) => {
      const { id } = await world.draft()
      const [created, added] = await world.eventsOf(id)
      expect(Object.keys(created).toSorted()).toEqual(fields.toSorted())
      expect([created.project, created.environment, created.featureName, created.preData, created.label]).toEqual([
        world.project,
        world.environment,
        world.feature,
        null,
        'Change request created',
      ])
      expect([typeof created.summary, Array.isArray(added.tags)]).toEqual(['string', true])
    }),

    must('CR-813', 'answer at most the newest 100 where no project is named', async (world, expect) => {
      const { id } = await world.draft()
      const { body } = granted(await log(world))
      expect([body.events.length <= 100, body.events.length <= body.totalEvents]).toEqual([true, true])
      const newest = granted(await log(world, ofProject(world))).body.events[0]
      expect([newest.data.changeRequestId, body.events[0].id >= newest.id]).toEqual([id, true])
    }),

    must('CR-814', 'answer an unknown project with 200 and no events', async (world, expect) => {
      for (const project of ['no-such-project-here', '%20%00%ff', '..']) {
        const { status, body } = await log(world, `?project=${project}`)
        expect([project, status, body]).toEqual([project, 200, { version: 1, events: [], totalEvents: 0 }])
      }
    }),

    must('CR-815', 'answer 304 while nothing is new', async (world, expect) => {
      await world.draft()
      for (const query of ['', ofProject(world)]) {
        const tag = granted(await log(world, query)).headers.get('etag') ?? ''
        const again = await world.get(`/events${query}`, 'admin', { 'If-None-Match': tag })
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
        granted(await world.propose(world.change(1)))
        expect((await world.get(`/events${query}`, 'admin', { 'If-None-Match': tag })).status).toBe(200)
      }
    }),

    must('CR-816', 'refuse without READ_EVENTS, and name it', async (world, expect) => {
      for (const query of ['', ofProject(world)]) {
        const answer = await world.get(`/events${query}`, 'reader')
        expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['READ_EVENTS']])
      }
    }),

    must('CR-817', 'refuse a project that is named twice with 400', async (world, expect) => {
      expect(refusal(await log(world, '?project=a&project=b'))).toEqual([400, 'BadDataError'])
    }),
  ],
}
