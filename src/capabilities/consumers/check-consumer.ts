import { aFunction, checkOptions, must, type OptionTable, optional } from '../../check-options'
import { checkLogFilter } from '../../kernel/log/log-filter'
import { isStart } from '../../kernel/log/seek-consumer'
import { type Consumer, type ConsumerStart, consumerNameText, isConsumerName } from '../../ports/consumers'
import type { EventFilter } from '../../ports/storage/events'

const owner = 'events.consume'
const maxBatchSize = 1_000
const table: OptionTable<Consumer> = {
  name: must(isConsumerName, consumerNameText),
  from: optional(must(isStart, "an event id, 'now' or 'beginning'")),
  batchSize: optional(
    must(
      (size) => Number.isInteger(size) && Number(size) >= 1 && Number(size) <= maxBatchSize,
      `an integer from 1 to ${maxBatchSize}`,
    ),
  ),
  handle: aFunction(),
  close: optional(aFunction()),
  // Checked where its copy is made.
  filter: () => undefined,
}

export interface ResolvedConsumer extends Pick<Consumer, 'name' | 'handle' | 'close'> {
  readonly filter: EventFilter
  readonly from: ConsumerStart
  readonly batchSize: number
}

/** @throws TypeError that names the property */
export function resolveConsumer(consumer: Consumer): ResolvedConsumer {
  checkOptions(owner, consumer, table)
  const { name, filter, from = 'now', batchSize = 100 } = consumer
  return {
    name,
    filter: checkLogFilter(owner, filter),
    from,
    batchSize,
    handle: (events, context) => consumer.handle(events, context),
    close: () => consumer.close?.(),
  }
}
