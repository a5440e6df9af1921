import { readDue } from '../../../src/capabilities/schedule/due-queue'
import { routerHealth } from '../../../src/capabilities/schedule/schedule-health'
import type { ChangeRequestSummary } from '../../../src/domain/content/summary'
import { Gate } from '../../kernel/support/flags'
import { createScheduledWorld } from '../../kernel/support/schedules'
import { enable, inAnHour, noon } from '../../kernel/support/world'

const evening = '2026-03-04T18:00:00.000Z'
const none = { applied: 0, failed: 0, suspended: 0, left: 0 }

describe('runDue()', () => {
  it('applies what is due and returns the results', async () => {
    const world = createScheduledWorld()
    for (const flag of ['a', 'b', 'c']) await world.scheduled([enable(flag)])
    await world.scheduled([enable('d')], evening)
    expect(await world.runAt(inAnHour)).toEqual({ ...none, applied: 3 })
    expect(await world.runAt(evening)).toEqual({ ...none, applied: 1 })
  })

  it('applies change requests of the same flag in the order of their times', async () => {
    const world = createScheduledWorld()
    const times = ['2026-03-04T12:20:00.000Z', '2026-03-04T12:10:00.000Z', '2026-03-04T12:30:00.000Z']
    for (const time of times) await world.scheduled([enable('a'), enable(`of-${time.slice(14, 16)}`)], time)
    expect(await world.runAt(inAnHour)).toEqual({ ...none, applied: 3 })
    const order = world.flags.applied.map((changes) => changes.at(-1)?.feature)
    expect(order).toEqual(['of-10', 'of-20', 'of-30'])
  })

  it('leaves what comes after one that waits, on the same flag alone', async () => {
    const world = createScheduledWorld()
    await world.scheduled([enable('a')], '2026-03-04T12:10:00.000Z')
    await world.scheduled([enable('a')], '2026-03-04T12:20:00.000Z')
    await world.scheduled([enable('b')], '2026-03-04T12:30:00.000Z')
    const { apply } = world.flags
    world.flags.apply = (changes, context) =>
      changes[0]?.feature === 'a'
        ? Promise.reject(new Error('out of reach'))
        : apply.call(world.flags, changes, context)
    expect(await world.runAt(inAnHour)).toEqual({ ...none, applied: 1, left: 2 })
    expect(world.lines.map(({ level, facts }) => [level, facts.id])).toEqual([['warn', 1]])
  })

  it('is held up by a gateway that hangs for the one change request alone', async () => {
    const world = createScheduledWorld()
    for (const flag of ['a', 'b']) await world.scheduled([enable(flag)])
    const gate = new Gate()
    const { apply } = world.flags
    world.flags.apply = async (changes, context) => {
      if (changes[0]?.feature === 'a') await gate.pass()
      return apply.call(world.flags, changes, context)
    }
    const running = world.runAt(inAnHour)
    await gate.arrived
    while ((await world.status(2)) !== 'Applied') await new Promise(setImmediate)
    expect((await world.another().runDue()).left).toBe(1)
    gate.letGo()
    expect(await running).toEqual({ ...none, applied: 2 })
  })

  it.each([
    [3_600_000, 0],
    [5_001, 0],
    [4_999, 1],
    [-4_999, 1],
    [-5_001, 0],
  ])('with a clock that is %d ms ahead of that of the storage applies %d', async (ahead, applied) => {
    let theirs = 0
    const world = createScheduledWorld({
      storage: (memory) => ({
        ...memory,
        health: async () => ({ ...(await memory.health()), now: new Date(theirs).toISOString() }),
      }),
    })
    await world.scheduled()
    theirs = Date.parse(inAnHour) - ahead
    expect(await world.runAt(inAnHour)).toEqual({ ...none, applied, left: 1 - applied })
    const off = world.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts.clockOffMs)
    expect(off).toEqual(applied === 1 ? [] : [ahead])
    expect((await routerHealth(world.services, null)).schedule.clockOffMs).toBe(ahead)
  })
})

describe('start()', () => {
  /** Resolves when the condition holds; the timers of the scheduler are real. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  it('applies what becomes due, until close()', async () => {
    const world = createScheduledWorld()
    const services = { ...world.services, onScheduled: () => world.scheduler.wake() }
    expect(services.onScheduled).toBeDefined()
    await world.scheduled()
    world.scheduler.start()
    world.scheduler.start()
    world.host.now = Date.parse(inAnHour)
    world.scheduler.wake()
    await until(async () => (await world.status()) === 'Applied')
    await world.scheduler.close()
    await world.scheduled([enable('b')], evening)
    world.host.now = Date.parse(evening)
    world.scheduler.wake()
    world.scheduler.start()
    expect(await world.status(2)).toEqual(['pending', null])
  })

  it('asks one small query while nothing is scheduled', async () => {
    const asked: string[] = []
    const world = createScheduledWorld({
      storage: (memory) =>
        new Proxy(memory, {
          get: (target, name) => {
            asked.push(String(name))
            return Reflect.get(target, name)
          },
        }),
    })
    world.scheduler.start()
    await until(async () => world.scheduler.lastRunAt !== null)
    await world.scheduler.close()
    expect(asked).toEqual(['due'])
  })

  it('waits at close() for an apply that is under way', async () => {
    const world = createScheduledWorld()
    await world.scheduled()
    world.host.now = Date.parse(inAnHour)
    const gate = new Gate()
    const { apply } = world.flags
    world.flags.apply = async (changes, context) => {
      await gate.pass()
      return apply.call(world.flags, changes, context)
    }
    world.scheduler.start()
    await gate.arrived
    const closing = world.scheduler.close()
    gate.letGo()
    await closing
    expect(await world.status()).toBe('Applied')
  })

  it('logs an error once what is due is a minute late', async () => {
    const world = createScheduledWorld()
    await world.scheduled()
    world.flags.instead = () => Promise.reject(new Error('out of reach'))
    world.host.now = Date.parse(inAnHour) + 60_001
    world.scheduler.start()
    const errors = () => world.lines.filter(({ level }) => level === 'error')
    await until(async () => errors().length > 0)
    await world.scheduler.close()
    expect(errors().map(({ facts, text }) => [facts, text])).toEqual([
      [{ overdueSince: inAnHour }, 'A scheduled change request has been due for more than a minute.'],
    ])
  })

  it('goes on after the storage failed', async () => {
    let fails = true
    const world = createScheduledWorld({
      storage: (memory) => ({
        ...memory,
        due: (page) => (fails ? Promise.reject(new Error('out of reach')) : memory.due(page)),
      }),
    })
    await world.scheduled()
    world.scheduler.start()
    await until(async () => world.lines.length > 0)
    fails = false
    world.host.now = Date.parse(inAnHour)
    world.scheduler.wake()
    await until(async () => (await world.status()) === 'Applied')
    await world.scheduler.close()
  })
})

describe('health().schedule', () => {
  it('returns what is due, since when, and what is next', async () => {
    const world = createScheduledWorld()
    const health = async () => (await routerHealth(world.services, world.scheduler.lastRunAt)).schedule
    const quiet = { due: 0, next: null, overdueSince: null, lastRunAt: null, clockOffMs: null }
    expect(await health()).toEqual(quiet)
    await world.scheduled()
    await world.scheduled([enable('b')], evening)
    expect(await health()).toEqual({ ...quiet, next: inAnHour })
    world.host.now = Date.parse(inAnHour) + 1
    expect(await health()).toEqual({ ...quiet, due: 1, next: evening, overdueSince: inAnHour })
    await world.scheduler.runDue()
    expect(await health()).toMatchObject({ due: 0, next: evening, lastRunAt: '2026-03-04T13:00:00.001Z' })
  })

  it('never rejects', async () => {
    const world = createScheduledWorld({
      storage: (memory) => ({ ...memory, dueTimes: () => Promise.reject(new Error('out of reach')) }),
    })
    expect((await routerHealth(world.services, noon)).schedule).toEqual({
      due: 0,
      next: null,
      overdueSince: null,
      lastRunAt: noon,
      clockOffMs: null,
    })
  })
})

describe('the walk over what is due', () => {
  it('reads page by page, past what is paused, and skips what has to wait', async () => {
    const world = createScheduledWorld()
    for (let id = 1; id <= 130; id += 1) await world.scheduled([enable(id % 2 === 0 ? `flag-${id}` : 'same')])
    const isPaused = ({ id }: ChangeRequestSummary) => id <= 120
    const walk = await readDue(world.storage, inAnHour, new Set(['shop flag-122']), isPaused)
    expect(walk.ready.map(({ id }) => id)).toEqual([124, 126, 128, 130])
    expect(walk.more).toBe(true)
  })
})
