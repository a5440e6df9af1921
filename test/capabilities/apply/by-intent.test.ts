import { ChangeRequestError, type FlagGateway, type Storage } from '../../../src'
import { Gate, HostFlags, never } from '../../kernel/support/flags'
import {
  createWorld,
  enable,
  losing,
  noon,
  rejection,
  renameSegment,
  type WorldOptions,
} from '../../kernel/support/world'

const outOfOrder = new Error('socket hang up')

/** An approved change request over a gateway that shares no transaction. */
async function open(options: WorldOptions = {}, flags = new HostFlags()) {
  const world = createWorld({ flags, ...options })
  await world.approved([enable()])
  return { ...world, flags }
}

/** Without the method outcome(). */
const mute = (flags: HostFlags): FlagGateway => ({
  current: (subjects) => flags.current(subjects),
  apply: (changes, context) => flags.apply(changes, context),
})

describe('apply through a gateway without a shared transaction', () => {
  it('stores the intent, calls the gateway, and stores what it did, with its events in one group before its own', async () => {
    const world = await open()
    const seen: unknown[] = []
    const { apply } = world.flags
    world.flags.apply = async (changes, context) => {
      seen.push((await world.stored())?.applying, context)
      return apply.call(world.flags, changes, context)
    }
    const { version, changeRequest } = await world.to('ben', 'Applied', { comment: 'Done.' })
    expect([version, changeRequest.state, changeRequest.applying]).toEqual([5, 'Applied', null])
    expect(changeRequest.changes[0]?.snapshot).toEqual({ enabled: false })
    expect(changeRequest.comments.map(({ text }) => text)).toEqual(['Done.'])
    const applyId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(seen).toEqual([
      {
        applyId,
        startedAt: noon,
        digest: expect.stringMatching(/^sha256:/),
        comment: 'Done.',
        by: { person: { id: 2, username: 'ben@example.com', imageUrl: null }, signature: 'ben@example.com', ip: null },
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
    expect((seen[0] as { applyId: string }).applyId).toBe((seen[1] as { applyId: string }).applyId)
    expect((await world.events()).slice(-2)).toMatchObject([
      { type: 'feature-environment-enabled', featureName: 'checkout', createdBy: 'ben@example.com' },
      { type: 'change-request-applied', createdBy: 'ben@example.com', data: { changeRequestId: 1 } },
    ])
  })

  it('hands the changes over in the order in which they are safe, implied changes included, as copies', async () => {
    const flags = new HostFlags()
    flags.strategies = []
    const world = createWorld({ flags })
    await world.approved([enable(), renameSegment(4)])
    flags.apply = async (changes) => {
      flags.applied.push(structuredClone(changes) as never)
      for (const { payload } of changes) Object.assign(payload, { meddled: true })
      return []
    }
    await world.to('ben', 'Applied')
    expect(flags.applied[0]?.map(({ id, action }) => [id, action])).toEqual([
      [2, 'updateSegment'],
      [null, 'addStrategy'],
      [1, 'updateEnabled'],
    ])
    expect(JSON.stringify(await world.stored())).not.toContain('meddled')
  })

  it('keeps snapshots of what was, also where the answers of the gateway are its own objects', async () => {
    const flags = new HostFlags()
    const strategy = { id: 's1', name: 'default', disabled: false, title: 'before' }
    flags.strategies = [strategy]
    const world = createWorld({ flags })
    await world.approved([
      { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', name: 'default', title: 'after' } },
    ])
    flags.apply = async () => {
      strategy.title = 'after'
      return []
    }
    const { changeRequest } = await world.to('ben', 'Applied')
    expect(changeRequest.changes[0]?.snapshot).toMatchObject({ title: 'before' })
  })

  it('is rejected with a conflict that was added meanwhile, and the gateway is not called', async () => {
    const world = await open()
    world.flags.current = async () => ({ features: new Map(), segments: new Map() })
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: 'The changes cannot be applied to the current flags (checkout: Feature has been deleted).',
    })
    expect(world.flags.applied).toEqual([])
  })

  it('is 503 when the flags cannot be read, and nothing is begun', async () => {
    const world = await open()
    world.flags.current = () => Promise.reject(outOfOrder)
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('UnavailableError')
    expect((await world.stored())?.applying).toBeUndefined()
  })

  it('rejects every other write until its outcome is stored', async () => {
    const world = await open()
    const gate = new Gate()
    const { apply } = world.flags
    world.flags.apply = async (...all) => {
      await gate.pass()
      return apply.apply(world.flags, all)
    }
    const applying = world.to('ben', 'Applied')
    await gate.arrived
    for (const state of ['Applied', 'Cancelled'] as const) {
      expect(await rejection(world.to('dora', state))).toMatchObject({
        name: 'ConflictError',
        message: expect.stringContaining(`being applied (started at ${noon} by ben@example.com`),
      })
    }
    gate.letGo()
    expect((await applying).changeRequest.state).toBe('Applied')
    expect(world.flags.applied).toHaveLength(1)
  })

  it('delays the close of the writer', async () => {
    const world = await open()
    const gate = new Gate()
    world.flags.apply = async () => {
      await gate.pass()
      return []
    }
    const applying = world.to('ben', 'Applied')
    await gate.arrived
    let idle = false
    const waiting = world.services.writer.idle().then(() => {
      idle = true
    })
    await new Promise(setImmediate)
    expect(idle).toBe(false)
    gate.letGo()
    await Promise.all([waiting, applying])
    expect((await world.stored())?.state).toBe('Applied')
  })

  it.each(['Approved', 'In review'])(
    'starts again when another process was faster with the intent: %s',
    async (end) => {
      const commits: string[] = []
      const world = await open({
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
      expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
      expect([commits.length, world.flags.applied.length]).toEqual([2, 1])
    },
  )
})

describe('a gateway without a shared transaction that does not apply the changes', () => {
  it('rejects: the intent is removed, and the caller gets the error', async () => {
    const world = await open()
    const refusal = new ChangeRequestError('ConflictError', 'Frozen for the release.')
    world.flags.apply = () => Promise.reject(refusal)
    expect(await rejection(world.to('ben', 'Applied'))).toBe(refusal)
    const { state, applying } = (await world.stored()) ?? {}
    expect([state, applying]).toEqual(['Approved', null])
    expect((await world.eventTypes()).at(-1)).toBe('change-request-approved')
  })

  it('fails, and outcome() reports that nothing was applied: the intent is removed', async () => {
    const world = await open()
    world.flags.apply = () => Promise.reject(outOfOrder)
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message: 'The flag gateway failed; nothing was applied.',
      cause: outOfOrder,
    })
    expect((await world.stored())?.applying).toBeNull()
    expect((await world.to('ann', 'Cancelled')).changeRequest.state).toBe('Cancelled')
  })

  it('fails, and outcome() reports that it was applied: the change request is Applied', async () => {
    const world = await open()
    const { apply } = world.flags
    world.flags.apply = async (...all) => {
      await apply.apply(world.flags, all)
      throw outOfOrder
    }
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect((await world.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect(world.lines).toEqual([
      {
        level: 'warn',
        facts: { err: outOfOrder, project: 'shop', id: 1 },
        text: 'The flag gateway failed, but had applied the changes.',
      },
    ])
  })

  it.each([undefined, {}, [undefined], ['done']])(
    'answers %p, which is no list of events, and says by outcome() that nothing was applied',
    async (answer) => {
      const world = await open()
      world.flags.apply = async () => answer as never
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
        name: 'UnknownError',
        cause: {
          message: expect.stringMatching(
            /^flags\.apply returned .+ as (the result|event 0); it must be an? (list|object)/,
          ),
        },
      })
      expect((await world.stored())?.applying).toBeNull()
    },
  )

  it('hangs: after the time limit outcome() is called', async () => {
    const world = await open({ limits: { applyTimeoutMs: 10 } })
    world.flags.apply = never
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnavailableError',
      message: 'The flag gateway did not respond in time; nothing was applied.',
      cause: { message: 'flags.apply did not respond within 10 ms.' },
    })
    expect((await world.stored())?.applying).toBeNull()
  })

  it('fails and has no outcome(): nobody knows, the intent stays, and the caller is sent to who can end it', async () => {
    const flags = new HostFlags()
    flags.apply = () => Promise.reject(outOfOrder)
    const world = await open({ flags: mute(flags) }, flags)
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message:
        'The flag gateway failed; it is unknown whether the changes were applied. The change request is locked until ' +
        'an operator of this server ends the apply with the command "express-change-requests settle".',
    })
    expect((await world.stored())?.applying?.startedAt).toBe(noon)
  })

  it('reports an event that is none: a fault of the host app, and the intent stays until it is settled', async () => {
    const world = await open()
    world.flags.apply = async () => [{ type: 'no-such-type' as never }]
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message: 'The flag gateway returned an invalid event.',
      cause: {
        name: 'InvalidHookResultError',
        message: expect.stringMatching(/^Event 0 of the flag gateway is invalid: type: .* got "no-such-type"$/),
      },
    })
    expect((await world.stored())?.applying).not.toBeNull()
  })
})

describe('the outcome of an apply', () => {
  /** The commit of the outcome loses its race to what another process does. */
  async function overtaken(race: (world: Awaited<ReturnType<typeof open>>) => unknown) {
    const races: (() => unknown)[] = []
    const world = await open({
      storage: (memory) => {
        const lost = losing([() => races[0]?.()], memory)
        return { ...memory, commit: (write) => (write.changeRequest.state === 'Applied' ? lost : memory).commit(write) }
      },
    })
    races.push(() => race(world))
    return world
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
      open: state === 'Approved',
      subjects: [],
      dueAt: null,
      applyingSince: null,
      events: [],
    })
    return services
  }

  it('is stored at the next try after a lost race', async () => {
    const world = await overtaken(() => {})
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect(world.flags.applied).toHaveLength(1)
  })

  it('is the one that another process has stored meanwhile', async () => {
    const world = await overtaken((one) => settleElsewhere(one, 'Applied'))
    expect((await world.to('ben', 'Applied')).changeRequest).toMatchObject({ state: 'Applied', applying: null })
    expect((await world.eventTypes()).at(-1)).toBe('change-request-approved')
  })

  it('that was settled as not applied in the meantime is an error, which the log has with the events', async () => {
    const world = await overtaken((one) => settleElsewhere(one, 'Approved'))
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      message: 'The changes were applied, but the apply was settled as not applied in the meantime.',
    })
    expect(world.lines).toEqual([
      {
        level: 'error',
        facts: { id: 1, events: [{ type: 'feature-environment-enabled', featureName: 'checkout' }] },
        text: 'The flag gateway applied changes of an apply that was settled as not applied.',
      },
    ])
  })
})

function assertFound(): never {
  throw new Error('There is no change request.')
}
