import type { FlagEvent, FlagGateway, Settlement } from '../../src'
import { settleOnRequest } from '../../src/capabilities/apply/routes'
import { addChanges } from '../../src/capabilities/proposals/changes'
import { review } from '../../src/capabilities/review/review'
import { changeState } from '../../src/capabilities/state/change-state'
import { isInterrupted } from '../../src/kernel/facts/expiry'
import { settle } from '../../src/kernel/step/settle'
import {
  by,
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  losing,
  noon,
  rejection,
} from './support/fixture'
import { HostFlags } from './support/flags'

const minute = 60_000

/** An apply that was interrupted after the gateway had been called. */
async function broken(options: FixtureOptions = {}, gateway: Partial<FlagGateway> = {}) {
  const flags = new HostFlags()
  const fixture = createFixture({
    flags: {
      current: (subjects) => flags.current(subjects),
      apply: () => Promise.reject(new Error('socket hang up')),
      ...gateway,
    },
    ...options,
  })
  await fixture.approved()
  await rejection(fixture.to('ben', 'Applied'))
  return fixture
}

const succeeded = async (): Promise<readonly FlagEvent[]> => [
  { type: 'feature-environment-enabled', featureName: 'checkout' },
]

/** An interrupted apply that is older than `applyTimeoutMs`, and whose outcome the gateway reports. */
async function interrupted(
  outcome: NonNullable<FlagGateway['outcome']>,
  more: Parameters<Fixture['to']>[2] = {},
  options: FixtureOptions = {},
) {
  const flags = new HostFlags()
  const died = { yes: true }
  flags.apply = async () => {
    if (died.yes) throw new Error('socket hang up')
    return []
  }
  // Simulates a process that died before it could call `outcome`.
  flags.outcome = async (applyId) => {
    if (died.yes) throw new Error('out of order')
    return outcome(applyId)
  }
  const fixture = createFixture({ ...options, flags })
  await fixture.approved()
  await rejection(fixture.to('ben', 'Applied', more))
  died.yes = false
  fixture.host.now += minute
  return { ...fixture, flags }
}

const tagOf = async ({ storage }: Fixture) => {
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
  it('as not applied: the change request is open again, without an event', async () => {
    const fixture = await broken()
    fixture.host.now += minute
    const { changeRequest } = await settle(fixture.services, notApplied)
    expect([changeRequest.state, changeRequest.applying]).toEqual(['Approved', null])
    expect((await fixture.eventTypes()).at(-1)).toBe('change-request-approved')
    expect((await fixture.to('ann', 'Cancelled')).changeRequest.state).toBe('Cancelled')
  })

  it('as applied: it is Applied, and logged as any apply, in the name of the user who started it', async () => {
    const fixture = await broken()
    fixture.host.now += minute
    const { changeRequest } = await settle(fixture.services, applied)
    expect([changeRequest.state, changeRequest.applying, changeRequest.stateTimestamps.Applied]).toEqual([
      'Applied',
      null,
      '2026-03-04T12:01:00.000Z',
    ])
    expect((await fixture.events()).slice(-2)).toMatchObject([
      { type: 'feature-environment-enabled', createdBy: 'ben@example.com', createdByUserId: 2, project: 'shop' },
      { type: 'change-request-applied', createdBy: 'ben@example.com', createdByUserId: 2 },
    ])
  })

  it('is rejected before the apply counts as interrupted, except by force', async () => {
    const fixture = await broken()
    fixture.host.now += minute - 1
    expect(await rejection(settle(fixture.services, notApplied))).toMatchObject({
      name: 'ConflictError',
      message:
        `The apply started at ${noon} and may still be running: it counts as interrupted after 60000 ms. ` +
        'Wait, or use force.',
    })
    await settle(fixture.services, { ...notApplied, force: true })
  })

  it('is rejected without an unfinished apply', async () => {
    const fixture = createFixture()
    await fixture.approved()
    expect(await rejection(settle(fixture.services, { ...notApplied, force: true }))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request 1 is Approved and has no unfinished apply: there is nothing to settle.',
    })
  })

  it.each([
    ['blog', 1],
    ['shop', 2],
  ])('is rejected for a missing change request: %s %i', async (project, id) => {
    const fixture = await broken()
    expect(await rejection(settle(fixture.services, { ...notApplied, project, id }))).toMatchObject({
      name: 'NotFoundError',
      message: `The project ${project} has no change request ${id}.`,
    })
  })

  it('throws a TypeError for any other outcome', async () => {
    const fixture = await broken()
    const wrong = settle(fixture.services, { ...notApplied, outcome: 'maybe' as never })
    await expect(wrong).rejects.toThrow(new TypeError('settle: outcome must be "applied" or "not-applied".'))
  })

  it('rejects an invalid event, and stores nothing', async () => {
    const fixture = await broken()
    const events = [{ type: 'no-such-type' as never }]
    expect((await rejection(settle(fixture.services, { ...applied, events, force: true }))).name).toBe('UnknownError')
    expect((await fixture.stored())?.state).toBe('Approved')
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
    const fixture = await broken(
      {},
      {
        outcome: async (applyId) => {
          asked.push(applyId)
          if (asked.length === 1) throw new Error('out of order')
          return [{ type: 'feature-environment-enabled', featureName: 'checkout' }]
        },
      },
    )
    const { applyId } = (await fixture.stored())?.applying ?? {}
    fixture.host.now += minute
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect([asked, (await fixture.stored())?.state]).toEqual([[applyId, applyId], 'Applied'])
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect((await rejection(fixture.to('ben', 'Applied'))).details[0]?.code).toBe('wrong-state')
  })

  it('keeps its comment, and ignores that of the retry', async () => {
    const fixture = await interrupted(succeeded, { comment: 'Go.' })
    const { changeRequest } = await fixture.to('ben', 'Applied', { comment: 'Go.' })
    expect(changeRequest.comments.map(({ text, createdBy }) => [text, createdBy.id])).toEqual([['Go.', 2]])
  })

  it('starts again if another process has settled it meanwhile', async () => {
    let fails = true
    const answer = async (value: unknown) => {
      if (fails) throw new Error('out of order')
      return value as never
    }
    const fixture = await broken({}, { apply: () => answer([]), outcome: () => answer(null) })
    fails = false
    fixture.host.now += minute
    const lost = losing([() => settle(fixture.services, notApplied)], fixture.memory)
    const other = createFixture({ storage: () => lost, flags: fixture.services.flags })
    other.host.now += minute
    expect((await other.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('stays interrupted if the gateway has no outcome(): the next apply is rejected', async () => {
    const fixture = await broken()
    fixture.host.now += minute
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('express-change-requests settle'),
    })
    expect((await fixture.stored())?.applying?.startedAt).toBe(noon)
  })

  it('is 503 while the gateway fails', async () => {
    const fixture = await broken({}, { outcome: () => Promise.reject(new Error('out of order')) })
    fixture.host.now += minute
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (flags.outcome). Try again.',
    })
  })

  it('is a fault of the host app if outcome() returns an invalid list of events', async () => {
    const fixture = await broken({}, { outcome: async () => 'done' as never })
    expect((await fixture.stored())?.applying).not.toBeNull()
    fixture.host.now += minute
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      cause: { message: expect.stringMatching(/^flags\.outcome returned 'done' as the result; it must be a list/) },
    })
  })
})

describe('an apply whose interrupted attempt had succeeded', () => {
  it.each([
    ['that names the revision before the settling', async (fixture: Fixture) => ({ ifMatch: await tagOf(fixture) })],
    ['on any revision', async () => ({ ifMatch: '*' })],
    [
      'with the digest of the review before it',
      async ({ services }: Fixture) => ({
        digest: (await review(services, { ...by('ben'), project: 'shop', id: 1 })).digest,
      }),
    ],
    [
      'with the digest of the attempt',
      async (fixture: Fixture) => ({ digest: (await fixture.stored())?.applying?.digest ?? '' }),
    ],
  ])('returns it: %s', async (_, asked) => {
    const fixture = await interrupted(succeeded)
    // The attempt has changed the implied changes, and so the current digest.
    fixture.flags.strategies = []
    const { changeRequest } = await fixture.to('ben', 'Applied', await asked(fixture))
    expect([changeRequest.state, changeRequest.applying]).toEqual(['Applied', null])
  })

  it.each([
    ['another revision', { ifMatch: '"1-2"' }, {}, 'PreconditionFailedError'],
    ['another digest', { digest: 'sha256:other' }, {}, 'PreconditionFailedError'],
    ['none where one is required', { ifMatch: '*' }, { requireRevision: true }, 'PreconditionRequiredError'],
  ])('is still rejected for %s, but settled', async (_, more, options, name) => {
    const fixture = await interrupted(succeeded)
    const services = { ...fixture.services, options: { ...fixture.services.options, ...options } }
    const input = { ...by('ben'), project: 'shop', id: 1, state: 'Applied', comment: null, scheduledAt: null } as const
    const error = await rejection(changeState(services, { ...input, digest: null, ...more }))
    expect([error.name, (await fixture.stored())?.state]).toEqual([name, 'Applied'])
  })

  it('is denied without the permission, and then nothing is settled', async () => {
    const fixture = await interrupted(succeeded)
    fixture.host.allows = (_, permission) => permission !== 'APPLY_CHANGE_REQUEST'
    expect((await rejection(fixture.to('ben', 'Applied'))).name).toBe('PermissionError')
    expect((await fixture.stored())?.applying).not.toBeNull()
  })

  it('is also the result if another process has settled it', async () => {
    const fixture = await interrupted(succeeded)
    const lost = losing([() => settle(fixture.services, applied)], fixture.memory)
    const other = createFixture({ storage: () => lost, flags: fixture.flags })
    other.host.now += minute
    expect((await other.to('ben', 'Applied', { ifMatch: await tagOf(fixture) })).changeRequest.state).toBe('Applied')
    expect((await fixture.eventTypes()).filter((type) => type === 'change-request-applied')).toHaveLength(1)
  })
})

describe('a step that finds an interrupted apply', () => {
  const neverApplied = async () => null

  it('settles it first, and is decided on the result', async () => {
    const fixture = await interrupted(neverApplied)
    expect((await fixture.to('ann', 'Cancelled', { ifMatch: await tagOf(fixture) })).changeRequest.state).toBe(
      'Cancelled',
    )
  })

  it('adds changes after that', async () => {
    const fixture = await interrupted(neverApplied)
    const input = { ...by('ann'), project: 'shop', environment: 'production', changes: [enable('search')] }
    const { changeRequest } = await addChanges(fixture.services, { ...input, ifMatch: await tagOf(fixture) })
    expect([changeRequest.id, changeRequest.state, changeRequest.changes.length]).toEqual([1, 'In review', 2])
  })

  it('creates a new change request if the previous one turns out to be applied', async () => {
    const fixture = await interrupted(succeeded)
    expect((await fixture.propose('ann', [enable('search')])).changeRequest.id).toBe(2)
    expect((await fixture.stored())?.state).toBe('Applied')
  })
})

describe('settling on request', () => {
  const ask = (fixture: Fixture, more: Partial<ReturnType<typeof by>> = {}) =>
    settleOnRequest(fixture.services, { ...by('ben'), project: 'shop', id: 1, ...more })

  const refused = async (fixture: Fixture, more: Partial<ReturnType<typeof by>> = {}) => {
    const { name, details } = await rejection(ask(fixture, more))
    return [name, ...details.map(({ code }) => code)]
  }

  it.each([
    ['Applied', succeeded, ['feature-environment-enabled', 'change-request-applied']],
    ['Approved', async () => null, ['change-request-approved']],
  ])('makes it %s, as the gateway reports', async (state, outcome, types) => {
    const fixture = await interrupted(outcome)
    const { changeRequest } = await ask(fixture, { ifMatch: await tagOf(fixture) })
    expect([changeRequest.state, changeRequest.applying]).toEqual([state, null])
    expect((await fixture.eventTypes()).slice(-types.length)).toEqual(types)
    expect(await refused(fixture)).toEqual(['ConflictError', 'wrong-state'])
  })

  it('is rejected if the gateway does not know the outcome', async () => {
    const fixture = await broken()
    fixture.host.now += minute
    expect(await refused(fixture)).toEqual(['ConflictError', 'no-flag-gateway'])
  })
})

describe('the review of an interrupted apply', () => {
  const read = ({ services }: Fixture) => review(services, { ...by('ann'), project: 'shop', id: 1 })
  const codes = ({ steps }: Awaited<ReturnType<typeof read>>, name: string) =>
    steps.find(({ step }) => step === name)?.missing.map(({ code }) => code)

  it.each([
    ['had succeeded', succeeded, { apply: [], cancel: ['wrong-state'], settle: [] }],
    ['had not', async () => null, { apply: [], cancel: [], settle: [] }],
  ])('lists the steps after the settling: it %s', async (_, outcome, expected) => {
    const shown = await read(await interrupted(outcome))
    expect(shown.interrupted).toBe(true)
    expect(Object.keys(expected).map((step) => codes(shown, step))).toEqual(Object.values(expected))
  })

  it('can be read while the gateway fails: every step except the settling is blocked, and the reason is logged', async () => {
    const failure = new Error('out of order')
    const fixture = await interrupted(() => Promise.reject(failure))
    const shown = await read(fixture)
    expect([codes(shown, 'apply'), codes(shown, 'settle')]).toEqual([['being-applied'], []])
    expect(fixture.lines.at(-1)).toEqual({
      level: 'warn',
      facts: { err: failure, project: 'shop', id: 1 },
      text: 'The flag gateway could not report whether an interrupted apply succeeded.',
    })
  })

  it('shows before the timeout that the apply is running', async () => {
    const fixture = await interrupted(succeeded)
    fixture.host.now -= 1
    const shown = await read(fixture)
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
