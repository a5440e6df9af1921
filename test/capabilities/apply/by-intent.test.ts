import { type ApplyAttempt, ChangeRequestError, type FlagGateway, type Storage } from '../../../src'
import { listedFacts } from '../../../src/domain/content/summary'
import {
  createFixture,
  enable,
  type FixtureOptions,
  losing,
  noon,
  rejection,
  renameSegment,
} from '../../kernel/support/fixture'
import { HostFlags, never } from '../../kernel/support/flags'

const outOfOrder = new Error('socket hang up')

/** An approved change request with a gateway without a shared transaction. */
async function open(options: FixtureOptions = {}, flags = new HostFlags()) {
  const fixture = createFixture({ flags, ...options })
  await fixture.approved([enable()])
  return { ...fixture, flags }
}

/** Without the method outcome(). */
const mute = (flags: HostFlags): FlagGateway => ({
  current: (subjects) => flags.current(subjects),
  apply: (changes, context) => flags.apply(changes, context),
})

describe('apply through a gateway without a shared transaction', () => {
  it('stores the intent, calls the gateway, and stores the result, with the events of the flags in one group before its own', async () => {
    const fixture = await open()
    const seen: unknown[] = []
    const { apply } = fixture.flags
    fixture.flags.apply = async (changes, context) => {
      seen.push((await fixture.stored())?.applying, context)
      return apply.call(fixture.flags, changes, context)
    }
    const { version, changeRequest } = await fixture.to('ben', 'Applied', { comment: 'Done.' })
    expect([version, changeRequest.state, changeRequest.applying]).toEqual([5, 'Applied', null])
    expect(changeRequest.changes[0]?.snapshot).toEqual({ enabled: false })
    expect(changeRequest.comments.map(({ text }) => text)).toEqual(['Done.'])
    const applyId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const { trace } = seen[0] as ApplyAttempt
    expect(seen).toEqual([
      {
        applyId,
        startedAt: noon,
        digest: expect.stringMatching(/^sha256:/),
        rules: [],
        counted: [2],
        comment: 'Done.',
        by: { person: { id: 2, username: 'ben@example.com', imageUrl: null }, signature: 'ben@example.com', ip: null },
        trace,
      },
      {
        changeRequestId: 1,
        project: 'shop',
        environment: 'production',
        appliedBy: { id: 2, username: 'ben@example.com', signature: 'ben@example.com' },
        applyId,
        transaction: undefined,
      },
    ])
    expect(trace?.approvals?.map(({ by }) => by.id)).toEqual([2])
    expect((seen[0] as { applyId: string }).applyId).toBe((seen[1] as { applyId: string }).applyId)
    expect((await fixture.events()).slice(-2)).toMatchObject([
      { type: 'feature-environment-enabled', featureName: 'checkout', createdBy: 'ben@example.com' },
      { type: 'change-request-applied', createdBy: 'ben@example.com', data: { changeRequestId: 1, ...trace } },
    ])
  })

  it('passes copies of the changes in a safe order, including implied changes', async () => {
    const flags = new HostFlags()
    flags.strategies = []
    const fixture = createFixture({ flags })
    await fixture.approved([enable(), renameSegment(4)])
    flags.apply = async (changes) => {
      flags.applied.push(structuredClone(changes) as never)
      for (const { payload } of changes) Object.assign(payload, { meddled: true })
      return []
    }
    await fixture.to('ben', 'Applied')
    expect(flags.applied[0]?.map(({ id, action }) => [id, action])).toEqual([
      [2, 'updateSegment'],
      [null, 'addStrategy'],
      [1, 'updateEnabled'],
    ])
    expect(JSON.stringify(await fixture.stored())).not.toContain('meddled')
  })

  it('stores snapshots of the previous flags, also if the gateway returns its own objects', async () => {
    const flags = new HostFlags()
    const strategy = { id: 's1', name: 'default', disabled: false, title: 'before' }
    flags.strategies = [strategy]
    const fixture = createFixture({ flags })
    await fixture.approved([
      { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', name: 'default', title: 'after' } },
    ])
    flags.apply = async () => {
      strategy.title = 'after'
      return []
    }
    const { changeRequest } = await fixture.to('ben', 'Applied')
    expect(changeRequest.changes[0]?.snapshot).toMatchObject({ title: 'before' })
  })

  it.each(['Approved', 'In review'])(
    'starts again when another process has stored its intent first: %s',
    async (end) => {
      const commits: string[] = []
      const fixture = await open({
        storage: (memory: Storage) => {
          const lost = losing([() => {}], memory)
          return {
            ...memory,
            commit(write) {
              if (write.changeRequest.applying == null) return memory.commit(write)
              commits.push(end)
              return lost.commit(write)
            },
          }
        },
      })
      expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
      expect([commits.length, fixture.flags.applied.length]).toEqual([2, 1])
    },
  )
})

describe('a gateway without a shared transaction that does not apply the changes', () => {
  it('rejects: the intent is removed, and the caller gets the error', async () => {
    const fixture = await open()
    const refusal = new ChangeRequestError('ConflictError', 'Frozen for the release.')
    fixture.flags.apply = () => Promise.reject(refusal)
    expect(await rejection(fixture.to('ben', 'Applied'))).toBe(refusal)
    const { state, applying } = (await fixture.stored()) ?? {}
    expect([state, applying]).toEqual(['Approved', null])
    expect((await fixture.eventTypes()).at(-1)).toBe('change-request-approved')
  })

  it('fails, and outcome() reports that nothing was applied: the intent is removed', async () => {
    const fixture = await open()
    fixture.flags.apply = () => Promise.reject(outOfOrder)
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message: 'The flag gateway failed; nothing was applied.',
      cause: outOfOrder,
    })
    expect((await fixture.stored())?.applying).toBeNull()
    expect((await fixture.to('ann', 'Cancelled')).changeRequest.state).toBe('Cancelled')
  })

  it('fails, and outcome() reports that it was applied: the change request is Applied', async () => {
    const fixture = await open()
    const { apply } = fixture.flags
    fixture.flags.apply = async (...all) => {
      await apply.apply(fixture.flags, all)
      throw outOfOrder
    }
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect(fixture.lines).toEqual([
      {
        level: 'warn',
        facts: { err: outOfOrder, project: 'shop', id: 1 },
        text: 'The flag gateway failed after it had applied the changes.',
      },
    ])
  })

  it.each([undefined, {}, [undefined], ['done']])(
    'returns %p, an invalid list of events, and reports by outcome() that nothing was applied',
    async (answer) => {
      const fixture = await open()
      fixture.flags.apply = async () => answer as never
      expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
        name: 'UnknownError',
        cause: {
          message: expect.stringMatching(
            /^flags\.apply returned .+ as (the result|event 0); it must be an? (list|object)/,
          ),
        },
      })
      expect((await fixture.stored())?.applying).toBeNull()
    },
  )

  it('hangs: after the time limit outcome() is called', async () => {
    const fixture = await open({ limits: { applyTimeoutMs: 10 } })
    fixture.flags.apply = never
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnavailableError',
      message: 'The flag gateway did not respond in time; nothing was applied.',
      cause: { message: 'flags.apply did not respond within 10 ms.' },
    })
    expect((await fixture.stored())?.applying).toBeNull()
  })

  it('fails and has no outcome(): the result is unknown, the intent stays, and the error names who can settle it', async () => {
    const flags = new HostFlags()
    flags.apply = () => Promise.reject(outOfOrder)
    const fixture = await open({ flags: mute(flags) }, flags)
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message:
        'The flag gateway failed; it is unknown whether the changes were applied. The change request is locked until ' +
        'an operator of this server ends the apply with the command "express-change-requests settle".',
    })
    expect((await fixture.stored())?.applying?.startedAt).toBe(noon)
  })

  it('reports an invalid event: a fault of the host app, and the intent stays until it is settled', async () => {
    const fixture = await open()
    fixture.flags.apply = async () => [{ type: 'no-such-type' as never }]
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message: 'The flag gateway returned an invalid event.',
      cause: {
        name: 'InvalidHookResultError',
        message: expect.stringMatching(/^Event 0 of the flag gateway is invalid: type: .* got "no-such-type"$/),
      },
    })
    expect((await fixture.stored())?.applying).not.toBeNull()
  })
})

describe('the outcome of an apply', () => {
  /** The commit of the outcome loses a race against another process. */
  async function overtaken(race: (fixture: Awaited<ReturnType<typeof open>>) => unknown) {
    const races: (() => unknown)[] = []
    const fixture = await open({
      storage: (memory) => {
        const lost = losing([() => races[0]?.()], memory)
        return { ...memory, commit: (write) => (write.changeRequest.state === 'Applied' ? lost : memory).commit(write) }
      },
    })
    races.push(() => race(fixture))
    return fixture
  }

  const settleElsewhere = async (
    { memory, services }: Awaited<ReturnType<typeof open>>,
    state: 'Applied' | 'Approved',
  ) => {
    const { version, changeRequest } = (await memory.find({ project: 'shop' }, 1)) ?? assertFound()
    await memory.commit({
      changeRequest: { ...changeRequest, state, applying: null },
      summary: {} as never,
      version: version + 1,
      expectedVersion: version,
      before: listedFacts(changeRequest),
      searchText: '',
      open: state === 'Approved',
      subjects: [],
      dueAt: null,
      applyingSince: null,
      events: [],
    })
    return services
  }

  it('is stored by the retry after a lost race', async () => {
    const fixture = await overtaken(() => {})
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect(fixture.flags.applied).toHaveLength(1)
  })

  it('is the one that another process has stored meanwhile', async () => {
    const fixture = await overtaken((one) => settleElsewhere(one, 'Applied'))
    expect((await fixture.to('ben', 'Applied')).changeRequest).toMatchObject({ state: 'Applied', applying: null })
    expect((await fixture.eventTypes()).at(-1)).toBe('change-request-approved')
  })

  it('is an error if it was already settled as not applied, and the log has the events', async () => {
    const fixture = await overtaken((one) => settleElsewhere(one, 'Approved'))
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message:
        'The changes were applied, but the apply was already settled as not applied. Contact an operator of this server.',
    })
    expect(fixture.lines).toEqual([
      {
        level: 'error',
        facts: { id: 1, events: [{ type: 'feature-environment-enabled', featureName: 'checkout' }] },
        text: 'The flag gateway applied changes, but the apply was already settled as not applied.',
      },
    ])
  })
})

function assertFound(): never {
  throw new Error('There is no change request.')
}
