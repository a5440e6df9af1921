import { checkOption, refuseUnknownOptions } from '../../check-options'
import { checkLogFilter } from '../../kernel/log/log-filter'
import { isStart } from '../../kernel/log/seek-consumer'
import { type Consumer, type ConsumerStart, consumerNameText, isConsumerName } from '../../ports/consumers'
import type { EventFilter } from '../../ports/storage/events'

const owner = 'events.consume'
const known: readonly string[] = ['name', 'filter', 'from', 'batchSize', 'handle', 'close']
const maxBatchSize = 1_000

/** A consumer with its defaults. */
export interface ResolvedConsumer extends Pick<Consumer, 'name' | 'handle' | 'close'> {
  readonly filter: EventFilter
  readonly from: ConsumerStart
  readonly batchSize: number
}

/** @throws TypeError that names the property */
export function resolveConsumer(consumer: Consumer): ResolvedConsumer {
  refuseUnknownOptions(owner, consumer, known)
  const { name, filter, from = 'now', batchSize = 100 } = consumer
  const check = (property: keyof Consumer, fits: boolean, expected: string) =>
    checkOption(owner, property, fits, expected)
  check('name', isConsumerName(name), consumerNameText)
  check('from', isStart(from), "an event id, 'now' or 'beginning'")
  const isSize = Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= maxBatchSize
  check('batchSize', isSize, `an integer from 1 to ${maxBatchSize}`)
  check('handle', typeof consumer.handle === 'function', 'a function')
  check('close', consumer.close === undefined || typeof consumer.close === 'function', 'a function')
  return {
    name,
    filter: checkLogFilter(owner, filter),
    from,
    batchSize,
    handle: (events, context) => consumer.handle(events, context),
    close: () => consumer.close?.(),
  }
}
