import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const review = async (world: World, id: number, who: 'author' | 'reviewer' | 'reader' | 'token' = 'author') =>
  granted(await world.get(world.path(`${id}/review`), who))

const stepOf = ({ steps }: Json, step: string): Json => steps.find((one: Json) => one.step === step)

const reviews = async (world: World, query: string, who: 'author' | 'reviewer'): Promise<Json> =>
  granted(await world.get(`/reviews?project=${world.project}&${query}`, who)).body

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

/** The steps that a state leads to by operation 15, and who tries them. */
const tried = [
  ['author', 'submit', 'In review'],
  ['author', 'approve', 'Approved'],
  ['reviewer', 'approve', 'Approved'],
  ['reader', 'reject', 'Rejected'],
  ['reviewer', 'apply', 'Applied'],
  ['reviewer', 'cancel', 'Cancelled'],
  ['token', 'apply', 'Applied'],
] as const

/** @see extensions 1 */
export const whatIsMissing: RuleGroup = {
  title: 'what is missing, and lists for pages',
  rules: [
    must(
      'CR-411',
      'list every step for the caller, with the entity tag of the change request',
      async (world, expect) => {
        const { id } = await world.inReview()
        const { headers, body } = await review(world, id, 'reviewer')
        const tag = granted(await world.get(world.path(id))).headers.get('etag')
        expect([headers.get('etag'), `"${body.revision}"`]).toEqual([tag, tag])
        const steps = 'edit submit approve reject cancel discard schedule apply applyInEmergency settle acknowledge'
        expect(body.steps.slice(0, 11).map(({ step }: Json) => step)).toEqual(steps.split(' '))
        for (const { allowed, missing } of body.steps) expect(allowed).toBe(missing.length === 0)
        expect([stepOf(body, 'approve').allowed, stepOf(body, 'cancel').allowed]).toEqual([true, false])
      },
    ),

    must('CR-412', 'refuse a step with what the review lists, in the same words', async (world, expect) => {
      for (const state of ['In review', 'Approved', 'Cancelled']) {
        const { id } = await world.inState(state)
        for (const [who, step, target] of tried) {
          const { allowed, missing } = stepOf((await review(world, id, who)).body, step)
          if (allowed) continue
          const { status, body } = await world.move(who, id, target)
          expect([state, who, step, body.details]).toEqual([state, who, step, missing])
          expect([403, 409].includes(status)).toBe(true)
        }
        await world.move('author', id, 'Cancelled')
      }
    }),

    must('CR-413', 'let a step succeed that the review allows', async (world, expect) => {
      const { id } = await world.draft()
      for (const [who, step, target] of [
        ['author', 'submit', 'In review'],
        ['reviewer', 'approve', 'Approved'],
        ['author', 'apply', 'Applied'],
      ] as const) {
        expect(stepOf((await review(world, id, who)).body, step)).toEqual({ step, allowed: true, missing: [] })
        expect((await world.move(who, id, target)).status).toBe(200)
      }
    }),

    must('CR-414', "answer 404 to a review of somebody else's draft", async (world, expect) => {
      const { id } = await world.draft()
      expect(refusal(await world.get(world.path(`${id}/review`), 'admin'))).toEqual([404, 'NotFoundError'])
      expect(refusal(await world.get(world.path(`${id}/timeline`), 'admin'))).toEqual([404, 'NotFoundError'])
    }),

    must('CR-415', 'count the approvals of the minimum', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      granted(await world.move('reviewer', id, 'Approved'))
      const { requirements } = (await review(world, id)).body
      const [{ name, approvals, given, from, approvedBy }] = requirements
      expect([name, approvals, given, from, approvedBy.length]).toEqual(['minimum', 2, 1, null, 1])
      expect(stepOf((await review(world, id)).body, 'apply').missing.map(({ code }: Json) => code)).toEqual([
        'missing-approvals',
      ])
    }),

    must('CR-416', 'accept a vote on the digest of the review, and refuse another with 412', async (world, expect) => {
      const { id } = await world.inReview()
      const { digest } = (await review(world, id, 'reviewer')).body
      const vote = (named: string) =>
        world.send('reviewer', 'PUT', world.path(`${id}/state`), { body: { state: 'Approved', digest: named } })
      expect(refusal(await vote('sha256:other'))).toEqual([412, 'PreconditionFailedError'])
      expect((await vote(digest)).status).toBe(200)
    }),

    must('CR-417', 'keep with a comment which change it is about', async (world, expect) => {
      const draft = await world.draft()
      const changeId = draft.features[0].changes[0].id
      const path = world.path(`${draft.id}/comments`)
      granted(await world.send('author', 'POST', path, { body: { text: 'This one', changeId } }))
      granted(await world.send('author', 'POST', path, { body: { text: 'All of it' } }))
      const { discussion } = (await review(world, draft.id)).body
      expect(discussion.map((one: Json) => [one.text, one.changeId])).toEqual([
        ['This one', changeId],
        ['All of it', null],
      ])
      const unknown = await world.send('author', 'POST', path, {
        body: { text: 'None', changeId: changeId + 1_000_000 },
      })
      expect(refusal(unknown)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-418', 'answer who the caller is, and what they hold in a place', async (world, expect) => {
      const { createdBy } = await world.draft()
      const place = `/me?project=${world.project}&environment=${world.environment}`
      const { permissions, groups, ...author } = granted(await world.get(place)).body
      expect([author.id, Array.isArray(groups)]).toEqual([createdBy.id, true])
      expect(permissions.includes('CREATE_CHANGE_REQUEST')).toBe(true)
      const nobody = granted(await world.get(place, 'nobody')).body
      expect(nobody.permissions).toEqual([])
      expect('permissions' in granted(await world.get('/me', 'token')).body).toBe(false)
    }),

    must('CR-419', 'list what the caller can move on, and what they made', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      const listed = async (query: string, who: 'author' | 'reviewer') =>
        idsOf((await reviews(world, `${query}&limit=100`, who)).reviews).includes(id)
      const seen = async () => [
        await listed('needs=me', 'author'),
        await listed('needs=me', 'reviewer'),
        await listed('needs=mine', 'author'),
        await listed('needs=mine', 'reviewer'),
      ]
      expect(await seen()).toEqual([false, true, true, false])
      granted(await world.move('reviewer', id, 'Approved'))
      expect(await seen()).toEqual([false, false, true, false])
      const [first] = (await reviews(world, `needs=mine&query=${id}`, 'author')).reviews
      const [{ name, approvals, given }] = first.waitsFor
      expect([first.id, name, approvals, given]).toEqual([id, 'minimum', 2, 1])
    }),

    must('CR-420', 'go on with a list of reviews from its cursor', async (world, expect) => {
      const older = await world.inState('Cancelled')
      const newer = await world.draft()
      const first = await reviews(world, 'needs=mine&limit=1', 'author')
      const second = await reviews(world, `needs=mine&limit=1&cursor=${first.next}`, 'author')
      expect([...idsOf(first.reviews), ...idsOf(second.reviews)]).toEqual([newer.id, older.id])
      expect(refusal(await world.get('/reviews?cursor=x'))).toEqual([400, 'BadDataError'])
    }),

    must(
      'CR-421',
      'list the events of a change request, oldest first, to whoever may read it',
      async (world, expect) => {
        const { id } = await world.inReview()
        const { events, next } = granted(await world.get(world.path(`${id}/timeline`), 'reader')).body
        expect([events.map(({ type }: Json) => type), next]).toEqual([
          ['change-request-created', 'change-added', 'change-request-sent-to-review'],
          null,
        ])
        const after = `${id}/timeline?cursor=${events[1].id}`
        expect(granted(await world.get(world.path(after), 'reader')).body.events).toEqual(events.slice(2))
      },
    ),

    must('CR-422', 'answer the approval rules of an environment', async (world, expect) => {
      const { rules } = granted(await world.get(`${world.proposals}/rules`)).body
      expect(Array.isArray(rules)).toBe(true)
    }),
  ],
}
