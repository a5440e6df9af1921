import type { FlagGateway, Settlement } from '../../../src'
import { isOverdue, settle } from '../../../src/operations/apply/settle'
import { HostFlags } from '../support/flags'
import { createWorld, losing, noon, rejection, type WorldOptions } from '../support/world'

const minute = 60_000

/** An application that broke off after the gateway had been called. */
async function broken(options: WorldOptions = {}, gateway: Partial<FlagGateway> = {}) {
  const flags = new HostFlags()
  const world = createWorld({
    flags: {
      current: (subjects) => flags.current(subjects),
      apply: () => Promise.reject(new Error('socket hang up')),
      ...gateway,
    },
    ...options,
  })
  await world.approved()
  await rejection(world.to('ben', 'Applied'))
  return world
}

const notApplied: Settlement = { project: 'shop', id: 1, outcome: 'not-applied' }
const applied: Settlement = {
  project: 'shop',
  id: 1,
  outcome: 'applied',
  events: [{ type: 'feature-environment-enabled', featureName: 'checkout' }],
}

describe('settle', () => {
  it('as not applied: everything goes on as before, without an event', async () => {
    const world = await broken()
    world.host.now += minute
    const { changeRequest } = await settle(world.services, notApplied)
    expect([changeRequest.state, changeRequest.applying]).toEqual(['Approved', null])
    expect((await world.eventTypes()).at(-1)).toBe('change-request-approved')
    expect((await world.to('ann', 'Cancelled')).changeRequest.state).toBe('Cancelled')
  })

  it('as applied: it is Applied, and in the log as any application, in the name of who began it', async () => {
    const world = await broken()
    world.host.now += minute
    const { changeRequest } = await settle(world.services, applied)
    expect([changeRequest.state, changeRequest.applying, changeRequest.stateTimestamps.Applied]).toEqual([
      'Applied',
      null,
      '2026-03-04T12:01:00.000Z',
    ])
    expect((await world.events()).slice(-2)).toMatchObject([
      { type: 'feature-environment-enabled', createdBy: 'ben@example.com', createdByUserId: 2, project: 'shop' },
      { type: 'change-request-applied', createdBy: 'ben@example.com', createdByUserId: 2 },
    ])
  })

  it('as applied without events: the change request alone', async () => {
    const world = await broken()
    const { project, id, outcome } = applied
    await settle(world.services, { project, id, outcome, force: true })
    expect((await world.eventTypes()).slice(-2)).toEqual(['change-request-approved', 'change-request-applied'])
  })

  it('is refused before the application counts as broken off, except by force', async () => {
    const world = await broken()
    world.host.now += minute - 1
    expect(await rejection(settle(world.services, notApplied))).toMatchObject({
      name: 'ConflictError',
      message:
        `The application began at ${noon} and may still be under way: it counts as broken off after 60000 ms. ` +
        'Wait, or force it.',
    })
    await settle(world.services, { ...notApplied, force: true })
  })

  it('is refused where no application is open', async () => {
    const world = createWorld()
    await world.approved()
    expect(await rejection(settle(world.services, { ...notApplied, force: true }))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request 1 is Approved, and no application of it is open: there is nothing to settle.',
    })
  })

  it.each([
    ['blog', 1],
    ['shop', 2],
  ])('is refused where there is no change request: %s %i', async (project, id) => {
    const world = await broken()
    expect(await rejection(settle(world.services, { ...notApplied, project, id }))).toMatchObject({
      name: 'NotFoundError',
      message: `There is no change request ${id} there.`,
    })
  })

  it('throws a TypeError for any other outcome', async () => {
    const world = await broken()
    const wrong = settle(world.services, { ...notApplied, outcome: 'maybe' as never })
    await expect(wrong).rejects.toThrow(new TypeError('settle: outcome must be "applied" or "not-applied".'))
  })

  it('rejects what is no event, and stores nothing', async () => {
    const world = await broken()
    const events = [{ type: 'no-such-type' as never }]
    expect((await rejection(settle(world.services, { ...applied, events, force: true }))).name).toBe('UnknownError')
    expect((await world.stored())?.state).toBe('Approved')
  })

  it('tries again after a lost race', async () => {
    const world = await broken()
    const { memory, services } = world
    const storage = losing([() => {}], memory)
    const rival = createWorld({ storage: () => storage })
    const settled = await settle({ ...rival.services, settings: services.settings }, { ...notApplied, force: true })
    expect(settled.changeRequest.applying).toBeNull()
  })
})

describe('an application that broke off', () => {
  it('counts as such after applyTimeoutMs', async () => {
    const { services, stored, host } = await broken()
    const changeRequest = (await stored()) ?? assertFound()
    expect(isOverdue(services, changeRequest)).toBe(false)
    host.now += minute
    expect(isOverdue(services, changeRequest)).toBe(true)
    expect(isOverdue(services, { ...changeRequest, applying: null })).toBe(false)
  })

  it('is settled by the gateway at the next application: it was carried out', async () => {
    const asked: string[] = []
    const world = await broken(
      {},
      {
        outcome: async (applyId) => {
          asked.push(applyId)
          if (asked.length === 1) throw new Error('out of order')
          return [{ type: 'feature-environment-enabled', featureName: 'checkout' }]
        },
      },
    )
    const { applyId } = (await world.stored())?.applying ?? {}
    world.host.now += minute
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('ConflictError')
    expect([asked, (await world.stored())?.state]).toEqual([[applyId, applyId], 'Applied'])
    expect((await world.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
  })

  it('is settled by the gateway at the next application: it was not, and is carried out now', async () => {
    let fails = true
    const answer = async (value: unknown) => {
      if (fails) throw new Error('out of order')
      return value as never
    }
    const world = await broken({}, { apply: () => answer([]), outcome: () => answer(null) })
    fails = false
    world.host.now += minute
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect((await world.eventTypes()).slice(-2)).toEqual(['change-request-approved', 'change-request-applied'])
  })

  it('starts again where another process has settled it meanwhile', async () => {
    let fails = true
    const answer = async (value: unknown) => {
      if (fails) throw new Error('out of order')
      return value as never
    }
    const world = await broken({}, { apply: () => answer([]), outcome: () => answer(null) })
    fails = false
    world.host.now += minute
    const lost = losing([() => settle(world.services, notApplied)], world.memory)
    const other = createWorld({ storage: () => lost, flags: world.services.flags })
    other.host.now += minute
    expect((await other.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('stays what it is where the gateway cannot know: the next application is refused', async () => {
    const world = await broken()
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('express-change-requests settle'),
    })
    expect((await world.stored())?.applying?.startedAt).toBe(noon)
  })

  it('is 503 while the gateway cannot be asked', async () => {
    const world = await broken({}, { outcome: () => Promise.reject(new Error('out of order')) })
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (flags.outcome). Try again.',
    })
  })

  it('is a fault of the host where outcome() answers what is no list of events', async () => {
    const world = await broken({}, { outcome: async () => 'done' as never })
    expect((await world.stored())?.applying).not.toBeNull()
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      cause: { message: expect.stringMatching(/^flags\.outcome answered 'done' as an answer; it must be a list/) },
    })
  })
})

function assertFound(): never {
  throw new Error('There is no change request.')
}
