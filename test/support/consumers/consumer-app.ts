import type { ConsumerView, EventView } from '../../../src/generated/index'
import {
  type ChangeRequestRouterOptions,
  type Consumer,
  type ConsumerContext,
  createChangeRequestRouter,
  type Limits,
  memoryStorage,
  type Storage,
} from '../../../src/index'

export { until } from '../../faults/support/server'

/** A line of the log. */
export interface Line {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly facts: Readonly<Record<string, unknown>>
  readonly message: string
}

/** One call of a handler. */
export interface Call extends ConsumerContext {
  readonly ids: readonly number[]
  readonly events: readonly EventView[]
}

/** A router with consumers, on a storage that other routers may share. */
export function consumerApp(
  storage: Storage = memoryStorage(),
  limits: Partial<Limits> = {},
  options: Partial<ChangeRequestRouterOptions> = {},
) {
  const lines: Line[] = []
  const log = (level: Line['level']) => (facts: object, message: string) =>
    void lines.push({ level, facts: { ...facts }, message })
  const router = createChangeRequestRouter({
    storage,
    authenticate: async () => null,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    limits: { consumerLeaseMs: 60_000, consumerTimeoutMs: 600_000, followPollMs: 20, ...limits },
    ...options,
  })
  return {
    router,
    storage,
    lines,
    /** The messages of at least this level, without those of other parts. */
    messages: (level: Line['level'] = 'info') =>
      lines.filter((line) => line.level === level).map(({ message }) => message),
    /** Records events that change flags named after their numbers. */
    async record(count: number, from = 1, project = 'shop') {
      const numbers = Array.from({ length: count }, (_, index) => from + index)
      await router.events.record(
        numbers.map((number) => ({ type: 'feature-updated' as const, project, featureName: `flag-${number}` })),
      )
    },
    /** Consumes with a handler that records its calls; `handle` may fail or hang. */
    consume(consumer: Partial<Consumer> = {}, handle: (call: Call) => void | Promise<void> = () => {}) {
      const calls: Call[] = []
      router.events.consume({
        name: 'audit',
        from: 'beginning',
        ...consumer,
        handle: async (events, context) => {
          const call = { ...context, events, ids: events.map(({ id }) => id) }
          calls.push(call)
          await handle(call)
        },
      })
      return { calls, ids: () => calls.flatMap((call) => call.ids) }
    },
    async view(name = 'audit'): Promise<ConsumerView> {
      const { items } = (await router.health()).consumers
      return items.find((one) => one.name === name) as ConsumerView
    },
  }
}
