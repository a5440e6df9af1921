import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']

const rename = (api: Api, who: Caller, id: number, title: unknown) =>
  api.send(who, 'PUT', api.path(`${id}/title`), { body: { title } })

const comment = (api: Api, who: Caller, id: number, text: unknown) =>
  api.send(who, 'POST', api.path(`${id}/comments`), { body: { text } })

const onComment = (api: Api, who: Caller, method: 'PUT' | 'DELETE', id: number, below: string, body?: unknown) =>
  api.send(who, method, api.path(`${id}/comments${below}`), body === undefined ? {} : { body })

const textsOf = async (api: Api, id: number): Promise<string[]> =>
  (await api.read(id)).comments.map(({ text }: Json) => text)

const tagOf = async (api: Api, id: number) => succeeded(await api.get(api.path(String(id)))).headers.get('etag')

const request = (api: Api, who: Caller, id: number, reviewers: unknown) =>
  api.send(who, 'PUT', api.path(`${id}/approvers`), { body: { reviewers } })

const approversOf = async (api: Api, id: number): Promise<Json[]> =>
  succeeded(await api.get(api.path(`${id}/approvers`), 'author')).body.reviewers

const available = async (api: Api): Promise<Json[]> =>
  succeeded(await api.get(api.path(`available-reviewers/${api.environment}`))).body.reviewers

/** Sends a request as the author in each state and collects the results. */
async function inEachState(api: Api, ask: (id: number) => Promise<{ status: number }>): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const state of states) {
    const { id } = await api.inState(state)
    seen.push([state, (await ask(id)).status])
    await api.move('author', id, 'Cancelled')
  }
  return seen
}

export const discussion: RuleGroup = {
  title: 'title, comments, approvers',
  rules: [
    must('CR-721', 'trim and set the title with 204, and show it in all responses', async (api, expect) => {
      const { id, createdBy } = await api.draft()
      const { status, text } = await rename(api, 'author', id, '  Turn it on  ')
      expect([status, text]).toEqual([204, ''])
      const [listed] = succeeded(await api.get(api.path('pending'))).body
      const search = succeeded(await api.get(`/search/change-requests?createdBy=IS:${createdBy.id}&limit=1`)).body
      expect([(await api.read(id)).title, listed.title, search.changeRequests[0].title]).toEqual(
        Array(3).fill('Turn it on'),
      )
    }),

    must('CR-722', 'accept titles of 1 to 200 characters, including wide ones', async (api, expect) => {
      const { id } = await api.draft()
      const seen = []
      for (const title of ['\u{1f6a9}'.repeat(200), '', '   ', 'x'.repeat(201), 12, null]) {
        seen.push((await rename(api, 'author', id, title)).status)
      }
      expect(seen).toEqual([204, 400, 400, 400, 400, 400])
    }),

    must('CR-723', 'let only the author and an admin set the title', async (api, expect) => {
      const { id } = await api.inReview()
      const callers = ['author', 'admin', 'reviewer', 'reader', 'token'] as const
      const seen = await Promise.all(callers.map((who) => rename(api, who, id, `by ${who}`)))
      expect(seen.map(({ status }) => status)).toEqual([204, 204, 403, 403, 403])
    }),

    must('CR-724', 'reject a new title for a closed change request with 409', async (api, expect) => {
      const ask = (id: number) => rename(api, 'author', id, 'late')
      expect(await inEachState(api, ask)).toEqual(states.map((state, index) => [state, index < 3 ? 204 : 409]))
    }),

    must(
      'CR-731',
      'store trimmed comments of every user with read permission with 204, oldest first',
      async (api, expect) => {
        const { id } = await api.inReview()
        const first = await comment(api, 'reader', id, ' why? ')
        await comment(api, 'author', id, 'because')
        expect([first.status, first.text]).toEqual([204, ''])
        const { comments, createdBy } = await api.read(id)
        expect(comments.map(({ text }: Json) => text)).toEqual(['why?', 'because'])
        expect([comments[0].createdBy.id === createdBy.id, comments[1].createdBy.id]).toEqual([false, createdBy.id])
      },
    ),

    must('CR-732', 'accept comments in every state', async (api, expect) => {
      const ask = (id: number) => comment(api, 'author', id, 'still here')
      expect(await inEachState(api, ask)).toEqual(states.map((state) => [state, 204]))
    }),

    must('CR-733', 'accept comments of 1 to 10,000 characters and no other properties', async (api, expect) => {
      const { id } = await api.draft()
      const bodies = [
        { text: 'x'.repeat(10_000) },
        { text: 'x'.repeat(10_001) },
        { text: '  ' },
        {},
        { text: 1 },
        { text: 'a', more: true },
      ]
      const seen = []
      for (const body of bodies)
        seen.push((await api.send('author', 'POST', api.path(`${id}/comments`), { body })).status)
      expect(seen).toEqual([204, 400, 400, 400, 400, 400])
    }),

    must('CR-734', 'deny comments with an API key without a user', async (api, expect) => {
      const { id } = await api.inReview()
      expect(errorOf(await comment(api, 'token', id, 'beep'))).toEqual([403, 'OperationDeniedError'])
    }),

    must(
      'CR-735',
      'let the author edit and delete a comment, with 204 and a new ETag; the review keeps an entry without a text',
      async (api, expect) => {
        const { id } = await api.inReview()
        await comment(api, 'author', id, 'first')
        await comment(api, 'reader', id, 'secnd')
        const tags = [await tagOf(api, id)]
        const edited = await onComment(api, 'reader', 'PUT', id, '/2', { text: ' second ' })
        tags.push(await tagOf(api, id))
        expect([edited.status, (await textsOf(api, id)).at(-1)]).toEqual([204, 'second'])
        const { discussion: before } = await api.review(id, 'reader')
        expect(before.map((one: Json) => [one.editedAt === null, one.may])).toEqual([
          [true, []],
          [false, ['edit', 'delete', 'resolve']],
        ])
        expect((await onComment(api, 'reader', 'DELETE', id, '/2')).status).toBe(204)
        tags.push(await tagOf(api, id))
        expect([new Set(tags).size, await textsOf(api, id)]).toEqual([3, ['first']])
        const { discussion } = await api.review(id, 'reader')
        expect(discussion.map((one: Json) => [one.text, one.deleted?.by.id, one.may])).toEqual([
          ['first', undefined, []],
          [null, discussion[1].author.id, []],
        ])
        expect((await onComment(api, 'reader', 'PUT', id, '/2', { text: 'third' })).status).toBe(404)
        await comment(api, 'reader', id, 'third')
        expect((await api.read(id)).comments.map((one: Json) => one.id)).toEqual([1, 3])
      },
    ),

    must(
      'CR-736',
      'deny edits of comments of others with 403, and reject them with 409 after a comment, a vote or a step',
      async (api, expect) => {
        const { id } = await api.inReview({ approvals: 2 })
        const edit = async (who: Caller, commentId: number) => {
          const put = await onComment(api, who, 'PUT', id, `/${commentId}`, { text: 'other' })
          expect((await onComment(api, who, 'DELETE', id, `/${commentId}`)).status).toBe(put.status)
          return errorOf(put)
        }
        await comment(api, 'author', id, 'why')
        expect(await edit('admin', 1)).toEqual([403, 'OperationDeniedError'])
        await comment(api, 'reader', id, 'because')
        expect(await edit('author', 1)).toEqual([409, 'ConflictError'])
        succeeded(await api.move('reviewer', id, 'Approved', { comment: 'fine' }))
        expect([await edit('reader', 2), await edit('reviewer', 3)]).toEqual(Array(2).fill([409, 'ConflictError']))
        await comment(api, 'author', id, 'late')
        succeeded(await api.move('author', id, 'Cancelled'))
        expect(await edit('author', 4)).toEqual([409, 'ConflictError'])
      },
    ),

    must(
      'CR-737',
      'let the author of a comment, the author of the change request and approvers resolve it with 204 until it is closed',
      async (api, expect) => {
        const { id } = await api.inReview()
        await comment(api, 'reader', id, 'why')
        const resolve = (who: Caller, resolved: unknown) =>
          onComment(api, who, 'PUT', id, '/1/resolution', { resolved })
        const stateOf = async () => (await api.review(id)).discussion[0].resolved
        for (const who of ['reader', 'author', 'reviewer'] as const) {
          expect([(await resolve(who, true)).status, typeof (await stateOf()).by.id]).toEqual([204, 'number'])
          const tag = await tagOf(api, id)
          expect([(await resolve(who, true)).status, await tagOf(api, id)]).toEqual([204, tag])
          expect([(await resolve(who, false)).status, await stateOf()]).toEqual([204, null])
        }
        expect((await resolve('author', 1)).status).toBe(400)
        expect((await api.read(id)).comments.length).toBe(1)
        await comment(api, 'author', id, 'because')
        const denied = await onComment(api, 'reader', 'PUT', id, '/2/resolution', { resolved: true })
        expect(errorOf(denied)).toEqual([403, 'PermissionError'])
        await api.move('author', id, 'Cancelled')
        expect(errorOf(await resolve('author', true))).toEqual([409, 'ConflictError'])
      },
    ),

    must('CR-741', 'store the requested approvers, each once, if they are available approvers', async (api, expect) => {
      const { id } = await api.draft()
      const people = (await available(api)).slice(0, 10)
      const ids = people.map((person) => person.id)
      const { status, text } = await request(api, 'author', id, [...ids, ...ids])
      expect([status, text]).toEqual([204, ''])
      expect(await approversOf(api, id)).toEqual(people)
      expect((await request(api, 'author', id, [])).status).toBe(204)
      expect(await approversOf(api, id)).toEqual([])
    }),

    must('CR-742', 'reject unknown approvers and more than ten with 400', async (api, expect) => {
      const { id } = await api.draft()
      const lists = [[Number.MAX_SAFE_INTEGER], Array.from({ length: 11 }, (_, index) => index + 1), ['1'], 1, [1.5]]
      for (const list of lists) {
        expect([list, ...errorOf(await request(api, 'author', id, list))]).toEqual([list, 400, 'BadDataError'])
      }
      expect(await approversOf(api, id)).toEqual([])
    }),

    must(
      'CR-743',
      'accept requested approvers only in Draft and In review, and reject them later with 409',
      async (api, expect) => {
        const ask = (id: number) => request(api, 'author', id, [])
        expect(await inEachState(api, ask)).toEqual(states.map((state, index) => [state, index < 2 ? 204 : 409]))
      },
    ),

    must('CR-744', 'let only the author and an admin request approvers', async (api, expect) => {
      const { id } = await api.inReview()
      const callers = ['author', 'admin', 'reviewer', 'reader', 'token'] as const
      const seen = await Promise.all(callers.map((who) => request(api, who, id, [])))
      expect(seen.map(({ status }) => status)).toEqual([204, 204, 403, 403, 403])
    }),

    must('CR-745', 'accept approvals of users who are not requested approvers', async (api, expect) => {
      const { id } = await api.draft()
      const ids = (await available(api)).slice(0, 1).map((person) => person.id)
      succeeded(await request(api, 'author', id, ids))
      succeeded(await api.move('author', id, 'In review'))
      const votes = await api.move('reviewer2', id, 'Approved')
      expect([votes.status, votes.body.state]).toEqual([200, 'Approved'])
    }),
  ],
}
