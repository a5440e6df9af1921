import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const changesOf = ({ features }: Json): Json[] => features.flatMap(({ changes }: Json) => changes)

const changePath = (api: Api, { id }: Json, changeId: number) => api.path(`${id}/changes/${changeId}`)

const firstChange = (changeRequest: Json): number => changesOf(changeRequest)[0].id

export const editing: RuleGroup = {
  title: 'PUT and DELETE of a change, DELETE of a draft',
  rules: [
    must('CR-201', 'replace a change and give it a new id', async (api, expect) => {
      const draft = await api.draft(2)
      const path = changePath(api, draft, firstChange(draft))
      const { status, body } = await api.send('author', 'PUT', path, { body: api.change(5) })
      expect([status, body.id, changesOf(body).length]).toEqual([200, draft.id, 2])
      const old = changesOf(draft).map(({ id }) => id)
      const fresh = changesOf(body).filter(({ id }) => !old.includes(id))
      expect(fresh.map(({ payload }) => payload)).toEqual([api.change(5).payload])
      expect(changesOf(body).some(({ id }) => id === old[0])).toBe(false)
    }),

    must('CR-202', 'let an edit alter the action', async (api, expect) => {
      const draft = await api.draft()
      const path = changePath(api, draft, firstChange(draft))
      const body = { action: 'deleteSegment', payload: { id: 3 } }
      const response = succeeded(await api.send('author', 'PUT', path, { body }))
      expect([response.body.features, response.body.segments.map(({ action }: Json) => action)]).toEqual([
        [],
        ['deleteSegment'],
      ])
    }),

    must('CR-203', 'accept exactly one change for an edit', async (api, expect) => {
      const draft = await api.draft()
      const path = changePath(api, draft, firstChange(draft))
      const response = await api.send('author', 'PUT', path, { body: [api.change()] })
      expect(errorOf(response)).toEqual([400, 'BadDataError'])
    }),

    must('CR-204', 'return 404 for a change that does not exist, or no longer exists', async (api, expect) => {
      const draft = await api.draft(2)
      const gone = firstChange(draft)
      succeeded(await api.send('author', 'DELETE', changePath(api, draft, gone)))
      for (const changeId of [gone, Number.MAX_SAFE_INTEGER]) {
        const path = changePath(api, draft, changeId)
        const edit = await api.send('author', 'PUT', path, { body: api.change() })
        const discard = await api.send('author', 'DELETE', path)
        expect([errorOf(edit), errorOf(discard)]).toEqual(Array(2).fill([404, 'NotFoundError']))
      }
    }),

    must('CR-205', 'discard a change and return 200 without a body', async (api, expect) => {
      const draft = await api.draft(2)
      const { status, text } = await api.send('author', 'DELETE', changePath(api, draft, firstChange(draft)))
      expect([status, text]).toEqual([200, ''])
      expect(changesOf(await api.read(draft.id)).map(({ id }) => id)).toEqual([changesOf(draft)[1].id])
    }),

    must('CR-206', 'keep a draft whose last change was discarded', async (api, expect) => {
      const draft = await api.draft()
      succeeded(await api.send('author', 'DELETE', changePath(api, draft, firstChange(draft))))
      const { state, features } = await api.read(draft.id)
      expect([state, features]).toEqual(['Draft', []])
    }),

    must('CR-207', 'reject discarding the last change of a change request in review with 409', async (api, expect) => {
      const inReview = await api.inReview()
      const response = await api.send('author', 'DELETE', changePath(api, inReview, firstChange(inReview)))
      expect(errorOf(response)).toEqual([409, 'ConflictError'])
      expect(await api.read(inReview.id)).toEqual(inReview)
    }),

    must('CR-208', 'discard a draft for its author and return 200 without a body', async (api, expect) => {
      const { id } = await api.draft()
      const { status, text } = await api.send('author', 'DELETE', api.path(id))
      expect([status, text]).toEqual([200, ''])
      expect(errorOf(await api.get(api.path(id)))).toEqual([404, 'NotFoundError'])
      expect((await api.get(api.path('pending'))).body).toEqual([])
    }),

    must('CR-209', 'reject discarding anything but drafts with 409', async (api, expect) => {
      for (const state of ['In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']) {
        const { id } = await api.inState(state)
        const response = await api.send('author', 'DELETE', api.path(id))
        expect([state, ...errorOf(response)]).toEqual([state, 409, 'ConflictError'])
        await api.move('author', id, 'Cancelled')
      }
    }),

    must('CR-210', 'let only the author edit or discard changes, not even an admin', async (api, expect) => {
      const inReview = await api.inReview({ changes: 2 })
      const path = changePath(api, inReview, firstChange(inReview))
      const edit = await api.send('admin', 'PUT', path, { body: api.change(9) })
      const discard = await api.send('admin', 'DELETE', path)
      const all = await api.send('admin', 'DELETE', api.path(inReview.id))
      expect([edit, discard, all].map(errorOf)).toEqual(Array(3).fill([403, 'OperationDeniedError']))
      expect(await api.read(inReview.id)).toEqual(inReview)
    }),

    must('CR-211', 'reject editing the changes of a closed change request with 409', async (api, expect) => {
      for (const state of ['Applied', 'Rejected', 'Cancelled']) {
        const closed = await api.inState(state)
        const path = changePath(api, closed, firstChange(closed))
        const edit = await api.send('author', 'PUT', path, { body: api.change(9) })
        const discard = await api.send('author', 'DELETE', path)
        expect([state, errorOf(edit), errorOf(discard)]).toEqual([state, ...Array(2).fill([409, 'ConflictError'])])
        expect(await api.read(closed.id)).toEqual(closed)
      }
    }),
  ],
}
