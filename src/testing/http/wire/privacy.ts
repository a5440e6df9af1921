import { type Api, errorOf, type Json, type Sent, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'
import type { Caller } from './host'

type Request = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', below: string, sent?: Sent]

/** Checks that requests of other users to a draft of the author return 404, whatever their permissions. */
async function hidden(api: Api, expect: (actual: unknown) => { toEqual(expected: unknown): void }, make: Make) {
  const draft = await api.draft(2)
  for (const who of ['admin', 'reviewer', 'token'] satisfies Caller[]) {
    for (const [method, below, sent] of make(draft)) {
      const response = await api.send(who, method, api.path(`${draft.id}${below}`), sent)
      expect([who, method, below, ...errorOf(response)]).toEqual([who, method, below, 404, 'NotFoundError'])
    }
  }
  expect(await api.read(draft.id)).toEqual(draft)
}

type Make = (draft: Json) => readonly Request[]

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

export const privacy: RuleGroup = {
  title: "another user's draft",
  rules: [
    must('CR-501', 'return 404 when another user reads it, including admins', (api, expect) =>
      hidden(api, expect, () => [
        ['GET', ''],
        ['GET', '/approvers'],
      ]),
    ),

    must('CR-502', 'return 404 for every requested state', (api, expect) =>
      hidden(api, expect, () => states.map((state): Request => ['PUT', '/state', { body: { state } }])),
    ),

    must('CR-503', 'return 404 for editing and discarding', (api, expect) =>
      hidden(api, expect, (draft) => {
        const change = `/changes/${draft.features[0].changes[0].id}`
        return [
          ['PUT', change, { body: { action: 'deleteSegment', payload: { id: 1 } } }],
          ['DELETE', change],
          ['DELETE', ''],
        ]
      }),
    ),

    must('CR-504', 'return 404 for title, comments and approvers', (api, expect) =>
      hidden(api, expect, () => [
        ['PUT', '/title', { body: { title: 'mine' } }],
        ['POST', '/comments', { body: { text: 'hello' } }],
        ['PUT', '/approvers', { body: { reviewers: [] } }],
      ]),
    ),

    must('CR-505', 'return 404 before checking If-Match', (api, expect) =>
      hidden(api, expect, () => [
        ['PUT', '/state', { body: { state: 'Cancelled' }, headers: { 'If-Match': '"0-0"' } }],
        ['PUT', '/title', { body: { title: 'mine' }, headers: { 'If-Match': '*' } }],
      ]),
    ),

    must('CR-506', 'exclude it from the lists and the search', async (api, expect) => {
      const { id, createdBy } = await api.draft()
      const queries = ['', `?createdBy=IS:${createdBy.id}&limit=1000`]
      for (const who of ['admin', 'reviewer'] as const) {
        for (const below of ['', 'pending', 'open', `pending/${encodeURIComponent(api.feature)}`]) {
          expect([who, below, idsOf(succeeded(await api.get(api.path(below), who)).body).includes(id)]).toEqual([
            who,
            below,
            false,
          ])
        }
        for (const query of queries) {
          const { changeRequests } = succeeded(await api.get(`/search/change-requests${query}`, who)).body
          expect([who, query, idsOf(changeRequests).includes(id)]).toEqual([who, query, false])
        }
      }
    }),

    must('CR-507', 'exclude it from the counts', async (api, expect) => {
      const numbers = async () => [
        succeeded(await api.get(api.path('count'), 'admin')).body,
        succeeded(await api.get(api.path('actionable'), 'admin')).body,
      ]
      const before = await numbers()
      await api.draft()
      expect(await numbers()).toEqual(before)
    }),

    must('CR-508', 'show it to callers with read permission once it is submitted for review', async (api, expect) => {
      const { id } = await api.draft()
      succeeded(await api.move('author', id, 'In review'))
      expect((await api.get(api.path(id), 'reader')).status).toBe(200)
      expect(idsOf(succeeded(await api.get(api.path(), 'reader')).body).includes(id)).toBe(true)
    }),
  ],
}
