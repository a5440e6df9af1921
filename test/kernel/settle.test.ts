import type { FlagEvent, FlagGateway, Settlement } from '../../src'
import { settleOnRequest } from '../../src/capabilities/apply/settle-on-request'
import { comment } from '../../src/capabilities/discussion/discussion'
import { addChanges } from '../../src/capabilities/proposals/add-changes'
import { revert } from '../../src/capabilities/revert/revert'
import { review } from '../../src/capabilities/review/review'
import { changeState } from '../../src/capabilities/state/change-state'
import { isInterrupted, settle } from '../../src/kernel/settle'
import { HostFlags } from './support/flags'
import { by, createWorld, enable, losing, noon, rejection, type World, type WorldOptions } from './support/world'

const minute = 60_000

/** An apply that was interrupted after the gateway had been called. */
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

const succeeded = async (): Promise<readonly FlagEvent[]> => [
  { type: 'feature-environment-enabled', featureName: 'checkout' },
]

/** An apply that was interrupted for good: it is older than `applyTimeoutMs`, and the gateway reports its outcome. */
async function interrupted(
  outcome: NonNullable<FlagGateway['outcome']>,
  more: Parameters<World['to']>[2] = {},
  options: WorldOptions = {},
) {
  const flags = new HostFlags()
  const died = { yes: true }
  flags.apply = async () => {
    if (died.yes) throw new Error('socket hang up')
    return []
  }
  // As if the process had died before it could ask.
  flags.outcome = async (applyId) => {
    if (died.yes) throw new Error('out of order')
    return outcome(applyId)
  }
  const world = createWorld({ ...options, flags })
  await world.approved()
  await rejection(world.to('ben', 'Applied', more))
  died.yes = false
  world.host.now += minute
  return { ...world, flags }
}

const tagOf = async ({ storage }: World) => {
  const stored = await storage.find({ project: 'shop' }, 1)
  return `"1-${stored?.version}"`
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

  it('as applied: it is Applied, and logged as any apply, in the name of the user who began it', async () => {
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

  it('is rejected before the apply counts as interrupted, except by force', async () => {
    const world = await broken()
    world.host.now += minute - 1
    expect(await rejection(settle(world.services, notApplied))).toMatchObject({
      name: 'ConflictError',
      message:
        `The apply started at ${noon} and may still be running: it counts as interrupted after 60000 ms. ` +
        'Wait, or use force.',
    })
    await settle(world.services, { ...notApplied, force: true })
  })

  it('is rejected where no application is open', async () => {
    const world = createWorld()
    await world.approved()
    expect(await rejection(settle(world.services, { ...notApplied, force: true }))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request 1 is Approved and has no unfinished apply: there is nothing to settle.',
    })
  })

  it.each([
    ['blog', 1],
    ['shop', 2],
  ])('is refused where there is no change request: %s %i', async (project, id) => {
    const world = await broken()
    expect(await rejection(settle(world.services, { ...notApplied, project, id }))).toMatchObject({
      name: 'NotFoundError',
      message: `The project ${project} has no change request ${id}.`,
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
    const settled = await settle({ ...rival.services, options: services.options }, { ...notApplied, force: true })
    expect(settled.changeRequest.applying).toBeNull()
  })
})

describe('an interrupted apply', () => {
  it('counts as such after applyTimeoutMs', async () => {
    const { services, stored, host } = await broken()
    const changeRequest = (await stored()) ?? assertFound()
    expect(isInterrupted(services, changeRequest)).toBe(false)
    host.now += minute
    expect(isInterrupted(services, changeRequest)).toBe(true)
    expect(isInterrupted(services, { ...changeRequest, applying: null })).toBe(false)
  })

  it('is settled by the gateway at the next apply: it had succeeded, and that is the result', async () => {
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
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect([asked, (await world.stored())?.state]).toEqual([[applyId, applyId], 'Applied'])
    expect((await world.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect((await rejection(world.to('ben', 'Applied'))).details[0]?.code).toBe('wrong-state')
  })

  it('keeps the comment that came with it, and that of the repeat is not a second one', async () => {
    const world = await interrupted(succeeded, { comment: 'Go.' })
    const { changeRequest } = await world.to('ben', 'Applied', { comment: 'Go.' })
    expect(changeRequest.comments.map(({ text, createdBy }) => [text, createdBy.id])).toEqual([['Go.', 2]])
  })

  it('is settled by the gateway at the next apply: it had not, and is applied now', async () => {
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

  it('stays interrupted if the gateway has no outcome(): the next apply is rejected', async () => {
    const world = await broken()
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('express-change-requests settle'),
    })
    expect((await world.stored())?.applying?.startedAt).toBe(noon)
  })

  it('is 503 while the gateway fails', async () => {
    const world = await broken({}, { outcome: () => Promise.reject(new Error('out of order')) })
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (flags.outcome). Try again.',
    })
  })

  it('is a fault of the host app where outcome() answers what is no list of events', async () => {
    const world = await broken({}, { outcome: async () => 'done' as never })
    expect((await world.stored())?.applying).not.toBeNull()
    world.host.now += minute
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      cause: { message: expect.stringMatching(/^flags\.outcome returned 'done' as the result; it must be a list/) },
    })
  })
})

describe('an apply whose interrupted attempt had succeeded', () => {
  it.each([
    ['that names the revision before the settling', async (world: World) => ({ ifMatch: await tagOf(world) })],
    ['on any revision', async () => ({ ifMatch: '*' })],
    [
      'with the digest of the review before it',
      async ({ services }: World) => ({
        digest: (await review(services, { ...by('ben'), project: 'shop', id: 1 })).digest,
      }),
    ],
    [
      'with the digest of the attempt',
      async (world: World) => ({ digest: (await world.stored())?.applying?.digest ?? '' }),
    ],
  ])('returns it: %s', async (_, asked) => {
    const world = await interrupted(succeeded)
    // The attempt has changed what comes along with the changes, and with it the digest of now.
    world.flags.strategies = []
    const { changeRequest } = await world.to('ben', 'Applied', await asked(world))
    expect([changeRequest.state, changeRequest.applying]).toEqual(['Applied', null])
  })

  it.each([
    ['another revision', { ifMatch: '"1-2"' }, {}, 'PreconditionFailedError'],
    ['another digest', { digest: 'sha256:other' }, {}, 'PreconditionFailedError'],
    ['none where one is required', { ifMatch: '*' }, { requireRevision: true }, 'PreconditionRequiredError'],
  ])('is still refused for %s, and settled all the same', async (_, more, options, name) => {
    const world = await interrupted(succeeded)
    const services = { ...world.services, options: { ...world.services.options, ...options } }
    const input = { ...by('ben'), project: 'shop', id: 1, state: 'Applied', comment: null, scheduledAt: null } as const
    const error = await rejection(changeState(services, { ...input, digest: null, ...more }))
    expect([error.name, (await world.stored())?.state]).toEqual([name, 'Applied'])
  })

  it('is denied without the permission, and then nothing is settled', async () => {
    const world = await interrupted(succeeded)
    world.host.allows = (_, permission) => permission !== 'APPLY_CHANGE_REQUEST'
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('PermissionError')
    expect((await world.stored())?.applying).not.toBeNull()
  })

  it('is also the result if another process has settled it', async () => {
    const world = await interrupted(succeeded)
    const lost = losing([() => settle(world.services, applied)], world.memory)
    const other = createWorld({ storage: () => lost, flags: world.flags })
    other.host.now += minute
    expect((await other.to('ben', 'Applied', { ifMatch: await tagOf(world) })).changeRequest.state).toBe('Applied')
    expect((await world.eventTypes()).filter((type) => type === 'change-request-applied')).toHaveLength(1)
  })
})

describe('a step that finds an interrupted apply', () => {
  const neverApplied = async () => null
  const reference = { project: 'shop', id: 1 }

  it('settles it first, and is decided on what is there then', async () => {
    const world = await interrupted(neverApplied)
    expect((await world.to('ann', 'Cancelled', { ifMatch: await tagOf(world) })).changeRequest.state).toBe('Cancelled')
  })

  it('applies it, on the revision before the settling', async () => {
    const world = await interrupted(neverApplied)
    expect((await world.to('ben', 'Applied', { ifMatch: await tagOf(world) })).changeRequest.state).toBe('Applied')
  })

  it('is rejected with 412 on an older revision', async () => {
    const world = await interrupted(neverApplied)
    expect((await rejection(world.to('ann', 'Cancelled', { ifMatch: '"1-2"' }))).name).toBe('PreconditionFailedError')
    expect((await world.stored())?.applying).toBeNull()
  })

  it('adds changes after that', async () => {
    const world = await interrupted(neverApplied)
    const input = { ...by('ann'), project: 'shop', environment: 'production', changes: [enable('search')] }
    const { changeRequest } = await addChanges(world.services, { ...input, ifMatch: await tagOf(world) })
    expect([changeRequest.id, changeRequest.state, changeRequest.changes.length]).toEqual([1, 'In review', 2])
  })

  it('begins a new change request where the one before turns out to be applied', async () => {
    const world = await interrupted(succeeded)
    expect((await world.propose('ann', [enable('search')])).changeRequest.id).toBe(2)
    expect((await world.stored())?.state).toBe('Applied')
  })

  it('comments on it', async () => {
    const world = await interrupted(succeeded)
    await comment(world.services, { ...by('ann'), ...reference }, 'Well.', null)
    const { state, comments } = (await world.stored()) ?? assertFound()
    expect([state, comments.map(({ text }) => text)]).toEqual(['Applied', ['Well.']])
  })

  it('reverts it', async () => {
    const world = await interrupted(succeeded)
    const made = await revert(world.services, { ...by('ann'), ...reference, ifMatch: await tagOf(world) }, true).catch(
      (error: unknown) => error,
    )
    // What its flags were is not known after an interruption, so nothing of it can be taken back.
    expect(made).toMatchObject({ details: [{ code: 'no-changes' }] })
    expect((await world.stored())?.state).toBe('Applied')
  })

  it('is 503 while the gateway fails', async () => {
    const world = await interrupted(() => Promise.reject(new Error('out of order')))
    expect((await rejection(world.to('ann', 'Cancelled'))).name).toBe('UnavailableError')
    expect((await rejection(world.propose('ann'))).name).toBe('UnavailableError')
  })
})

describe('settling on request', () => {
  const ask = (world: World, more: Partial<ReturnType<typeof by>> = {}) =>
    settleOnRequest(world.services, { ...by('ben'), project: 'shop', id: 1, ...more })

  const refused = async (world: World, more: Partial<ReturnType<typeof by>> = {}) => {
    const { name, details } = await rejection(ask(world, more))
    return [name, ...details.map(({ code }) => code)]
  }

  it.each([
    ['Applied', succeeded, ['feature-environment-enabled', 'change-request-applied']],
    ['Approved', async () => null, ['change-request-approved']],
  ])('makes it %s, as the gateway says', async (state, outcome, types) => {
    const world = await interrupted(outcome)
    const { changeRequest } = await ask(world, { ifMatch: await tagOf(world) })
    expect([changeRequest.state, changeRequest.applying]).toEqual([state, null])
    expect((await world.eventTypes()).slice(-types.length)).toEqual(types)
    expect(await refused(world)).toEqual(['ConflictError', 'wrong-state'])
  })

  it('is rejected before the timeout', async () => {
    const world = await interrupted(succeeded)
    world.host.now -= 1
    expect(await refused(world)).toEqual(['ConflictError', 'being-applied'])
  })

  it('is rejected where the gateway knows no outcome', async () => {
    const world = await broken()
    world.host.now += minute
    expect(await refused(world)).toEqual(['ConflictError', 'no-flag-gateway'])
  })

  it('is rejected without the permission, and for a key without a user id', async () => {
    const world = await interrupted(succeeded)
    expect(await refused(world, by('robot'))).toEqual(['OperationDeniedError', 'no-user-id'])
    world.host.allows = (_, permission) => permission !== 'APPLY_CHANGE_REQUEST'
    expect(await refused(world)).toEqual(['PermissionError', 'missing-permission'])
  })

  it('is 412 on another revision, and settles nothing', async () => {
    const world = await interrupted(succeeded)
    expect(await refused(world, { ifMatch: '"1-2"' })).toEqual(['PreconditionFailedError', 'outdated-revision'])
    expect((await world.stored())?.applying).not.toBeNull()
  })

  it('is 503 while the gateway fails', async () => {
    const world = await interrupted(() => Promise.reject(new Error('out of order')))
    expect((await rejection(ask(world))).name).toBe('UnavailableError')
  })
})

describe('the review of an interrupted apply', () => {
  const read = ({ services }: World) => review(services, { ...by('ann'), project: 'shop', id: 1 })
  const codes = ({ steps }: Awaited<ReturnType<typeof read>>, name: string) =>
    steps.find(({ step }) => step === name)?.missing.map(({ code }) => code)

  it.each([
    ['had succeeded', succeeded, { apply: [], cancel: ['wrong-state'], settle: [] }],
    ['had not', async () => null, { apply: [], cancel: [], settle: [] }],
  ])('lists what each step would find after the settling: it %s', async (_, outcome, expected) => {
    const shown = await read(await interrupted(outcome))
    expect(shown.interrupted).toBe(true)
    expect(Object.keys(expected).map((step) => codes(shown, step))).toEqual(Object.values(expected))
  })

  it('can be read while the gateway fails: then every step but the settling waits, and the log says why', async () => {
    const failure = new Error('out of order')
    const world = await interrupted(() => Promise.reject(failure))
    const shown = await read(world)
    expect([codes(shown, 'apply'), codes(shown, 'settle')]).toEqual([['being-applied'], []])
    expect(world.lines.at(-1)).toEqual({
      level: 'warn',
      facts: { err: failure, project: 'shop', id: 1 },
      text: 'The flag gateway could not report whether an interrupted apply succeeded.',
    })
  })

  it('says before the timeout that it is under way', async () => {
    const world = await interrupted(succeeded)
    world.host.now -= 1
    const shown = await read(world)
    expect([shown.interrupted, codes(shown, 'apply'), codes(shown, 'settle')]).toEqual([
      false,
      ['being-applied'],
      ['being-applied'],
    ])
  })
})

function assertFound(): never {
  throw new Error('There is no change request.')
}
