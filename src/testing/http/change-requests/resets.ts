import { must, type RuleGroup } from '../rule'
import { type Answer, granted, type Json, refusal, type World } from '../world'

const changePath = (world: World, { id, features }: Json) => world.path(`${id}/changes/${features[0].changes[0].id}`)

/** The three ways to alter what was reviewed. */
const edits: readonly (readonly [`CR-${number}`, string, (world: World, current: Json) => Promise<Answer>])[] = [
  ['CR-351', 'adding', (world) => world.propose(world.change(9))],
  [
    'CR-352',
    'editing',
    (world, current) => world.send('author', 'PUT', changePath(world, current), { body: world.change(9) }),
  ],
  ['CR-353', 'discarding', (world, current) => world.send('author', 'DELETE', changePath(world, current))],
]

export const resets: RuleGroup = {
  title: 'what was reviewed is what is applied',
  rules: [
    ...edits.map(([id, what, edit]) =>
      must(id, `void all approvals for ${what} a change, and ask for a new review`, async (world, expect) => {
        const approved = await world.approved(2)
        granted(await edit(world, approved))
        const half = await world.read(approved.id)
        expect([half.state, half.approvals]).toEqual(['In review', []])
        expect((await world.move('reviewer', approved.id, 'Applied')).status).toBe(409)
        expect(granted(await world.move('reviewer', approved.id, 'Approved')).body.state).toBe('Approved')
      }),
    ),

    must('CR-354', 'void an approval that was not yet enough as well', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      granted(await world.move('reviewer', id, 'Approved'))
      const added = granted(await world.propose(world.change(9))).body
      expect([added.id, added.state, added.approvals]).toEqual([id, 'In review', []])
      expect(granted(await world.move('reviewer2', id, 'Approved')).body.state).toBe('In review')
    }),

    must('CR-355', 'keep approvals when title, comments or requested approvers change', async (world, expect) => {
      const { id } = await world.inReview({ approvals: 2 })
      granted(await world.move('reviewer', id, 'Approved'))
      granted(await world.send('author', 'PUT', world.path(`${id}/title`), { body: { title: 'another' } }))
      granted(await world.send('reviewer', 'POST', world.path(`${id}/comments`), { body: { text: 'fine' } }))
      granted(await world.send('author', 'PUT', world.path(`${id}/approvers`), { body: { reviewers: [] } }))
      const { state, approvals } = await world.read(id)
      expect([state, approvals.length]).toEqual(['In review', 1])
    }),

    must('CR-356', 'never apply what an edit met half-way', async (world, expect) => {
      for (let round = 0; round < 5; round += 1) {
        const approved = await world.approved(2)
        const [edit, apply] = await Promise.all([
          world.send('author', 'PUT', changePath(world, approved), { body: world.change(9) }),
          world.move('reviewer', approved.id, 'Applied'),
        ])
        const { state, approvals } = await world.read(approved.id)
        expect([edit.status, apply.status].toSorted()[0]).toBe(200)
        expect([409, 412].includes(Math.max(edit.status, apply.status))).toBe(true)
        expect([state, approvals.length]).toEqual(apply.status === 200 ? ['Applied', 1] : ['In review', 0])
        await world.move('author', approved.id, 'Cancelled')
      }
    }),

    must('CR-357', 'refuse to decide on anything but the content that a digest names', async (world, expect) => {
      const { id } = await world.inReview()
      const decide = (state: string) =>
        world.send('reviewer', 'PUT', world.path(`${id}/state`), { body: { state, digest: 'sha256:other' } })
      for (const state of ['Approved', 'Rejected', 'Applied']) {
        expect(refusal(await decide(state))).toEqual([412, 'PreconditionFailedError'])
      }
      expect((await world.read(id)).state).toBe('In review')
    }),
  ],
}
