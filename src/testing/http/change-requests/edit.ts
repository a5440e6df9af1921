import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const changesOf = ({ features }: Json): Json[] => features.flatMap(({ changes }: Json) => changes)

const changePath = (world: World, { id }: Json, changeId: number) => world.path(`${id}/changes/${changeId}`)

const firstChange = (changeRequest: Json): number => changesOf(changeRequest)[0].id

export const editing: RuleGroup = {
  title: 'PUT and DELETE of a change, DELETE of a draft',
  rules: [
    must('CR-201', 'replace a change, which gets a new id', async (world, expect) => {
      const draft = await world.draft(2)
      const path = changePath(world, draft, firstChange(draft))
      const { status, body } = await world.send('author', 'PUT', path, { body: world.change(5) })
      expect([status, body.id, changesOf(body).length]).toEqual([200, draft.id, 2])
      const old = changesOf(draft).map(({ id }) => id)
      const fresh = changesOf(body).filter(({ id }) => !old.includes(id))
      expect(fresh.map(({ payload }) => payload)).toEqual([world.change(5).payload])
      expect(changesOf(body).some(({ id }) => id === old[0])).toBe(false)
    }),

    must('CR-202', 'let an edit alter the action', async (world, expect) => {
      const draft = await world.draft()
      const path = changePath(world, draft, firstChange(draft))
      const body = { action: 'deleteSegment', payload: { id: 3 } }
      const answer = granted(await world.send('author', 'PUT', path, { body }))
      expect([answer.body.features, answer.body.segments.map(({ action }: Json) => action)]).toEqual([
        [],
        ['deleteSegment'],
      ])
    }),

    must('CR-203', 'take exactly one change for an edit', async (world, expect) => {
      const draft = await world.draft()
      const path = changePath(world, draft, firstChange(draft))
      const answer = await world.send('author', 'PUT', path, { body: [world.change()] })
      expect(refusal(answer)).toEqual([400, 'BadDataError'])
    }),

    must('CR-204', 'answer 404 for a change that is not there, or no longer', async (world, expect) => {
      const draft = await world.draft(2)
      const gone = firstChange(draft)
      granted(await world.send('author', 'DELETE', changePath(world, draft, gone)))
      for (const changeId of [gone, Number.MAX_SAFE_INTEGER]) {
        const path = changePath(world, draft, changeId)
        const edit = await world.send('author', 'PUT', path, { body: world.change() })
        const discard = await world.send('author', 'DELETE', path)
        expect([refusal(edit), refusal(discard)]).toEqual(Array(2).fill([404, 'NotFoundError']))
      }
    }),

    must('CR-205', 'take a change out and answer 200 without a body', async (world, expect) => {
      const draft = await world.draft(2)
      const { status, text } = await world.send('author', 'DELETE', changePath(world, draft, firstChange(draft)))
      expect([status, text]).toEqual([200, ''])
      expect(changesOf(await world.read(draft.id)).map(({ id }) => id)).toEqual([changesOf(draft)[1].id])
    }),

    must('CR-206', 'keep a draft whose last change was taken out', async (world, expect) => {
      const draft = await world.draft()
      granted(await world.send('author', 'DELETE', changePath(world, draft, firstChange(draft))))
      const { state, features } = await world.read(draft.id)
      expect([state, features]).toEqual(['Draft', []])
    }),

    must('CR-207', 'keep the last change of what is in review with 409', async (world, expect) => {
      const inReview = await world.inReview()
      const answer = await world.send('author', 'DELETE', changePath(world, inReview, firstChange(inReview)))
      expect(refusal(answer)).toEqual([409, 'ConflictError'])
      expect(await world.read(inReview.id)).toEqual(inReview)
    }),

    must('CR-208', 'throw a draft away for its author and answer 200 without a body', async (world, expect) => {
      const { id } = await world.draft()
      const { status, text } = await world.send('author', 'DELETE', world.path(id))
      expect([status, text]).toEqual([200, ''])
      expect(refusal(await world.get(world.path(id)))).toEqual([404, 'NotFoundError'])
      expect((await world.get(world.path('pending'))).body).toEqual([])
    }),

    must('CR-209', 'throw nothing away but drafts: 409', async (world, expect) => {
      for (const state of ['In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']) {
        const { id } = await world.inState(state)
        const answer = await world.send('author', 'DELETE', world.path(id))
        expect([state, ...refusal(answer)]).toEqual([state, 409, 'ConflictError'])
        await world.move('author', id, 'Cancelled')
      }
    }),

    must('CR-210', 'let nobody but the author edit or discard changes, an admin neither', async (world, expect) => {
      const inReview = await world.inReview({ changes: 2 })
      const path = changePath(world, inReview, firstChange(inReview))
      const edit = await world.send('admin', 'PUT', path, { body: world.change(9) })
      const discard = await world.send('admin', 'DELETE', path)
      const all = await world.send('admin', 'DELETE', world.path(inReview.id))
      expect([edit, discard, all].map(refusal)).toEqual(Array(3).fill([403, 'OperationDeniedError']))
      expect(await world.read(inReview.id)).toEqual(inReview)
    }),

    must('CR-211', 'keep the changes of what is closed with 409', async (world, expect) => {
      for (const state of ['Applied', 'Rejected', 'Cancelled']) {
        const closed = await world.inState(state)
        const path = changePath(world, closed, firstChange(closed))
        const edit = await world.send('author', 'PUT', path, { body: world.change(9) })
        const discard = await world.send('author', 'DELETE', path)
        expect([state, refusal(edit), refusal(discard)]).toEqual([state, ...Array(2).fill([409, 'ConflictError'])])
        expect(await world.read(closed.id)).toEqual(closed)
      }
    }),
  ],
}
