import type { EventView } from '../../../src/generated/index'
import type { Consumer, ConsumerContext } from '../../../src/index'
import { defaultSurroundings, type Surroundings, toConsumer } from '../../../src/webhooks/consumer'
import type { WebhooksOptions, WebhookTarget } from '../../../src/webhooks/index'
import { resolveTargets } from '../../../src/webhooks/options'

export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
export const log = { id: '6f1e0b6a-7e5f-4d4e-8a0b-3a8f4f0f5b11', basePath: '/api/admin' }

export function eventOf(id: number, more: Partial<EventView> = {}): EventView {
  return {
    id,
    createdAt: '2026-11-20T10:52:09.870Z',
    type: 'change-request-applied',
    createdBy: 'ben@example.com',
    project: 'shop',
    data: { changeRequestId: 42 },
    preData: null,
    ...more,
  }
}

/** The consumer of one target, with time limits for tests. */
export function consumerOf(
  target: Partial<WebhookTarget> & Pick<WebhookTarget, 'url'>,
  surroundings: Partial<Surroundings> = {},
  options: Partial<WebhooksOptions> = {},
): Consumer {
  const [resolved] = resolveTargets({
    targets: [{ name: 'audit', secrets: [secret], types: '*', ...target }],
    ...options,
  })
  if (resolved === undefined) throw new Error('There is no target.')
  return toConsumer(resolved, { ...defaultSurroundings, random: () => 0.5, ...surroundings })
}

/** Calls the handler like the router, and returns what it recorded as done and how it ended. */
export async function attempt(
  consumer: Consumer,
  events: readonly EventView[],
  context: Partial<ConsumerContext> = {},
): Promise<{ readonly done: readonly number[]; readonly error: (Error & { readonly afterMs?: number }) | undefined }> {
  const done: number[] = []
  const { signal } = new AbortController()
  const whole = {
    ...{ attempt: 1, failingSince: null, signal, log, describe: async () => null },
    done: async (id: number) => void done.push(id),
    ...context,
  }
  try {
    await consumer.handle(events, whole)
    return { done, error: undefined }
  } catch (error) {
    return { done, error: error as Error }
  }
}
