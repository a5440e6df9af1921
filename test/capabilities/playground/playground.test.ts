import { ChangeRequestError, type Playground } from '../../../src'
import { tryInPlayground } from '../../../src/capabilities/playground/routes'
import { actors, createFixture, enable, type FixtureOptions, rejection, type Who } from '../../kernel/support/fixture'
import { HostFlags, never } from '../../kernel/support/flags'

const body = { context: { appName: 'web' } }
const answer = { input: {}, features: [{ name: 'checkout' }] }

function open(options: FixtureOptions = {}) {
  const asked: Parameters<Playground>[] = []
  const playground: Playground = (...call) => {
    asked.push(call)
    return answer
  }
  const fixture = createFixture({ flags: new HostFlags(), playground, ...options })
  const play = (who: Who, id: number | undefined = 1) =>
    tryInPlayground(fixture.services, { actor: actors[who], id, body })
  return { ...fixture, asked, play }
}

/** @see contract 3.9 */
describe('the playground', () => {
  it('returns the result of the hook, for anyone who can read the change request', async () => {
    const fixture = open()
    const { changeRequest } = await fixture.reviewed()
    expect(await fixture.play('cleo')).toBe(answer)
    expect(fixture.asked).toEqual([[changeRequest, body, actors.cleo]])
    await fixture.to('ben', 'Approved')
    expect(await fixture.play('ann')).toBe(answer)
  })

  it('is 409 for a draft and for a closed one', async () => {
    const fixture = open()
    await fixture.propose('ann')
    expect((await rejection(fixture.play('ann'))).name).toBe('ConflictError')
    await fixture.to('ann', 'Cancelled')
    expect((await rejection(fixture.play('ann'))).name).toBe('ConflictError')
    expect(fixture.asked).toEqual([])
  })

  it('is the same 404 for a missing one, for the draft of another user, and for one that the caller cannot read', async () => {
    const fixture = open()
    const missing = await rejection(fixture.play('ben'))
    await fixture.propose('ann')
    const draft = await rejection(fixture.play('ben'))
    await fixture.to('ann', 'In review')
    fixture.host.allows = (_, permission, { project }) => permission !== 'READ_CHANGE_REQUEST' || project !== 'shop'
    const unreadable = await rejection(fixture.play('ben'))
    expect([missing, draft, unreadable].map(({ name, message }) => [name, message])).toEqual(
      Array(3).fill(['NotFoundError', missing.message]),
    )
    expect((await rejection(fixture.play('ann', undefined))).name).toBe('NotFoundError')
    expect(fixture.asked).toEqual([])
  })

  it('is 404 without the hook', async () => {
    const fixture = open({ playground: null })
    await fixture.reviewed()
    expect(await rejection(fixture.play('ann'))).toMatchObject({
      name: 'NotFoundError',
      message: 'This app has no playground.',
    })
  })

  it('gives the hook a copy', async () => {
    const fixture = open({
      playground({ changes }) {
        for (const change of changes as readonly { payload: unknown }[]) change.payload = {}
        return answer
      },
    })
    await fixture.reviewed([enable()])
    await fixture.play('ann')
    expect((await fixture.stored())?.changes[0]?.payload).toEqual({ enabled: true })
  })

  it.each([
    ['throws', () => Promise.reject(new Error('secret')), 'UnavailableError'],
    ['does not answer', never, 'UnavailableError'],
    [
      'throws a ChangeRequestError',
      () => Promise.reject(new ChangeRequestError('BadDataError', 'No.')),
      'BadDataError',
    ],
    ['answers nothing', () => undefined as never, 'UnknownError'],
    ['answers a list', () => [] as never, 'UnknownError'],
  ])('whose hook %s: %s', async (_, playground, name) => {
    const fixture = open({ playground, limits: { hookTimeoutMs: 5 } })
    await fixture.reviewed()
    expect((await rejection(fixture.play('ann'))).name).toBe(name)
  })
})
