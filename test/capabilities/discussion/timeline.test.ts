import { readTimeline } from '../../../src/capabilities/discussion/timeline'
import { actors, createFixture, enable, rejection } from '../../kernel/support/fixture'

const here = { project: 'shop', id: 1, actor: actors.ann }
const typesOf = (json: Uint8Array) =>
  (JSON.parse(`[${Buffer.from(json)}]`) as { type: string }[]).map(({ type }) => type)

/** @see contract 12 */
describe('readTimeline', () => {
  it('has only the events of the change request, oldest first', async () => {
    const fixture = createFixture({ recordOnly: true })
    await fixture.approved()
    await fixture.propose('ben')
    await fixture.to('ben', 'Applied')
    const { page, next } = await readTimeline(fixture.services, here, 0)
    expect([typesOf(page.json), next]).toEqual([
      [
        'change-request-created',
        'change-added',
        'change-request-sent-to-review',
        'change-request-approval-added',
        'change-request-approved',
        'change-request-applied',
      ],
      null,
    ])
  })

  it('continues after an event, a hundred at a time', async () => {
    const fixture = createFixture()
    await fixture.propose(
      'ann',
      Array.from({ length: 100 }, () => enable()),
    )
    const first = await readTimeline(fixture.services, here, 0)
    const second = await readTimeline(fixture.services, here, first.next ?? 0)
    expect([first.page.count, second.page.count, second.next]).toEqual([100, 1, null])
  })

  it('is 404 for a caller who cannot see the change request', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    const work = readTimeline(fixture.services, { ...here, actor: actors.ben }, 0)
    expect((await rejection(work)).name).toBe('NotFoundError')
  })
})
