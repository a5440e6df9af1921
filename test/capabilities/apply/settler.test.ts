import type { FlagEvent, FlagGateway, Storage } from '../../../src'
import { Settler } from '../../../src/capabilities/apply/settler'
import { routerHealth } from '../../../src/capabilities/schedule/schedule-health'
import { createFixture, enable, type FixtureOptions, rejection, until } from '../../kernel/support/fixture'
import { Gate, HostFlags, never } from '../../kernel/support/flags'

const minute = 60_000
const outOfOrder = new Error('out of order')

/** Applies that were interrupted, one per flag; the gateway fails until the test sets `outcome`. */
async function interrupted(count = 1, options: FixtureOptions = {}) {
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
  const fixture = createFixture({ ...options, storage, flags: gateway })
  for (let id = 1; id <= count; id += 1) {
    await fixture.propose('ann', [enable(`flag-${id}`)], { environment: `env-${id}` })
    await fixture.to('ann', 'In review', { id })
    await fixture.to('ben', 'Approved', { id })
    await rejection(fixture.to('ben', 'Applied', { id }))
  }
  const settler = new Settler(fixture.services, 1)
  return { ...fixture, gateway, settler, looks: () => looks }
}

type InterruptedFixture = Awaited<ReturnType<typeof interrupted>>

const succeeded = async (): Promise<readonly FlagEvent[]> => [
  { type: 'feature-environment-enabled', featureName: 'flag-1' },
]

const linesOf = ({ lines }: InterruptedFixture, level: string) => lines.filter((line) => line.level === level)

describe('Settler', () => {
  it('settles an apply once it counts as interrupted, not before, and logs it', async () => {
    const fixture = await interrupted()
    fixture.gateway.outcome = succeeded
    fixture.settler.start()
    fixture.settler.start()
    fixture.host.now += minute - 1
    await until(() => fixture.looks() > 2)
    expect((await fixture.stored())?.state).toBe('Approved')
    fixture.host.now += 1
    await until(async () => (await fixture.stored())?.state === 'Applied')
    await fixture.settler.close()
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect(linesOf(fixture, 'info')).toEqual([
      { level: 'info', facts: { project: 'shop', id: 1, state: 'Applied' }, text: 'An interrupted apply was settled.' },
    ])
  })

  it('continues after a failure of the gateway, which it logs once per apply', async () => {
    const fixture = await interrupted(2)
    let asked = 0
    fixture.gateway.outcome = async () => {
      asked += 1
      if (asked > 8) return null
      throw outOfOrder
    }
    fixture.host.now += minute
    fixture.settler.start()
    await until(async () => [(await fixture.stored())?.applying, (await fixture.stored(2))?.applying].join() === ',')
    await fixture.settler.close()
    const logged = linesOf(fixture, 'warn').map(({ facts, text }) => [facts.id, facts.err, text])
    const text = 'An interrupted apply could not be settled. Retrying.'
    expect(logged.sort()).toEqual([
      [1, outOfOrder, text],
      [2, outOfOrder, text],
    ])
  })

  it('logs what is invalid in the result of the gateway', async () => {
    const fixture = await interrupted()
    fixture.gateway.outcome = async () => [{ type: 'no-such-type' as never }]
    fixture.host.now += minute
    fixture.settler.start()
    await until(() => linesOf(fixture, 'warn').length > 0)
    await fixture.settler.close()
    expect(linesOf(fixture, 'warn')[0]?.facts.err.message).toMatch(
      /Event 0 of the flag gateway is invalid: .*no-such-type/,
    )
    expect((await fixture.stored())?.applying).not.toBeNull()
  })

  it('logs each apply once if the gateway has no outcome()', async () => {
    const fixture = await interrupted(2)
    delete fixture.gateway.outcome
    fixture.host.now += minute
    fixture.settler.start()
    await until(() => fixture.looks() > 3)
    await fixture.settler.close()
    expect(
      linesOf(fixture, 'warn')
        .map(({ facts }) => facts.id)
        .sort(),
    ).toEqual([1, 2])
    expect(linesOf(fixture, 'warn')[0]?.text).toContain('router.settle()')
  })

  it('reaches each apply, although the gateway hangs for all older ones', async () => {
    const fixture = await interrupted(17, { limits: { hookTimeoutMs: 10 } })
    const { applyId } = (await fixture.stored(17))?.applying ?? {}
    fixture.gateway.outcome = (asked) => (asked === applyId ? Promise.resolve(null) : never())
    fixture.host.now += minute
    fixture.settler.start()
    await until(async () => (await fixture.stored(17))?.applying === null)
    await fixture.settler.close()
  })

  it('reads one page after another', async () => {
    const pages: unknown[] = []
    const fixture = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        async interrupted(before, page) {
          pages.push(page.after?.id)
          const [one] = await memory.interrupted(before, { limit: 1 })
          return one === undefined || page.after !== undefined ? [] : Array(100).fill(one)
        },
      }),
    })
    fixture.host.now += minute
    expect((await routerHealth(fixture.services, null)).interruptedApplies).toBe(100)
    expect(pages).toEqual([undefined, 1])
  })

  it('survives an outage of the storage, which it logs once', async () => {
    let isDown = true
    let failures = 0
    const fixture = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        interrupted(...all) {
          if (!isDown) return memory.interrupted(...all)
          failures += 1
          return Promise.reject(outOfOrder)
        },
      }),
    })
    fixture.gateway.outcome = succeeded
    fixture.host.now += minute
    fixture.settler.start()
    await until(() => failures > 3)
    isDown = false
    await until(async () => (await fixture.stored())?.state === 'Applied')
    await fixture.settler.close()
    expect(linesOf(fixture, 'warn')).toEqual([
      { level: 'warn', facts: { err: outOfOrder }, text: 'Interrupted applies could not be read. Retrying.' },
    ])
  })

  it('settles nothing with a wrong clock: running applies would count as interrupted', async () => {
    let theirs = 0
    const fixture = await interrupted(1, {
      storage: (memory) => ({
        ...memory,
        health: async () => ({ ...(await memory.health()), now: new Date(theirs).toISOString() }),
      }),
    })
    fixture.gateway.outcome = succeeded
    theirs = fixture.host.now
    fixture.host.now += minute
    fixture.settler.start()
    await until(() => linesOf(fixture, 'error').length > 0)
    expect((await fixture.stored())?.state).toBe('Approved')
    theirs = fixture.host.now
    await until(async () => (await fixture.stored())?.state === 'Applied')
    await fixture.settler.close()
    expect(linesOf(fixture, 'error').map(({ facts }) => facts)).toEqual([{ clockOffMs: minute }])
  })

  it('settles nothing after close(), which waits for the running one', async () => {
    const fixture = await interrupted()
    const gate = new Gate()
    fixture.gateway.outcome = async () => {
      await gate.pass()
      return null
    }
    fixture.host.now += minute
    fixture.settler.start()
    await gate.arrived
    let isClosed = false
    const closing = fixture.settler.close().then(() => {
      isClosed = true
    })
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    gate.letGo()
    await closing
    expect((await fixture.stored())?.applying).toBeNull()
    fixture.settler.start()
  })
})

describe('health()', () => {
  it('counts interrupted applies', async () => {
    const fixture = await interrupted(2)
    const count = async () => (await routerHealth(fixture.services, null)).interruptedApplies
    expect(await count()).toBe(0)
    fixture.host.now += minute
    expect(await count()).toBe(2)
  })
})
