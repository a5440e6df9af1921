import { type Api, errorOf, type HttpResponse, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const changePath = (api: Api, { id, features }: Json) => api.path(`${id}/changes/${features[0].changes[0].id}`)

/** The three ways to change the reviewed content. */
const edits: readonly (readonly [`CR-${number}`, string, (api: Api, current: Json) => Promise<HttpResponse>])[] = [
  ['CR-351', 'adding', (api) => api.propose(api.change(9))],
  ['CR-352', 'editing', (api, current) => api.send('author', 'PUT', changePath(api, current), { body: api.change(9) })],
  ['CR-353', 'discarding', (api, current) => api.send('author', 'DELETE', changePath(api, current))],
]

export const resets: RuleGroup = {
  title: 'only reviewed changes are applied',
  rules: [
    ...edits.map(([id, what, edit]) =>
      must(id, `void all approvals when ${what} a change, and require a new review`, async (api, expect) => {
        const approved = await api.approved(2)
        succeeded(await edit(api, approved))
        const half = await api.read(approved.id)
        expect([half.state, half.approvals]).toEqual(['In review', []])
        expect((await api.move('reviewer', approved.id, 'Applied')).status).toBe(409)
        expect(succeeded(await api.move('reviewer', approved.id, 'Approved')).body.state).toBe('Approved')
      }),
    ),

    must('CR-354', 'also void an approval that was not sufficient yet', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      succeeded(await api.move('reviewer', id, 'Approved'))
      const added = succeeded(await api.propose(api.change(9))).body
      expect([added.id, added.state, added.approvals]).toEqual([id, 'In review', []])
      expect(succeeded(await api.move('reviewer2', id, 'Approved')).body.state).toBe('In review')
    }),

    must('CR-355', 'keep approvals when title, comments or requested approvers change', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      succeeded(await api.move('reviewer', id, 'Approved'))
      succeeded(await api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: 'another' } }))
      succeeded(await api.send('reviewer', 'POST', api.path(`${id}/comments`), { body: { text: 'fine' } }))
      succeeded(await api.send('author', 'PUT', api.path(`${id}/approvers`), { body: { reviewers: [] } }))
      const { state, approvals } = await api.read(id)
      expect([state, approvals.length]).toEqual(['In review', 1])
    }),

    must('CR-356', 'never apply changes that are edited concurrently', async (api, expect) => {
      for (let round = 0; round < 5; round += 1) {
        const approved = await api.approved(2)
        const [edit, apply] = await Promise.all([
          api.send('author', 'PUT', changePath(api, approved), { body: api.change(9) }),
          api.move('reviewer', approved.id, 'Applied'),
        ])
        const { state, approvals } = await api.read(approved.id)
        expect([edit.status, apply.status].toSorted()[0]).toBe(200)
        expect([409, 412].includes(Math.max(edit.status, apply.status))).toBe(true)
        expect([state, approvals.length]).toEqual(apply.status === 200 ? ['Applied', 1] : ['In review', 0])
        await api.move('author', approved.id, 'Cancelled')
      }
    }),

    must('CR-357', 'reject a decision whose digest is outdated', async (api, expect) => {
      const { id } = await api.inReview()
      const decide = (state: string) =>
        api.send('reviewer', 'PUT', api.path(`${id}/state`), { body: { state, digest: 'sha256:other' } })
      for (const state of ['Approved', 'Rejected', 'Applied']) {
        expect(errorOf(await decide(state))).toEqual([412, 'PreconditionFailedError'])
      }
      expect((await api.read(id)).state).toBe('In review')
    }),
  ],
}
