import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type Sent, type World } from '../world'
import type { Caller } from './host'

type Request = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', below: string, sent?: Sent]

/** A draft of the author is not there for others, who might otherwise do all of this. */
async function hidden(world: World, expect: (actual: unknown) => { toEqual(expected: unknown): void }, make: Make) {
  const draft = await world.draft(2)
  for (const who of ['admin', 'reviewer', 'token'] satisfies Caller[]) {
    for (const [method, below, sent] of make(draft)) {
      const answer = await world.send(who, method, world.path(`${draft.id}${below}`), sent)
      expect([who, method, below, ...refusal(answer)]).toEqual([who, method, below, 404, 'NotFoundError'])
    }
  }
  expect(await world.read(draft.id)).toEqual(draft)
}

type Make = (draft: Json) => readonly Request[]

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

export const privacy: RuleGroup = {
  title: "somebody else's draft",
  rules: [
    must('CR-501', 'answer 404 to reading it, for an admin as well', (world, expect) =>
      hidden(world, expect, () => [
        ['GET', ''],
        ['GET', '/approvers'],
      ]),
    ),

    must('CR-502', 'answer 404 to every state asked for', (world, expect) =>
      hidden(world, expect, () => states.map((state): Request => ['PUT', '/state', { body: { state } }])),
    ),

    must('CR-503', 'answer 404 to editing and discarding', (world, expect) =>
      hidden(world, expect, (draft) => {
        const change = `/changes/${draft.features[0].changes[0].id}`
        return [
          ['PUT', change, { body: { action: 'deleteSegment', payload: { id: 1 } } }],
          ['DELETE', change],
          ['DELETE', ''],
        ]
      }),
    ),

    must('CR-504', 'answer 404 to title, comments and approvers', (world, expect) =>
      hidden(world, expect, () => [
        ['PUT', '/title', { body: { title: 'mine' } }],
        ['POST', '/comments', { body: { text: 'hello' } }],
        ['PUT', '/approvers', { body: { reviewers: [] } }],
      ]),
    ),

    must('CR-505', 'answer 404 before it looks at If-Match', (world, expect) =>
      hidden(world, expect, () => [
        ['PUT', '/state', { body: { state: 'Cancelled' }, headers: { 'If-Match': '"0-0"' } }],
        ['PUT', '/title', { body: { title: 'mine' }, headers: { 'If-Match': '*' } }],
      ]),
    ),

    must('CR-506', 'leave it out of the lists and the search', async (world, expect) => {
      const { id, createdBy } = await world.draft()
      const queries = ['', `?createdBy=IS:${createdBy.id}&limit=1000`]
      for (const who of ['admin', 'reviewer'] as const) {
        for (const below of ['', 'pending', 'open', `pending/${world.feature}`]) {
          expect([who, below, idsOf(granted(await world.get(world.path(below), who)).body).includes(id)]).toEqual([
            who,
            below,
            false,
          ])
        }
        for (const query of queries) {
          const { changeRequests } = granted(await world.get(`/search/change-requests${query}`, who)).body
          expect([who, query, idsOf(changeRequests).includes(id)]).toEqual([who, query, false])
        }
      }
    }),

    must('CR-507', 'leave it out of the counts', async (world, expect) => {
      const numbers = async () => [
        granted(await world.get(world.path('count'), 'admin')).body,
        granted(await world.get(world.path('actionable'), 'admin')).body,
      ]
      const before = await numbers()
      await world.draft()
      expect(await numbers()).toEqual(before)
    }),

    must('CR-508', 'show it to those who may read once it is sent to review', async (world, expect) => {
      const { id } = await world.draft()
      granted(await world.move('author', id, 'In review'))
      expect((await world.get(world.path(id), 'reader')).status).toBe(200)
      expect(idsOf(granted(await world.get(world.path(), 'reader')).body).includes(id)).toBe(true)
    }),
  ],
}
