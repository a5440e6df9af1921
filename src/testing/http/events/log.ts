import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const typesOf = async (api: Api, id: number): Promise<string[]> =>
  (await api.eventsOf(id)).map(({ type }) => type).filter((type: string) => type.startsWith('change'))

const log = (api: Api, query = '') => api.get(`/events${query}`, 'admin')

const ofProject = (api: Api) => `?project=${api.project}`

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
    must('CR-801', 'log a new change request, then each change, in order', async (api, expect) => {
      const { id, features } = await api.draft(2)
      const logged = await api.eventsOf(id)
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
        api.feature,
      ])
    }),

    must('CR-802', 'log every step to Applied, in order', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      for (const [who, state] of [
        ['reviewer', 'Approved'],
        ['reviewer2', 'Approved'],
        ['reviewer', 'Applied'],
      ] as const) {
        succeeded(await api.move(who, id, state))
      }
      expect(await typesOf(api, id)).toEqual([
        'change-request-created',
        'change-added',
        'change-request-sent-to-review',
        'change-request-approval-added',
        'change-request-approval-added',
        'change-request-approved',
        'change-request-applied',
      ])
    }),

    must('CR-803', 'log an edit and a discard with the previous change', async (api, expect) => {
      const draft = await api.draft()
      const old = draft.features[0].changes[0]
      const path = api.path(`${draft.id}/changes/${old.id}`)
      const edited = succeeded(await api.send('author', 'PUT', path, { body: api.change(1) })).body
      const fresh = edited.features[0].changes[0]
      succeeded(await api.send('author', 'DELETE', api.path(`${draft.id}/changes/${fresh.id}`)))
      const logged = (await api.eventsOf(draft.id)).slice(2)
      expect(logged.map(({ type, data, preData }) => [type, data?.changeId, preData.changeId])).toEqual([
        ['change-edited', fresh.id, old.id],
        ['change-discarded', undefined, fresh.id],
      ])
    }),

    must('CR-804', 'log that a draft was discarded, and keep its events', async (api, expect) => {
      const { id } = await api.draft()
      succeeded(await api.send('author', 'DELETE', api.path(id)))
      expect(await typesOf(api, id)).toEqual(['change-request-created', 'change-added', 'change-request-discarded'])
    }),

    must('CR-805', 'log a rejection and a cancellation', async (api, expect) => {
      const last = async (state: string) => (await typesOf(api, (await api.inState(state)).id)).at(-1)
      expect(await last('Rejected')).toBe('change-request-rejected')
      expect(await last('Cancelled')).toBe('change-request-cancelled')
    }),

    must('CR-806', 'log an edit after the approval with only the event of that edit', async (api, expect) => {
      const { id } = await api.approved()
      const before = await typesOf(api, id)
      succeeded(await api.propose(api.change(1)))
      expect(await typesOf(api, id)).toEqual([...before, 'change-added'])
    }),

    must('CR-807', 'log nothing for titles, comments and rejected requests', async (api, expect) => {
      const { id } = await api.inReview()
      const before = succeeded(await log(api, ofProject(api))).body.totalEvents
      succeeded(await api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: 'new' } }))
      succeeded(await api.send('reader', 'POST', api.path(`${id}/comments`), { body: { text: 'hello' } }))
      await api.move('author', id, 'Approved')
      await api.move('reviewer', id, 'Applied')
      await api.move('reader', id, 'Approved')
      await api.propose([])
      expect(succeeded(await log(api, ofProject(api))).body.totalEvents).toBe(before)
    }),

    must('CR-808', 'log settings only if they changed', async (api, expect) => {
      const newest = async () => succeeded(await log(api, ofProject(api))).body.events[0]
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
      const { id, type, data, preData } = await newest()
      expect([type, data, preData]).toEqual([
        'change-request-configuration-updated',
        { changeRequestsEnabled: true, requiredApprovals: 3 },
        { changeRequestsEnabled: true, requiredApprovals: 1 },
      ])
      await api.settings({ changeRequestsEnabled: true, requiredApprovals: 3 })
      expect((await newest()).id).toBe(id)
    }),

    must('CR-811', 'return version 1, the events newest first, and their total', async (api, expect) => {
      await api.draft(3)
      const { status, body } = await log(api, ofProject(api))
      const ids = body.events.map(({ id }: Json) => id)
      expect([status, Object.keys(body).toSorted(), body.version]).toEqual([
        200,
        ['events', 'totalEvents', 'version'],
        1,
      ])
      expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))
      expect(body.totalEvents).toBe(ids.length)
      expect([...new Set(body.events.map(({ project }: Json) => project))]).toEqual([api.project])
    }),

    must('CR-812', 'return every field of an event and no others', async (api, expect) => {
      const { id } = await api.draft()
      const [created, added] = await api.eventsOf(id)
      expect(Object.keys(created).toSorted()).toEqual(fields.toSorted())
      expect([created.project, created.environment, created.featureName, created.preData, created.label]).toEqual([
        api.project,
        api.environment,
        api.feature,
        null,
        'Change request created',
      ])
      expect([typeof created.summary, Array.isArray(added.tags)]).toEqual(['string', true])
    }),

    must('CR-813', 'return at most the newest 100 events without a project', async (api, expect) => {
      const { id } = await api.draft()
      const { body } = succeeded(await log(api))
      expect([body.events.length <= 100, body.events.length <= body.totalEvents]).toEqual([true, true])
      const newest = succeeded(await log(api, ofProject(api))).body.events[0]
      expect([newest.data.changeRequestId, body.events[0].id >= newest.id]).toEqual([id, true])
    }),

    must('CR-814', 'return 200 and no events for an unknown project', async (api, expect) => {
      for (const project of ['no-such-project-here', '%20%00%ff', '..']) {
        const { status, body } = await log(api, `?project=${project}`)
        expect([project, status, body]).toEqual([project, 200, { version: 1, events: [], totalEvents: 0 }])
      }
    }),

    must('CR-815', 'return 304 while there are no new events', async (api, expect) => {
      await api.draft()
      for (const query of ['', ofProject(api)]) {
        const tag = succeeded(await log(api, query)).headers.get('etag') ?? ''
        const again = await api.get(`/events${query}`, 'admin', { 'If-None-Match': tag })
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
        succeeded(await api.propose(api.change(1)))
        expect((await api.get(`/events${query}`, 'admin', { 'If-None-Match': tag })).status).toBe(200)
      }
    }),

    must('CR-816', 'deny reading without READ_EVENTS, and name the permission', async (api, expect) => {
      for (const query of ['', ofProject(api)]) {
        const response = await api.get(`/events${query}`, 'reader')
        expect([...errorOf(response), response.body.permissions]).toEqual([403, 'PermissionError', ['READ_EVENTS']])
      }
    }),

    must('CR-817', 'reject a duplicate project parameter with 400', async (api, expect) => {
      expect(errorOf(await log(api, '?project=a&project=b'))).toEqual([400, 'BadDataError'])
    }),
  ],
}
