import { must, type RuleGroup } from '../rule'
import { type Answer, granted, type Json, refusal, type World } from '../world'

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? 'no ETag'

const bound = (tag: string) => ({ headers: { 'If-Match': tag } })

const changePath = (world: World, { id, features }: Json) => world.path(`${id}/changes/${features[0].changes[0].id}`)

type Write = (world: World, current: Json, headers: Readonly<Record<string, string>>) => Promise<Answer>

const inReviewWrites: readonly (readonly [string, Write])[] = [
  ['add', (world, _, headers) => world.propose(world.change(8), 'author', headers)],
  [
    'edit',
    (world, current, headers) =>
      world.send('author', 'PUT', changePath(world, current), { body: world.change(9), headers }),
  ],
  [
    'discard a change',
    (world, current, headers) => world.send('author', 'DELETE', changePath(world, current), { headers }),
  ],
  ['approve', (world, { id }, headers) => world.move('reviewer', id, 'Approved', { headers })],
  ['reject', (world, { id }, headers) => world.move('reviewer', id, 'Rejected', { headers })],
  ['cancel', (world, { id }, headers) => world.move('author', id, 'Cancelled', { headers })],
  ['apply', (world, { id }, headers) => world.move('reviewer', id, 'Applied', { headers })],
  [
    'title',
    (world, { id }, headers) =>
      world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: 't' }, headers }),
  ],
  [
    'comment',
    (world, { id }, headers) =>
      world.send('reviewer', 'POST', world.path(`${id}/comments`), { body: { text: 't' }, headers }),
  ],
  [
    'approvers',
    (world, { id }, headers) =>
      world.send('author', 'PUT', world.path(`${id}/approvers`), { body: { reviewers: [] }, headers }),
  ],
]

export const tags: RuleGroup = {
  title: 'ETag and If-Match',
  rules: [
    must('CR-601', 'send the strong tag "id-version" with every single change request', async (world, expect) => {
      const proposed = granted(await world.propose([world.change(0), world.change(1)]))
      const { id } = proposed.body
      const edited = granted(
        await world.send('author', 'PUT', changePath(world, proposed.body), { body: world.change(2) }),
      )
      const moved = granted(await world.move('author', id, 'In review'))
      const read = granted(await world.get(world.path(id), 'reader'))
      expect([proposed, edited, moved, read].map(tagOf)).toEqual([1, 2, 3, 3].map((version) => `"${id}-${version}"`))
    }),

    must('CR-602', 'give it another tag for every write that alters it, and no other', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      const tag = async () => tagOf(await world.get(world.path(id)))
      const seen = [await tag(), await tag()]
      granted(await world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: 'new' } }))
      seen.push(await tag())
      granted(await world.send('reader', 'POST', world.path(`${id}/comments`), { body: { text: 'well' } }))
      seen.push(await tag())
      granted(await world.move('reviewer', id, 'Approved'))
      seen.push(await tag())
      await world.move('reviewer', id, 'Approved')
      seen.push(await tag())
      expect(seen).toEqual([2, 2, 3, 4, 5, 5].map((version) => `"${id}-${version}"`))
    }),

    must(
      'CR-603',
      'let a write pass whose If-Match names the present tag, in a list too, or *',
      async (world, expect) => {
        const { id } = await world.draft()
        for (const wrap of [(tag: string) => tag, (tag: string) => `"1-0", ${tag} ,"x"`, () => '*']) {
          const tag = tagOf(await world.get(world.path(id)))
          const answer = await world.propose(world.change(), 'author', { 'If-Match': wrap(tag) })
          expect([wrap(tag), answer.status]).toEqual([wrap(tag), 200])
        }
      },
    ),

    must(
      'CR-604',
      'refuse every write bound to another revision with 412, and write nothing',
      async (world, expect) => {
        const { id } = await world.inReview({ changes: 2 })
        const stale = tagOf(await world.get(world.path(id)))
        granted(await world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: 'altered' } }))
        const current = await world.read(id)
        for (const [what, write] of inReviewWrites) {
          const answer = await write(world, current, { 'If-Match': stale })
          expect([what, ...refusal(answer)]).toEqual([what, 412, 'PreconditionFailedError'])
        }
        expect(await world.read(id)).toEqual(current)
      },
    ),

    must('CR-605', 'refuse the discarding of an altered draft with 412', async (world, expect) => {
      const first = await world.propose()
      const { id } = granted(await world.propose(world.change(1))).body
      const answer = await world.send('author', 'DELETE', world.path(id), bound(tagOf(first)))
      expect(refusal(answer)).toEqual([412, 'PreconditionFailedError'])
      expect((await world.get(world.path(id))).status).toBe(200)
    }),

    must('CR-606', 'match no weak tag, and nothing that is no tag', async (world, expect) => {
      const { id } = await world.inReview()
      const tag = tagOf(await world.get(world.path(id)))
      for (const other of [`W/${tag}`, tag.replaceAll('"', ''), '""', 'nonsense']) {
        const answer = await world.move('reviewer', id, 'Approved', bound(other))
        expect([other, ...refusal(answer)]).toEqual([other, 412, 'PreconditionFailedError'])
      }
    }),

    must('CR-607', 'match nothing while a proposal would make a new change request', async (world, expect) => {
      for (const tag of ['*', '"1-1"']) {
        expect(refusal(await world.propose(world.change(), 'author', { 'If-Match': tag }))).toEqual([
          412,
          'PreconditionFailedError',
        ])
      }
      expect((await world.get(world.path('pending'))).body).toEqual([])
    }),

    must('CR-608', 'let one of several writes bound to the same revision pass', async (world, expect) => {
      const { id } = await world.draft()
      const tag = tagOf(await world.get(world.path(id)))
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: `title ${index}` }, ...bound(tag) }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(412)])
    }),

    must('CR-609', 'answer callers who may not write with that first', async (world, expect) => {
      const { id } = await world.inReview()
      const stale = bound('"0-0"')
      expect(refusal(await world.move('reader', id, 'Approved', stale))).toEqual([403, 'PermissionError'])
      expect(refusal(await world.move('author', id, 'Approved', stale))).toEqual([403, 'OperationDeniedError'])
    }),

    must('CR-610', 'ask for the revision before the state', async (world, expect) => {
      const { id } = await world.inState('Cancelled')
      const answer = await world.move('reviewer', id, 'Approved', bound('"0-0"'))
      expect(refusal(answer)).toEqual([412, 'PreconditionFailedError'])
    }),

    must('CR-611', 'let If-Match * alone pass for the settings, which carry no tag', async (world, expect) => {
      const body = { changeRequestsEnabled: true }
      expect((await world.putSettings('admin', body, { 'If-Match': '*' })).status).toBe(200)
      expect(refusal(await world.putSettings('admin', body, { 'If-Match': '"1-1"' }))).toEqual([
        412,
        'PreconditionFailedError',
      ])
    }),

    must('CR-612', 'ignore If-None-Match on a change request', async (world, expect) => {
      const { id } = await world.draft()
      const tag = tagOf(await world.get(world.path(id)))
      const answer = await world.get(world.path(id), 'author', { 'If-None-Match': tag })
      expect([answer.status, answer.body.id]).toEqual([200, id])
    }),
  ],
}
