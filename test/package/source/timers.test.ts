import { files } from '../support/source-files'

const timer = /(?<![\w.])(?:setTimeout|setInterval|AbortSignal\.timeout|sleep)\(/g

/** Every timer outside of the page, and what bounds its duration. A timer waits only 1 ms for more than 2^31 - 1 ms. */
const timers: Readonly<Record<string, readonly string[]>> = {
  'capabilities/consumers/attempt.ts': ['limits.consumerTimeoutMs'],
  'capabilities/consumers/consumers.ts': ['a constant', 'close() shortens it', 'limits.consumerLeaseMs'],
  'capabilities/log/subscribe.ts': ['limits.heartbeatMs', 'limits.followMs'],
  'cli/api/api.ts': ['a constant'],
  'cli/api/wait.ts': ['shortened'],
  'client/event-stream.ts': ['shortened', 'shortened'],
  'client/retry.ts': ['shortened'],
  'http/send.ts': ['limits.streamTimeoutMs'],
  'kernel/host/poll-loop.ts': ['limits.schedulePollMs, limits.consumerLeaseMs / 3, or a constant'],
  'kernel/log/event-feed.ts': ['at most 60 s', 'limits.followPollMs'],
  'kernel/host/hooks.ts': ['limits.hookTimeoutMs; close() shortens it'],
  'pause.ts': ['at most 1 h'],
  'storage/handles/postgres/client.ts': ['acquireTimeoutMs'],
  'storage/knex/handles.ts': ['statementTimeoutMs'],
  'storage/sql/postgres/notify.ts': ['a constant'],
  'storage/sql/database/acquire.ts': ['acquireTimeoutMs'],
  'webhooks/own-body.ts': ['a constant'],
  'webhooks/post.ts': ['a constant'],
}

it('every timer has a bound', () => {
  const found = [...files]
    .filter(([path]) => !/^(page\/app|testing)\//.test(path))
    .map(([path, text]) => [path, text.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(timer)?.length ?? 0] as const)
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(timers).map(([path, bounds]) => [path, bounds.length])),
  )
})
