import { failed } from '../../../src/capabilities/consumers/attempt'
import { type Consumer, ConsumerRetry, ConsumerStop, memoryStorage, type Storage } from '../../../src/index'
import { newConsumerStatus } from '../../../src/ports/storage/consumers'
import { type Call, consumerApp, until } from '../../support/consumers/consumer-app'
import { thrownValues } from '../../support/thrown-values'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const handle = async () => {}
const never = () => new Promise<void>(() => {})

describe('events.consume', () => {
  it.each([
    ['name', { handle }],
    ['name', { name: 'Audit', handle }],
    ['name', { name: 'a'.repeat(101), handle }],
    ['handle', { name: 'audit' }],
    ['from', { name: 'audit', handle, from: 'start' }],
    ['from', { name: 'audit', handle, from: -1 }],
    ['batchSize', { name: 'audit', handle, batchSize: 1_001 }],
    ['batchSize', { name: 'audit', handle, batchSize: 0 }],
    ['close', { name: 'audit', handle, close: true }],
    ['filter.types', { name: 'audit', handle, filter: { types: [] } }],
    ['filter.projects', { name: 'audit', handle, filter: { projects: 'shop' } }],
    ['project', { name: 'audit', handle, filter: { project: ['shop'] } }],
    ['secret', { name: 'audit', handle, secret: 'x' }],
  ])('rejects an invalid %s with a TypeError that names it', (property, consumer) => {
    const { router } = consumerApp()
    expect(() => router.events.consume(consumer as unknown as Consumer)).toThrow(TypeError)
    expect(() => router.events.consume(consumer as unknown as Consumer)).toThrow(`"${property}"`)
  })

  it('rejects a second consumer with the same name, one after close(), and one of a storage without consumers', async () => {
    const { router } = consumerApp()
    router.events.consume({ name: 'audit', handle })
    expect(() => router.events.consume({ name: 'audit', handle })).toThrow('already a consumer "audit"')
    await router.close()
    expect(() => router.events.consume({ name: 'search', handle })).toThrow('closed')
    const { consumers, ...storage } = memoryStorage()
    expect(() => consumerApp(storage as Storage).router.events.consume({ name: 'audit', handle })).toThrow(TypeError)
  })

  it('calls close() of each consumer once, in router.close()', async () => {
    const { router, lines } = consumerApp()
    let closed = 0
    const close = () => {
      closed += 1
    }
    router.events.consume({ name: 'audit', handle, close })
    router.events.consume({
      name: 'search',
      handle,
      close() {
        throw new Error('cannot')
      },
    })
    router.start()
    await router.close()
    await router.close()
    expect(closed).toBe(1)
    expect(lines.map(({ facts }) => facts.consumer)).toEqual(['search'])
  })
})

describe('a consumer', () => {
  it.each([
    ['the beginning', 'beginning', range(1, 6)],
    ['an id', 2, range(3, 6)],
    ['now', 'now', range(5, 6)],
  ] as const)('that starts from %s receives the events after it, each once and in order', async (_, from, ids) => {
    const app = consumerApp()
    await app.record(4)
    const consumed = app.consume({ from })
    app.router.start()
    await until(async () => (await app.view()).state === 'running')
    await app.record(2)
    await until(() => consumed.ids().length === ids.length)
    expect(consumed.ids()).toEqual(ids)
    await app.router.close()
  })

  it('cannot start from an id above the newest one, which stops no other consumer', async () => {
    const app = consumerApp()
    app.consume({ from: 7 })
    const other = app.consume({ name: 'search' })
    app.router.start()
    await until(() => app.messages('error').length > 0)
    await app.record(7)
    await until(async () => (await app.view()).state === 'running')
    expect(other.ids()).toEqual(range(1, 7))
    expect(app.messages('error')).toEqual(['A consumer cannot start. The newest event has id 0; 7 is above it.'])
    await app.router.close()
  })

  it('receives the events that match its filter, as the event search serves them, in batches of its size', async () => {
    const app = consumerApp()
    await app.router.events.record({ type: 'feature-created', project: 'bank', featureName: 'vault' })
    await app.record(5)
    await app.router.events.record({
      type: 'feature-created',
      project: 'shop',
      featureName: 'checkout',
      groupType: 'transaction',
      groupId: 'g1',
    })
    const consumed = app.consume({ batchSize: 2, filter: { projects: ['shop'] } })
    app.router.start()
    await until(() => consumed.ids().length === 6)
    expect(consumed.calls.map(({ ids }) => ids)).toEqual([
      [2, 3],
      [4, 5],
      [6, 7],
    ])
    expect(consumed.calls[2]?.events[1]).toMatchObject({ id: 7, groupType: 'transaction', groupId: 'g1' })
    expect(consumed.calls[0]).toMatchObject({ attempt: 1, failingSince: null, log: { basePath: '/api/admin' } })
    expect(consumed.calls[0]?.log.id).toBe(await app.storage.consumers?.logId())
    await app.router.close()
  })

  it('moves its position over events that do not match its filter', async () => {
    const app = consumerApp()
    const { ids } = app.consume({ filter: { projects: ['bank'] } })
    app.router.start()
    await app.record(3)
    await until(async () => (await app.view())?.position === 3)
    expect(ids()).toEqual([])
    await app.router.close()
  })

  it('runs only between start() and close(), and continues after its position', async () => {
    const storage = memoryStorage()
    const first = consumerApp(storage)
    await first.record(3)
    const one = first.consume()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(one.calls).toEqual([])
    first.router.start()
    await until(async () => (await first.view()).position === 3)
    await first.router.close()
    const other = consumerApp(storage)
    await other.record(3)
    const two = other.consume()
    other.router.start()
    await until(() => two.ids().length === 3)
    expect(two.ids()).toEqual([4, 5, 6])
    await other.router.close()
  })
})

describe('a handler that fails', () => {
  /** Fails once with the error, after the action. */
  const failOnce = (error: unknown, before: (call: Call) => Promise<void> = async () => {}) => {
    let hasFailed = false
    return async (call: Call) => {
      if (hasFailed) return
      hasFailed = true
      await before(call)
      throw error
    }
  }
  const soon = new ConsumerRetry({ afterMs: 1 }, 'The index is away.')

  it('receives the batch again, and each change of state is logged once', async () => {
    const app = consumerApp()
    await app.record(3)
    let failures = 0
    const consumed = app.consume({}, () => {
      failures += 1
      if (failures < 4) throw soon
    })
    app.router.start()
    await until(async () => (await app.view())?.position === 3)
    expect(consumed.calls.map(({ ids, attempt }) => [ids, attempt])).toEqual(range(1, 4).map((n) => [[1, 2, 3], n]))
    expect(consumed.calls.map(({ failingSince }) => failingSince === null)).toEqual([true, false, false, false])
    expect(new Set(consumed.calls.slice(1).map(({ failingSince }) => failingSince)).size).toBe(1)
    expect(app.messages('warn')).toEqual(['A consumer fails. Retrying.'])
    expect(app.messages('info')).toEqual(['A consumer recovered.'])
    expect(await app.view()).toMatchObject({ state: 'running', attempt: 1, failingSince: null, lastError: null })
    await app.router.close()
  })

  it('is shown with its failure and the time of the next attempt, also by other processes', async () => {
    const storage = memoryStorage()
    const app = consumerApp(storage)
    await app.record(2)
    app.consume({}, () => {
      throw new ConsumerRetry({ afterMs: 9_000_000 }, 'x'.repeat(300))
    })
    app.router.start()
    await until(async () => (await app.view())?.state === 'retrying')
    const view = await consumerApp(storage).view()
    expect(view).toMatchObject({ position: 0, lag: 2, attempt: 2, lastError: 'x'.repeat(200), reason: null })
    const pauseMs = Date.parse(view.nextAttemptAt ?? '') - Date.parse(view.failingSince ?? '')
    expect(pauseMs).toBe(3_600_000)
    await app.router.close()
    expect(await consumerApp(storage).view()).toMatchObject({ state: 'waiting', attempt: 2 })
  })

  it('receives only the events after done()', async () => {
    const app = consumerApp()
    await app.record(5)
    const consumed = app.consume(
      {},
      failOnce(soon, ({ done }) => done(3)),
    )
    app.router.start()
    await until(async () => (await app.view())?.position === 5)
    expect(consumed.calls.map(({ ids, attempt }) => [ids, attempt])).toEqual([
      [[1, 2, 3, 4, 5], 1],
      [[4, 5], 2],
    ])
    await app.router.close()
  })

  it('begins to count again after done() in a failing state, which is stored immediately', async () => {
    const app = consumerApp()
    await app.record(3)
    let attempts = 0
    const stored: unknown[] = []
    const consumed = app.consume({}, async ({ done }) => {
      attempts += 1
      if (attempts === 3) {
        await done(1)
        stored.push((await app.view()).failingSince, (await app.view()).position)
      }
      if (attempts <= 3) throw soon
    })
    app.router.start()
    await until(async () => (await app.view())?.position === 3)
    expect(stored).toEqual([null, 1])
    expect(consumed.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 2])
    await app.router.close()
  })

  it('gets a TypeError from done() for an id that is not in the batch, or is below an earlier one', async () => {
    const app = consumerApp()
    await app.record(3)
    const errors: unknown[] = []
    let late: Call['done'] | undefined
    app.consume({}, async ({ done }) => {
      late = done
      for (const id of [4, 0, 2, 2, 1, 3]) await done(id).catch((error) => errors.push(`${id} ${error.name}`))
    })
    app.router.start()
    await until(async () => (await app.view())?.position === 3)
    expect(errors).toEqual(['4 TypeError', '0 TypeError', '1 TypeError'])
    await expect(late?.(3)).rejects.toMatchObject({ name: 'ConflictError' })
    await app.router.close()
  })

  it('is aborted after the time limit, and the next attempt does not wait for it', async () => {
    const app = consumerApp(memoryStorage(), { consumerTimeoutMs: 1_000 })
    await app.record(2)
    const late = async ({ attempt, signal }: Call) => {
      if (attempt > 1) return
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      // A rejection after the attempt has ended changes nothing.
      throw new Error('interrupted')
    }
    const consumed = app.consume({}, late)
    app.router.start()
    await until(async () => (await app.view())?.position === 2)
    expect(consumed.calls.map(({ attempt, signal }) => [attempt, signal.aborted])).toEqual([
      [1, true],
      [2, false],
    ])
    expect(app.lines[0]).toMatchObject({ level: 'warn', message: 'A consumer fails. Retrying.' })
    expect(String(app.lines[0]?.facts.err)).toContain('1000 ms')
    await app.router.close()
  })

  it('stays stopped after ConsumerStop, also after a restart, until seek()', async () => {
    const storage = memoryStorage()
    const app = consumerApp(storage)
    await app.record(3)
    app.consume({}, () => {
      throw new ConsumerStop('The index was deleted.')
    })
    app.router.start()
    await until(async () => (await app.view())?.state === 'stopped')
    expect(await app.view()).toMatchObject({ reason: 'The index was deleted.', position: 0, nextAttemptAt: null })
    expect(app.messages('error')).toEqual(['A consumer was stopped by its handler.'])
    await app.router.close()

    const other = consumerApp(storage)
    const consumed = other.consume()
    other.router.start()
    await until(() => other.messages('error').length > 0)
    expect(other.messages('error')[0]).toContain('A consumer is stopped.')
    expect(other.lines[0]?.facts).toEqual({ consumer: 'audit', reason: 'The index was deleted.' })
    expect(consumed.calls).toEqual([])
    await other.router.events.seek('audit', 1)
    await until(() => consumed.ids().length === 2)
    expect(consumed.calls.map(({ ids, attempt }) => [ids, attempt])).toEqual([[[2, 3], 1]])
    await until(async () => (await other.view()).position === 3)
    expect(await other.view()).toMatchObject({ state: 'running', reason: null })
    await other.router.close()
  })
})

describe('a process that no longer owns a consumer', () => {
  it.each([
    ['seek()', (app: ReturnType<typeof consumerApp>) => app.router.events.seek('audit', 'beginning')],
    [
      'another owner',
      async ({ storage: { consumers } }: ReturnType<typeof consumerApp>) => {
        const [row] = (await consumers?.list()) ?? []
        if (row) await consumers?.write({ ...row, before: row, epoch: row.epoch + 1 })
      },
    ],
  ])('aborts the handler because of %s, and its position is rejected', async (_, take) => {
    const app = consumerApp()
    await app.record(2)
    let release = () => {}
    const consumed = app.consume({}, ({ attempt, signal }) => {
      if (consumed.calls.length > 1 || attempt > 1) return
      return new Promise<void>((resolve) => {
        release = resolve
        signal.addEventListener('abort', () => undefined)
      })
    })
    app.router.start()
    await until(() => consumed.calls.length === 1)
    await take(app)
    await until(() => consumed.calls[0]?.signal.aborted === true)
    release()
    await until(async () => consumed.calls.length === 2 && (await app.view()).position === 2)
    expect(consumed.calls.map(({ ids, attempt }) => [ids, attempt])).toEqual([
      [[1, 2], 1],
      [[1, 2], 1],
    ])
    expect(app.messages('warn')).toEqual([])
    await app.router.close()
  })

  it('aborts the handler before its lease ends, when it cannot be renewed', async () => {
    const storage = memoryStorage()
    const consumers = storage.consumers as NonNullable<Storage['consumers']>
    let isAway = false
    const lease: typeof consumers.lease = async (...given) => {
      if (isAway) throw new Error('out of reach')
      return consumers.lease(...given)
    }
    const app = consumerApp({ ...storage, consumers: { ...consumers, lease } }, { consumerLeaseMs: 1_000 })
    await app.record(1)
    let leftMs = 0
    const consumed = app.consume({}, async ({ signal }) => {
      isAway = true
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      leftMs = (await consumers.list())[0]?.leaseLeftMs ?? 0
      isAway = false
      throw new Error('interrupted')
    })
    app.router.start()
    await until(() => leftMs !== 0)
    expect(leftMs).toBeLessThan(1_000)
    await until(() => consumed.calls.length === 2)
    expect(consumed.calls[1]).toMatchObject({ ids: [1], attempt: 1 })
    expect(app.messages('warn')[0]).toBe('Consumers could not be leased. Retrying.')
    await app.router.close()
  })

  it('keeps its lease while a handler runs for longer than the lease', async () => {
    const storage = memoryStorage()
    const [app, other] = [
      consumerApp(storage, { consumerLeaseMs: 1_000 }),
      consumerApp(storage, { consumerLeaseMs: 1_000 }),
    ]
    await app.record(1)
    let release = () => {}
    const consumed = app.consume({}, () => {
      return new Promise<void>((resolve) => {
        release = resolve
      })
    })
    app.router.start()
    await until(() => consumed.calls.length === 1)
    const two = other.consume()
    other.router.start()
    const leases = new Set<number>()
    await until(async () => {
      const [row] = (await storage.consumers?.list()) ?? []
      leases.add(Math.round(Date.now() + (row?.leaseLeftMs ?? 0)))
      return leases.size > 4
    })
    expect(two.calls).toEqual([])
    expect(consumed.calls[0]?.signal.aborted).toBe(false)
    release()
    await until(async () => (await app.view()).position === 1)
    await Promise.all([app.router.close(), other.router.close()])
  })
})

describe('a database that is away', () => {
  it('delays a consumer, and is no failure of its handler', async () => {
    const storage = memoryStorage()
    const consumers = storage.consumers as NonNullable<Storage['consumers']>
    let isAway = false
    let refused = 0
    const failing =
      <Given extends unknown[], Value>(call: (...given: Given) => Promise<Value>) =>
      async (...given: Given) => {
        if (!isAway) return call(...given)
        refused += 1
        throw new Error('out of reach')
      }
    const app = consumerApp({
      ...storage,
      eventHead: failing(storage.eventHead),
      eventPage: failing(storage.eventPage),
      consumers: { ...consumers, list: failing(consumers.list), write: failing(consumers.write) },
    })
    const consumed = app.consume({ batchSize: 2 }, async ({ ids }) => {
      if (ids.includes(1)) isAway = true
    })
    await app.record(4)
    app.router.start()
    await until(() => refused > 5)
    isAway = false
    await until(async () => (await app.view()).position === 4)
    expect(consumed.calls.map(({ ids, attempt }) => [ids, attempt])).toEqual([
      [[1, 2], 1],
      [[3, 4], 1],
    ])
    const ofConsumer = app.lines.filter(({ facts }) => facts.consumer === 'audit')
    expect(ofConsumer.map(({ message }) => message)).toEqual(['The storage failed for a consumer. Retrying.'])
    await app.router.close()
  })
})

describe('router.close()', () => {
  it('aborts the handler, and counts a batch that it then handles', async () => {
    const app = consumerApp()
    await app.record(2)
    const consumed = app.consume(
      {},
      ({ signal }) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    )
    app.router.start()
    await until(() => consumed.calls.length === 1)
    await app.router.close()
    expect(await app.view()).toMatchObject({ state: 'waiting', position: 2, attempt: 1 })
    expect(app.lines).toEqual([])
  })

  it('stores the progress of a handler that throws because of it, which is no failure', async () => {
    const app = consumerApp()
    await app.record(3)
    const consumed = app.consume({}, async ({ signal, done }) => {
      await done(1)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new Error('interrupted')
    })
    app.router.start()
    await until(() => consumed.calls.length === 1)
    await app.router.close()
    expect(await app.view()).toMatchObject({ state: 'waiting', position: 1, attempt: 1, failingSince: null })
    expect(app.lines).toEqual([])
  })

  it('ends the lease of a handler that ignores its signal, so that another process continues', async () => {
    const storage = memoryStorage()
    const app = consumerApp(storage)
    await app.record(1)
    const consumed = app.consume({}, never)
    app.router.start()
    await until(() => consumed.calls.length === 1)
    await app.router.close({ timeoutMs: 100 })
    const other = consumerApp(storage)
    const two = other.consume()
    other.router.start()
    await until(() => two.ids().length === 1)
    await other.router.close()
  })
})

describe('the status after a handler threw any value', () => {
  const noon = new Date('2026-03-04T12:00:00.000Z')
  const branded = (brand: string, properties: object) =>
    Object.assign(new Error('of another copy'), { [Symbol.for(`express-change-requests.${brand}`)]: true }, properties)

  it.each(thrownValues)('%s: is a retry, with a text of at most 200 characters', (_, create) => {
    const { failures, failingSince, nextAttemptAt, lastError, reason } = failed(newConsumerStatus, create(), noon)
    expect([failures, failingSince, nextAttemptAt, reason]).toEqual([1, noon.toISOString(), expect.any(String), null])
    expect(lastError).toMatch(/^\P{Cc}{1,200}$/u)
  })

  it('is stopped by another installed copy, recognised by its brand, and by no name', () => {
    expect(failed(newConsumerStatus, branded('consumer-stop', {}), noon)).toMatchObject({
      ...{ reason: 'of another copy', nextAttemptAt: null },
    })
    const unreadable = failed(newConsumerStatus, branded('consumer-stop', { message: { text: 'no' } }), noon)
    expect(unreadable.reason).toEqual(expect.stringContaining('an object'))
    expect(failed(newConsumerStatus, Object.assign(new Error('no'), { name: 'ConsumerStop' }), noon).reason).toBe(null)
  })

  it('has the pause of a retry of another copy only if it is a duration', () => {
    const pauseOf = (thrown: unknown) =>
      Date.parse(failed(newConsumerStatus, thrown, noon).nextAttemptAt ?? '') - noon.getTime()
    expect(pauseOf(branded('consumer-retry', { afterMs: 50_000 }))).toBe(50_000)
    expect(pauseOf(branded('consumer-retry', { afterMs: Infinity }))).toBe(3_600_000)
    const thrower = Object.defineProperty(branded('consumer-retry', {}), 'afterMs', {
      get() {
        throw new Error('no')
      },
    })
    const others = ['50000', Number.NaN, -1, null].map((afterMs) => branded('consumer-retry', { afterMs }))
    for (const thrown of [...others, thrower, { name: 'ConsumerRetry', afterMs: 50_000 }]) {
      expect(pauseOf(thrown)).toBeLessThanOrEqual(1_000)
    }
  })
})

describe('a consumer before start()', () => {
  const seconds = (count: number) => jest.advanceTimersByTime(count * 1_000)
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'Date'] }))
  afterEach(() => jest.useRealTimers())

  it.each([
    ['now', 3, 0],
    ['beginning', 0, 3],
    [2, 2, 1],
    [7, 7, 0],
  ] as const)(
    'that starts from %s is waiting immediately, at the position of its start',
    async (from, position, lag) => {
      const app = consumerApp()
      await app.record(3)
      app.consume({ from })
      app.consume({ name: 'a-first', from: 'now' })
      const { items, lowestPosition } = (await app.router.health()).consumers
      expect(items.map(({ name, state }) => [name, state])).toEqual([
        ['a-first', 'waiting'],
        ['audit', 'waiting'],
      ])
      expect([items[1]?.position, items[1]?.lag, lowestPosition]).toEqual([position, lag, Math.min(position, 3)])
      expect(await app.storage.consumers?.list()).toEqual([])
      await app.router.close()
    },
  )

  it('is named by one warning after 10 seconds', async () => {
    const app = consumerApp()
    app.consume()
    seconds(9)
    app.consume({ name: 'search' })
    expect(app.messages('warn')).toEqual([])
    seconds(1)
    const text =
      'Consumers receive no events, because router.start() has not been called: audit, search. ' +
      'Call it in each process, after router.migrate().'
    expect(app.messages('warn')).toEqual([text])
    app.consume({ name: 'late' })
    seconds(3_600)
    expect(app.messages('warn')).toEqual([text])
    await app.router.close()
  })

  it.each(['start', 'close'] as const)('is not warned of after %s()', async (method) => {
    const app = consumerApp()
    app.consume()
    seconds(9)
    await app.router[method]()
    seconds(60)
    expect(app.messages('warn')).toEqual([])
    await app.router.close()
  })
})
