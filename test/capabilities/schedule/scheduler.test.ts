import { readDue } from '../../../src/capabilities/schedule/due-queue'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { Pauses } from '../../../src/capabilities/schedule/pauses'
import { routerHealth } from '../../../src/capabilities/schedule/schedule-health'
import type { Storage } from '../../../src/ports/storage/storage'
import { enable, inAnHour, noon, until } from '../../kernel/support/fixture'
import { Gate } from '../../kernel/support/flags'
import { createScheduledFixture } from '../../kernel/support/schedules'

const evening = '2026-03-04T18:00:00.000Z'
const none = { applied: 0, failed: 0, suspended: 0, left: 0 }

describe('runDue()', () => {
  it('applies due change requests and returns the results', async () => {
    const fixture = createScheduledFixture()
    for (const flag of ['a', 'b', 'c']) await fixture.scheduled([enable(flag)])
    await fixture.scheduled([enable('d')], evening)
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, applied: 3 })
    expect(await fixture.runAt(evening)).toEqual({ ...none, applied: 1 })
  })

  it('applies change requests of the same flag in the order of their times', async () => {
    const fixture = createScheduledFixture()
    const times = ['2026-03-04T12:20:00.000Z', '2026-03-04T12:10:00.000Z', '2026-03-04T12:30:00.000Z']
    for (const time of times) await fixture.scheduled([enable('a'), enable(`of-${time.slice(14, 16)}`)], time)
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, applied: 3 })
    const order = fixture.flags.applied.map((changes) => changes.at(-1)?.feature)
    expect(order).toEqual(['of-10', 'of-20', 'of-30'])
  })

  it('delays later ones only if they have the same flag as one that waits', async () => {
    const fixture = createScheduledFixture()
    await fixture.scheduled([enable('a')], '2026-03-04T12:10:00.000Z')
    await fixture.scheduled([enable('a')], '2026-03-04T12:20:00.000Z')
    await fixture.scheduled([enable('b')], '2026-03-04T12:30:00.000Z')
    const { apply } = fixture.flags
    fixture.flags.apply = (changes, context) =>
      changes[0]?.feature === 'a'
        ? Promise.reject(new Error('out of reach'))
        : apply.call(fixture.flags, changes, context)
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, applied: 1, left: 2 })
    expect(fixture.lines.map(({ level, facts }) => [level, facts.id])).toEqual([['warn', 1]])
  })

  it('continues with other change requests while the gateway hangs for one', async () => {
    const fixture = createScheduledFixture()
    for (const flag of ['a', 'b']) await fixture.scheduled([enable(flag)])
    const gate = new Gate()
    const { apply } = fixture.flags
    fixture.flags.apply = async (changes, context) => {
      if (changes[0]?.feature === 'a') await gate.pass()
      return apply.call(fixture.flags, changes, context)
    }
    const running = fixture.runAt(inAnHour)
    await gate.arrived
    await until(async () => (await fixture.status(2)) === 'Applied')
    expect((await fixture.another().runDue()).left).toBe(1)
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
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        health: async () => ({ ...(await memory.health()), now: new Date(theirs).toISOString() }),
      }),
    })
    await fixture.scheduled()
    theirs = Date.parse(inAnHour) - ahead
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, applied, left: 1 - applied })
    const off = fixture.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts.clockOffMs)
    expect(off).toEqual(applied === 1 ? [] : [ahead])
    expect((await routerHealth(fixture.services, null)).schedule.clockOffMs).toBe(ahead)
  })
})

describe('start()', () => {
  it('applies what becomes due, until close()', async () => {
    const fixture = createScheduledFixture()
    const services = { ...fixture.services, onScheduled: () => fixture.scheduler.wake() }
    expect(services.onScheduled).toBeDefined()
    await fixture.scheduled()
    fixture.scheduler.start()
    fixture.scheduler.start()
    fixture.host.now = Date.parse(inAnHour)
    fixture.scheduler.wake()
    await until(async () => (await fixture.status()) === 'Applied')
    await fixture.scheduler.close()
    await fixture.scheduled([enable('b')], evening)
    fixture.host.now = Date.parse(evening)
    fixture.scheduler.wake()
    fixture.scheduler.start()
    expect(await fixture.status(2)).toEqual(['pending', null])
  })

  it('runs one small query while nothing is scheduled', async () => {
    const asked: string[] = []
    const fixture = createScheduledFixture({
      storage: (memory) =>
        new Proxy(memory, {
          get: (target, name) => {
            asked.push(String(name))
            return Reflect.get(target, name)
          },
        }),
    })
    fixture.scheduler.start()
    await until(async () => fixture.scheduler.lastRunAt !== null)
    await fixture.scheduler.close()
    expect(asked).toEqual(['due'])
  })

  it('waits at close() for a running apply', async () => {
    const fixture = createScheduledFixture()
    await fixture.scheduled()
    fixture.host.now = Date.parse(inAnHour)
    const gate = new Gate()
    const { apply } = fixture.flags
    fixture.flags.apply = async (changes, context) => {
      await gate.pass()
      return apply.call(fixture.flags, changes, context)
    }
    fixture.scheduler.start()
    await gate.arrived
    const closing = fixture.scheduler.close()
    gate.letGo()
    await closing
    expect(await fixture.status()).toBe('Applied')
  })

  it('logs an error when a due one is a minute late', async () => {
    const fixture = createScheduledFixture()
    await fixture.scheduled()
    fixture.flags.instead = () => Promise.reject(new Error('out of reach'))
    fixture.host.now = Date.parse(inAnHour) + 60_001
    fixture.scheduler.start()
    const errors = () => fixture.lines.filter(({ level }) => level === 'error')
    await until(async () => errors().length > 0)
    await fixture.scheduler.close()
    expect(errors().map(({ facts, text }) => [facts, text])).toEqual([
      [{ overdueSince: inAnHour }, 'A scheduled change request has been due for more than a minute.'],
    ])
  })

  it('only waits while the database is a standby, with one line in the log', async () => {
    let recovery = true
    let healths = 0
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        health: async () => {
          healths += 1
          return { ...(await memory.health()), recovery }
        },
      }),
    })
    await fixture.scheduled()
    fixture.host.now = Date.parse(inAnHour)
    fixture.scheduler.start()
    await until(async () => {
      fixture.scheduler.wake()
      return healths > 3 || (await fixture.status()) === 'Applied'
    })
    expect(await fixture.status()).toEqual(['pending', null])
    expect(fixture.lines.map(({ text }) => text)).toEqual([expect.stringMatching(/^The database accepts no writes/)])
    recovery = false
    fixture.scheduler.wake()
    await until(async () => (await fixture.status()) === 'Applied')
    await fixture.scheduler.close()
    fixture.services.outage.close()
  })

  it('continues after the storage failed', async () => {
    let fails = true
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        due: (page) => (fails ? Promise.reject(new Error('out of reach')) : memory.due(page)),
      }),
    })
    await fixture.scheduled()
    fixture.scheduler.start()
    await until(async () => fixture.lines.length > 0)
    fails = false
    fixture.host.now = Date.parse(inAnHour)
    fixture.scheduler.wake()
    await until(async () => (await fixture.status()) === 'Applied')
    await fixture.scheduler.close()
  })
})

describe('health().schedule', () => {
  it('returns the due ones, since when, and the next one', async () => {
    const fixture = createScheduledFixture()
    const health = async () => (await routerHealth(fixture.services, fixture.scheduler.lastRunAt)).schedule
    const quiet = { due: 0, next: null, overdueSince: null, lastRunAt: null, held: 0, clockOffMs: null }
    expect(await health()).toEqual(quiet)
    await fixture.scheduled()
    await fixture.scheduled([enable('b')], evening)
    expect(await health()).toEqual({ ...quiet, next: inAnHour })
    fixture.host.now = Date.parse(inAnHour) + 1
    expect(await health()).toEqual({ ...quiet, due: 1, next: evening, overdueSince: inAnHour })
    await fixture.scheduler.runDue()
    expect(await health()).toMatchObject({ due: 0, next: evening, lastRunAt: '2026-03-04T13:00:00.001Z' })
  })

  const fails = () => {
    throw new Error('out of reach')
  }

  it.each([
    ['storage.health', { storage: (memory: Storage) => ({ ...memory, health: fails }) }, false],
    ['storage.dueTimes', { storage: (memory: Storage) => ({ ...memory, dueTimes: fails }) }, true],
    ['storage.interrupted', { storage: (memory: Storage) => ({ ...memory, interrupted: fails }) }, true],
    ['clock', { clock: fails }, true],
    ['clock', { clock: () => new Date('none') }, true],
  ])('never rejects: it names %s, which fails, and logs the error', async (name, options, reachable) => {
    const fixture = createScheduledFixture(options)
    expect(await routerHealth(fixture.services, noon)).toMatchObject({
      reachable,
      schedule: { due: 0, next: null, overdueSince: null, lastRunAt: noon, held: 0, clockOffMs: null },
      interruptedApplies: 0,
      failures: expect.arrayContaining([name]),
    })
    expect(fixture.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', facts: { err: expect.any(Error), function: name } }),
    )
  })
})

describe('the scan of due change requests', () => {
  it('reads page by page, passes paused ones, and skips those that must wait', async () => {
    const fixture = createScheduledFixture()
    for (let id = 1; id <= 130; id += 1) await fixture.scheduled([enable(id % 2 === 0 ? `flag-${id}` : 'same')])
    const walk = await readDue(fixture.storage, {
      before: inAnHour,
      busy: new Set(['shop flag-122']),
      freezes: new FreezeRound(fixture.services),
      isPaused: ({ id }) => id <= 120,
      onFailure: async () => undefined,
    })
    expect(walk.ready.map(({ id }) => id)).toEqual([124, 126, 128, 130])
    expect(walk.more).toBe(true)
  })
})

describe('a run of many schedules, on a storage that never waits', () => {
  it('yields to the event loop: in each iteration, those that run concurrently are applied', async () => {
    let inOneIteration = 0
    let most = 0
    const fixture = createScheduledFixture({
      storage: (memory) => ({
        ...memory,
        commit(write) {
          if (write.changeRequest.state === 'Applied') inOneIteration += 1
          most = Math.max(most, inOneIteration)
          return memory.commit(write)
        },
      }),
    })
    for (let n = 0; n < 32; n += 1) await fixture.scheduled([enable(`flag-${n}`)])
    let timer = setImmediate(function next() {
      inOneIteration = 0
      timer = setImmediate(next)
    })
    const { applied } = await fixture.runAt(inAnHour)
    clearImmediate(timer)

    expect(applied).toBe(32)
    expect(most).toBe(8)
  })
})

describe('the pauses between attempts', () => {
  // The longest that chance allows.
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(1))
  afterEach(() => jest.restoreAllMocks())

  it('grow up to half a minute, separately for each key', () => {
    const pauses = new Pauses<number>()
    expect(Array.from({ length: 7 }, () => pauses.extend(1))).toEqual([1, 2, 4, 8, 16, 30, 30].map((s) => s * 1_000))
    expect(pauses.extend(2)).toBe(1_000)
  })

  it('are short again after a success', () => {
    const pauses = new Pauses<number>()
    pauses.extend(1)
    expect([pauses.isPaused(1), pauses.isPaused(2)]).toEqual([true, false])
    pauses.end(1)
    expect([pauses.isPaused(1), pauses.extend(1)]).toEqual([false, 1_000])
  })

  it('all end when a run is requested', () => {
    const pauses = new Pauses<number>()
    pauses.extend(1)
    pauses.endAll()
    expect(pauses.isPaused(1)).toBe(false)
  })
})
