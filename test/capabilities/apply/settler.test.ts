import type { FlagEvent, FlagGateway, Storage } from '../../../src'
import { Settler } from '../../../src/capabilities/apply/settler'
import { routerHealth } from '../../../src/capabilities/schedule/schedule-health'
import { Gate, HostFlags, never } from '../../kernel/support/flags'
import { createWorld, enable, rejection, type WorldOptions } from '../../kernel/support/world'

const minute = 60_000
const outOfOrder = new Error('out of order')

/** Applies that were interrupted, one per flag; the gateway fails until `outcome` says otherwise. */
async function interrupted(count = 1, options: WorldOptions = {}) {
  const flags = new HostFlags()
  const gateway: { -readonly [name in keyof FlagGateway]: FlagGateway[name] } = {
    current: (subjects) => flags.current(subjects),
    apply: () => Promise.reject(outOfOrder),
    outcome: () => Promise.reject(outOfOrder),
  }
  let looks = 0
  const inFront = options.storage ?? ((memory: Storage) => memory)
  const storage = (memory: Storage): Storage => {
    const { interrupted: read, ...rest } = inFront(memory)
    return {
      ...rest,
      interrupted(...all) {
        looks += 1
        return read(...all)
      },
    }
  }
  const world = createWorld({ ...options, storage, flags: gateway })
  for (let id = 1; id <= count; id += 1) {
    await world.propose('ann', [enable(`flag-${id}`)], { environment: `env-${id}` })
    await world.to('ann', 'In review', { id })
    await world.to('ben', 'Approved', { id })
    await rejection(world.to('ben', 'Applied', { id }))
  }
  const settler = new Settler(world.services, 1)
  return { ...world, gateway, settler, looks: () => looks }
}

type InterruptedWorld = Awaited<ReturnType<typeof interrupted>>

const succeeded = async (): Promise<readonly FlagEvent[]> => [
  { type: 'feature-environment-enabled', featureName: 'flag-1' },
]

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1))
}

const linesOf = ({ lines }: InterruptedWorld, level: string) => lines.filter((line) => line.level === level)

describe('Settler', () => {
  it('settles an apply once it counts as interrupted, not before, and logs it', async () => {
    const world = await interrupted()
    world.gateway.outcome = succeeded
    world.settler.start()
    world.settler.start()
    world.host.now += minute - 1
    await until(() => world.looks() > 2)
    expect((await world.stored())?.state).toBe('Approved')
    world.host.now += 1
    await until(async () => (await world.stored())?.state === 'Applied')
    await world.settler.close()
    expect((await world.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect(linesOf(world, 'info')).toEqual([
      { level: 'info', facts: { project: 'shop', id: 1, state: 'Applied' }, text: 'An interrupted apply was settled.' },
    ])
  })

  it('goes on after a failure of the gateway, which it logs once for each apply', async () => {
    const world = await interrupted(2)
    let asked = 0
    world.gateway.outcome = async () => {
      asked += 1
      if (asked > 8) return null
      throw outOfOrder
    }
    world.host.now += minute
    world.settler.start()
    await until(async () => [(await world.stored())?.applying, (await world.stored(2))?.applying].join() === ',')
    await world.settler.close()
    const logged = linesOf(world, 'warn').map(({ facts, text }) => [facts.id, facts.err, text])
    const text = 'An interrupted apply could not be settled. Retrying.'
    expect(logged.sort()).toEqual([
      [1, outOfOrder, text],
      [2, outOfOrder, text],
    ])
  })

  it('logs what is invalid in the result of the gateway', async () => {
    const world = await interrupted()
    world.gateway.outcome = async () => [{ type: 'no-such-type' as never }]
    world.host.now += minute
    world.settler.start()
    await until(() => linesOf(world, 'warn').length > 0)
    await world.settler.close()
    expect(linesOf(world, 'warn')[0]?.facts.err.message).toMatch(
      /Event 0 of the flag gateway is invalid: .*no-such-type/,
    )
    expect((await world.stored())?.applying).not.toBeNull()
  })

  it('names each apply once where the gateway has no outcome()', async () => {
    const world = await interrupted(2)
    delete world.gateway.outcome
    world.host.now += minute
    world.settler.start()
    await until(() => world.looks() > 3)
    await world.settler.close()
    expect(
      linesOf(world, 'warn')
        .map(({ facts }) => facts.id)
        .sort(),
    ).toEqual([1, 2])
    expect(linesOf(world, 'warn')[0]?.text).toContain('router.settle()')
  })

  it('gets to each apply, though the gateway hangs for all that are older', async () => {
    const world = await interrupted(17, { limits: { hookTimeoutMs: 10 } })
    const { applyId } = (await world.stored(17))?.applying ?? {}
    world.gateway.outcome = (asked) => (asked === applyId ? Promise.resolve(null) : never())
    world.host.now += minute
    world.settler.start()
    await until(async () => (await world.stored(17))?.applying === null)
    await world.settler.close()
  })

  it('reads one page after another', async () => {
    const pages: unknown[] = []
    const world = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        async interrupted(before, page) {
          pages.push(page.after?.id)
          const [one] = await memory.interrupted(before, { limit: 1 })
          return one === undefined || page.after !== undefined ? [] : Array(100).fill(one)
        },
      }),
    })
    world.host.now += minute
    expect((await routerHealth(world.services, null)).interruptedApplies).toBe(100)
    expect(pages).toEqual([undefined, 1])
  })

  it('outlives an outage of the storage, which it logs once', async () => {
    let isDown = true
    let failures = 0
    const world = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        interrupted(...all) {
          if (!isDown) return memory.interrupted(...all)
          failures += 1
          return Promise.reject(outOfOrder)
        },
      }),
    })
    world.gateway.outcome = succeeded
    world.host.now += minute
    world.settler.start()
    await until(() => failures > 3)
    isDown = false
    await until(async () => (await world.stored())?.state === 'Applied')
    await world.settler.close()
    expect(linesOf(world, 'warn')).toEqual([
      { level: 'warn', facts: { err: outOfOrder }, text: 'Interrupted applies could not be read. Retrying.' },
    ])
  })

  it('settles nothing with a clock that is far off: what is under way would count as interrupted', async () => {
    let theirs = 0
    const world = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        health: async () => ({ ...(await memory.health()), now: new Date(theirs).toISOString() }),
      }),
    })
    world.gateway.outcome = succeeded
    theirs = world.host.now
    world.host.now += minute
    world.settler.start()
    await until(() => linesOf(world, 'error').length > 0)
    expect((await world.stored())?.state).toBe('Approved')
    theirs = world.host.now
    await until(async () => (await world.stored())?.state === 'Applied')
    await world.settler.close()
    expect(linesOf(world, 'error').map(({ facts }) => facts)).toEqual([{ clockOffMs: minute }])
  })

  it('settles nothing more after close(), which waits for what runs', async () => {
    const world = await interrupted()
    const gate = new Gate()
    world.gateway.outcome = async () => {
      await gate.pass()
      return null
    }
    world.host.now += minute
    world.settler.start()
    await gate.arrived
    let isClosed = false
    const closing = world.settler.close().then(() => {
      isClosed = true
    })
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    gate.letGo()
    await closing
    expect((await world.stored())?.applying).toBeNull()
    world.settler.start()
  })
})

describe('health()', () => {
  it('counts interrupted applies', async () => {
    const world = await interrupted(2)
    const count = async () => (await routerHealth(world.services, null)).interruptedApplies
    expect(await count()).toBe(0)
    world.host.now += minute
    expect(await count()).toBe(2)
  })

  it('counts none if the storage does not respond', async () => {
    const broken: Partial<Storage> = { interrupted: () => Promise.reject(outOfOrder) }
    const world = createWorld({ storage: (memory) => ({ ...memory, ...broken }) })
    expect((await routerHealth(world.services, null)).interruptedApplies).toBe(0)
  })
})
