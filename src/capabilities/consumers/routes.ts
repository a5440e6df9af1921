import { emptyReply, jsonReply } from '../../http/reply'
import { type Route, route } from '../../http/route'
import { describeConsumers } from '../../kernel/log/describe-consumers'
import { retryConsumer } from '../../kernel/log/seek-consumer'

export const consumerRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/consumers',
    operationId: 'getConsumers',
    extension: true,
    summary: 'List the consumers of the log',
    description: 'Returns the durable consumers of all processes, with their positions and failures.',
    permissions: ['ADMIN'],
    answer: { status: 200, schema: 'consumers', description: 'The consumers, by name.' },
    errors: [401, 403, 500, 503],
    parse: () => undefined,
    run: async (_, { storage, clock, consumers }) => describeConsumers(storage, clock(), consumers?.()),
    view: ({ items }) => jsonReply({ consumers: items }),
  }),
  route({
    method: 'post',
    path: '/consumers/:name/retry',
    operationId: 'retryConsumer',
    extension: true,
    summary: 'Retry a consumer now',
    description: 'Attempts to deliver again now, also to a stopped consumer.',
    permissions: ['ADMIN'],
    answer: { status: 204, description: 'The next attempt begins.' },
    errors: [400, 401, 403, 404, 500, 503],
    parse: (context) => context.name('name'),
    async run(name, { storage, onConsumerMoved }) {
      await retryConsumer(storage, name)
      onConsumerMoved?.()
    },
    view: () => emptyReply(204),
  }),
]
