import { must, type RuleGroup } from '../rule'
import type { Caller } from '../wire/host'
import { granted, type Json, refusal, type World } from '../world'

const states = ['Draft', 'In review', 'Approved', 'Applied', 'Rejected', 'Cancelled']

const rename = (world: World, who: Caller, id: number, title: unknown) =>
  world.send(who, 'PUT', world.path(`${id}/title`), { body: { title } })

const comment = (world: World, who: Caller, id: number, text: unknown) =>
  world.send(who, 'POST', world.path(`${id}/comments`), { body: { text } })

const request = (world: World, who: Caller, id: number, reviewers: unknown) =>
  world.send(who, 'PUT', world.path(`${id}/approvers`), { body: { reviewers } })

const approversOf = async (world: World, id: number): Promise<Json[]> =>
  granted(await world.get(world.path(`${id}/approvers`), 'author')).body.reviewers

const available = async (world: World): Promise<Json[]> =>
  granted(await world.get(world.path(`available-reviewers/${world.environment}`))).body.reviewers

/** What the author gets for the request in each state. */
async function inEachState(world: World, ask: (id: number) => Promise<{ status: number }>): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const state of states) {
    const { id } = await world.inState(state)
    seen.push([state, (await ask(id)).status])
    await world.move('author', id, 'Cancelled')
  }
  return seen
}

export const talk: RuleGroup = {
  title: 'title, comments, approvers',
  rules: [
    must('CR-721', 'set the trimmed title, with 204, for all answers', async (world, expect) => {
      const { id, createdBy } = await world.draft()
      const { status, text } = await rename(world, 'author', id, '  Turn it on  ')
      expect([status, text]).toEqual([204, ''])
      const [listed] = granted(await world.get(world.path('pending'))).body
      const search = granted(await world.get(`/search/change-requests?createdBy=IS:${createdBy.id}&limit=1`)).body
      expect([(await world.read(id)).title, listed.title, search.changeRequests[0].title]).toEqual(
        Array(3).fill('Turn it on'),
      )
    }),

    must('CR-722', 'take titles of 1 to 200 characters, however wide', async (world, expect) => {
      const { id } = await world.draft()
      const seen = []
      for (const title of ['\u{1f6a9}'.repeat(200), '', '   ', 'x'.repeat(201), 12, null]) {
        seen.push((await rename(world, 'author', id, title)).status)
      }
      expect(seen).toEqual([204, 400, 400, 400, 400, 400])
    }),

    must('CR-723', 'let only the author and an admin give a title', async (world, expect) => {
      const { id } = await world.inReview()
      const callers = ['author', 'admin', 'reviewer', 'reader', 'token'] as const
      const seen = await Promise.all(callers.map((who) => rename(world, who, id, `by ${who}`)))
      expect(seen.map(({ status }) => status)).toEqual([204, 204, 403, 403, 403])
    }),

    must('CR-724', 'keep the title of what is closed with 409', async (world, expect) => {
      const ask = (id: number) => rename(world, 'author', id, 'late')
      expect(await inEachState(world, ask)).toEqual(states.map((state, index) => [state, index < 3 ? 204 : 409]))
    }),

    must('CR-731', 'keep comments of all who may read, trimmed and oldest first, with 204', async (world, expect) => {
      const { id } = await world.inReview()
      const first = await comment(world, 'reader', id, ' why? ')
      await comment(world, 'author', id, 'because')
      expect([first.status, first.text]).toEqual([204, ''])
      const { comments, createdBy } = await world.read(id)
      expect(comments.map(({ text }: Json) => text)).toEqual(['why?', 'because'])
      expect([comments[0].createdBy.id === createdBy.id, comments[1].createdBy.id]).toEqual([false, createdBy.id])
    }),

    must('CR-732', 'take comments in every state', async (world, expect) => {
      const ask = (id: number) => comment(world, 'author', id, 'still here')
      expect(await inEachState(world, ask)).toEqual(states.map((state) => [state, 204]))
    }),

    must('CR-733', 'take comments of 1 to 10,000 characters and nothing beside them', async (world, expect) => {
      const { id } = await world.draft()
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
        seen.push((await world.send('author', 'POST', world.path(`${id}/comments`), { body })).status)
      expect(seen).toEqual([204, 400, 400, 400, 400, 400])
    }),

    must('CR-734', 'refuse comments of a key without a person', async (world, expect) => {
      const { id } = await world.inReview()
      expect(refusal(await comment(world, 'token', id, 'beep'))).toEqual([403, 'OperationDeniedError'])
    }),

    must('CR-741', 'keep the requested approvers out of those available, each once', async (world, expect) => {
      const { id } = await world.draft()
      const people = (await available(world)).slice(0, 10)
      const ids = people.map((person) => person.id)
      const { status, text } = await request(world, 'author', id, [...ids, ...ids])
      expect([status, text]).toEqual([204, ''])
      expect(await approversOf(world, id)).toEqual(people)
      expect((await request(world, 'author', id, [])).status).toBe(204)
      expect(await approversOf(world, id)).toEqual([])
    }),

    must('CR-742', 'refuse approvers who are unknown, and more than ten, with 400', async (world, expect) => {
      const { id } = await world.draft()
      const lists = [[Number.MAX_SAFE_INTEGER], Array.from({ length: 11 }, (_, index) => index + 1), ['1'], 1, [1.5]]
      for (const list of lists) {
        expect([list, ...refusal(await request(world, 'author', id, list))]).toEqual([list, 400, 'BadDataError'])
      }
      expect(await approversOf(world, id)).toEqual([])
    }),

    must('CR-743', 'take approvers in Draft and In review alone, later with 409', async (world, expect) => {
      const ask = (id: number) => request(world, 'author', id, [])
      expect(await inEachState(world, ask)).toEqual(states.map((state, index) => [state, index < 2 ? 204 : 409]))
    }),

    must('CR-744', 'let only the author and an admin request approvers', async (world, expect) => {
      const { id } = await world.inReview()
      const callers = ['author', 'admin', 'reviewer', 'reader', 'token'] as const
      const seen = await Promise.all(callers.map((who) => request(world, who, id, [])))
      expect(seen.map(({ status }) => status)).toEqual([204, 204, 403, 403, 403])
    }),

    must('CR-745', 'take a requested approver for advice: others approve as well', async (world, expect) => {
      const { id } = await world.draft()
      const ids = (await available(world)).slice(0, 1).map((person) => person.id)
      granted(await request(world, 'author', id, ids))
      granted(await world.move('author', id, 'In review'))
      const votes = await world.move('reviewer2', id, 'Approved')
      expect([votes.status, votes.body.state]).toEqual([200, 'Approved'])
    }),
  ],
}
