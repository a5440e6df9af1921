import { ChangeRequestError, type Playground } from '../../../src'
import { tryInPlayground } from '../../../src/capabilities/playground/playground'
import { HostFlags, never } from '../../kernel/support/flags'
import { actors, createWorld, enable, rejection, type Who, type WorldOptions } from '../../kernel/support/world'

const body = { context: { appName: 'web' } }
const answer = { input: {}, features: [{ name: 'checkout' }] }

function open(options: WorldOptions = {}) {
  const asked: Parameters<Playground>[] = []
  const playground: Playground = (...call) => {
    asked.push(call)
    return answer
  }
  const world = createWorld({ flags: new HostFlags(), playground, ...options })
  const play = (who: Who, id: number | undefined = 1) =>
    tryInPlayground(world.services, { actor: actors[who], id, body })
  return { ...world, asked, play }
}

/** @see contract 3.9 */
describe('the playground', () => {
  it('returns the result of the hook, for anyone who can read the change request', async () => {
    const world = open()
    const { changeRequest } = await world.reviewed()
    expect(await world.play('cleo')).toBe(answer)
    expect(world.asked).toEqual([[changeRequest, body, actors.cleo]])
    await world.to('ben', 'Approved')
    expect(await world.play('ann')).toBe(answer)
  })

  it('is 409 for a draft and for what is closed', async () => {
    const world = open()
    await world.propose('ann')
    expect((await rejection(world.play('ann'))).name).toBe('ConflictError')
    await world.to('ann', 'Cancelled')
    expect((await rejection(world.play('ann'))).name).toBe('ConflictError')
    expect(world.asked).toEqual([])
  })

  it('is the same 404 for a missing one, for the draft of another user, and for one that the caller cannot read', async () => {
    const world = open()
    const missing = await rejection(world.play('ben'))
    await world.propose('ann')
    const draft = await rejection(world.play('ben'))
    await world.to('ann', 'In review')
    world.host.allows = (_, permission, { project }) => permission !== 'READ_CHANGE_REQUEST' || project !== 'shop'
    const unreadable = await rejection(world.play('ben'))
    expect([missing, draft, unreadable].map(({ name, message }) => [name, message])).toEqual(
      Array(3).fill(['NotFoundError', missing.message]),
    )
    expect((await rejection(world.play('ann', undefined))).name).toBe('NotFoundError')
    expect(world.asked).toEqual([])
  })

  it('is 404 without the hook', async () => {
    const world = open({ playground: null })
    await world.reviewed()
    expect(await rejection(world.play('ann'))).toMatchObject({
      name: 'NotFoundError',
      message: 'This app has no playground.',
    })
  })

  it('gives the hook a copy', async () => {
    const world = open({
      playground({ changes }) {
        for (const change of changes as readonly { payload: unknown }[]) change.payload = {}
        return answer
      },
    })
    await world.reviewed([enable()])
    await world.play('ann')
    expect((await world.stored())?.changes[0]?.payload).toEqual({ enabled: true })
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
    const world = open({ playground, limits: { hookTimeoutMs: 5 } })
    await world.reviewed()
    expect((await rejection(world.play('ann'))).name).toBe(name)
  })
})
