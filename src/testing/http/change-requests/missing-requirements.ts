import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const stepOf = ({ steps }: Json, step: string): Json => steps.find((one: Json) => one.step === step)

const reviews = async (api: Api, query: string, who: 'author' | 'reviewer'): Promise<Json> =>
  succeeded(await api.get(`/reviews?project=${api.project}&${query}`, who)).body

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

/** The steps behind each target state of operation 15, and their callers. */
const tried = [
  ['author', 'submit', 'In review'],
  ['author', 'approve', 'Approved'],
  ['reviewer', 'approve', 'Approved'],
  ['reader', 'reject', 'Rejected'],
  ['reviewer', 'apply', 'Applied'],
  ['reviewer', 'cancel', 'Cancelled'],
  ['token', 'apply', 'Applied'],
] as const

/** @see contract 12 */
export const missingRequirements: RuleGroup = {
  title: 'missing requirements and lists of reviews',
  rules: [
    must('CR-411', 'list every step for the caller, with the entity tag of the change request', async (api, expect) => {
      const { id } = await api.inReview()
      const { headers, body } = succeeded(await api.get(api.path(`${id}/review`), 'reviewer'))
      const tag = succeeded(await api.get(api.path(id))).headers.get('etag')
      expect([headers.get('etag'), `"${body.revision}"`]).toEqual([tag, tag])
      const stops = api.objections ? ' object liftObjection dismissObjection takeBackApproval' : ''
      const first = `edit submit approve reject${stops} cancel discard schedule presetSchedule withdrawPresetSchedule`
      const steps = `${first} apply applyInEmergency settle acknowledge`.split(' ')
      expect(body.steps.slice(0, steps.length).map(({ step }: Json) => step)).toEqual(steps)
      for (const { allowed, missing } of body.steps) expect(allowed).toBe(missing.length === 0)
      expect([stepOf(body, 'approve').allowed, stepOf(body, 'cancel').allowed]).toEqual([true, false])
    }),

    must(
      'CR-412',
      'reject a step with the missing requirements of the review, in the same words',
      async (api, expect) => {
        for (const state of ['In review', 'Approved', 'Cancelled']) {
          const { id } = await api.inState(state)
          for (const [who, step, target] of tried) {
            const { allowed, missing } = stepOf(await api.review(id, who), step)
            if (allowed) continue
            const { status, body } = await api.move(who, id, target)
            expect([state, who, step, body.details]).toEqual([state, who, step, missing])
            expect([403, 409].includes(status)).toBe(true)
          }
          await api.move('author', id, 'Cancelled')
        }
      },
    ),

    must('CR-413', 'accept every step that the review allows', async (api, expect) => {
      const { id } = await api.draft()
      for (const [who, step, target] of [
        ['author', 'submit', 'In review'],
        ['reviewer', 'approve', 'Approved'],
        ['author', 'apply', 'Applied'],
      ] as const) {
        expect(stepOf(await api.review(id, who), step)).toEqual({
          step,
          allowed: true,
          offered: true,
          missing: [],
        })
        expect((await api.move(who, id, target)).status).toBe(200)
      }
    }),

    must('CR-414', "return 404 for the review of another user's draft", async (api, expect) => {
      const { id } = await api.draft()
      expect(errorOf(await api.get(api.path(`${id}/review`), 'admin'))).toEqual([404, 'NotFoundError'])
      expect(errorOf(await api.get(api.path(`${id}/timeline`), 'admin'))).toEqual([404, 'NotFoundError'])
    }),

    must('CR-415', 'count the approvals towards the minimum', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      succeeded(await api.move('reviewer', id, 'Approved'))
      const { requirements } = await api.review(id)
      const [{ name, approvals, given, from, approvedBy }] = requirements
      expect([name, approvals, given, from, approvedBy.length]).toEqual(['minimum', 2, 1, null, 1])
      expect(stepOf(await api.review(id), 'apply').missing.map(({ code }: Json) => code)).toEqual(['missing-approvals'])
    }),

    must(
      'CR-416',
      'accept a vote with the digest of the review, and reject another digest with 412',
      async (api, expect) => {
        const { id } = await api.inReview()
        const { digest } = await api.review(id, 'reviewer')
        const vote = (named: string) =>
          api.send('reviewer', 'PUT', api.path(`${id}/state`), { body: { state: 'Approved', digest: named } })
        expect(errorOf(await vote('sha256:other'))).toEqual([412, 'PreconditionFailedError'])
        expect((await vote(digest)).status).toBe(200)
      },
    ),

    must('CR-417', 'store which change a comment is about', async (api, expect) => {
      const draft = await api.draft()
      const changeId = draft.features[0].changes[0].id
      const path = api.path(`${draft.id}/comments`)
      succeeded(await api.send('author', 'POST', path, { body: { text: 'This one', changeId } }))
      succeeded(await api.send('author', 'POST', path, { body: { text: 'All of it' } }))
      const { discussion } = await api.review(draft.id)
      expect(discussion.map((one: Json) => [one.text, one.changeId])).toEqual([
        ['This one', changeId],
        ['All of it', null],
      ])
      const unknown = await api.send('author', 'POST', path, {
        body: { text: 'None', changeId: changeId + 1_000_000 },
      })
      expect(errorOf(unknown)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-418', 'return the caller and their permissions in a place', async (api, expect) => {
      const { createdBy } = await api.draft()
      const place = `/me?project=${api.project}&environment=${api.environment}`
      const { permissions, groups, ...author } = succeeded(await api.get(place)).body
      expect([author.id, Array.isArray(groups)]).toEqual([createdBy.id, true])
      expect(permissions.includes('CREATE_CHANGE_REQUEST')).toBe(true)
      const nobody = succeeded(await api.get(place, 'nobody')).body
      expect(nobody.permissions).toEqual([])
      expect('permissions' in succeeded(await api.get('/me', 'token')).body).toBe(false)
    }),

    must('CR-419', "list change requests that wait for the caller, and the caller's own", async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      const listed = async (query: string, who: 'author' | 'reviewer') =>
        idsOf((await reviews(api, `${query}&limit=100`, who)).reviews).includes(id)
      const seen = async () => [
        await listed('needs=me', 'author'),
        await listed('needs=me', 'reviewer'),
        await listed('needs=mine', 'author'),
        await listed('needs=mine', 'reviewer'),
      ]
      expect(await seen()).toEqual([false, true, true, false])
      succeeded(await api.move('reviewer', id, 'Approved'))
      expect(await seen()).toEqual([false, false, true, false])
      const [first] = (await reviews(api, `needs=mine&query=${id}`, 'author')).reviews
      const [{ name, approvals, given }] = first.waitsFor
      expect([first.id, name, approvals, given]).toEqual([id, 'minimum', 2, 1])
    }),

    must('CR-420', 'continue a list of reviews from its cursor', async (api, expect) => {
      const older = await api.inState('Cancelled')
      const newer = await api.draft()
      const first = await reviews(api, 'needs=mine&limit=1', 'author')
      const second = await reviews(api, `needs=mine&limit=1&cursor=${first.next}`, 'author')
      expect([...idsOf(first.reviews), ...idsOf(second.reviews)]).toEqual([newer.id, older.id])
      expect(errorOf(await api.get('/reviews?cursor=x'))).toEqual([400, 'BadDataError'])
    }),

    must(
      'CR-421',
      'list the events of a change request, oldest first, for every caller who can read it',
      async (api, expect) => {
        const { id } = await api.inReview()
        const { events, next } = succeeded(await api.get(api.path(`${id}/timeline`), 'reader')).body
        expect([events.map(({ type }: Json) => type), next]).toEqual([
          ['change-request-created', 'change-added', 'change-request-sent-to-review'],
          null,
        ])
        const after = `${id}/timeline?cursor=${events[1].id}`
        expect(succeeded(await api.get(api.path(after), 'reader')).body.events).toEqual(events.slice(2))
      },
    ),

    must('CR-422', 'return the approval rules of an environment', async (api, expect) => {
      const { rules } = succeeded(await api.get(`${api.proposals}/rules`)).body
      expect(Array.isArray(rules)).toBe(true)
    }),
  ],
}
