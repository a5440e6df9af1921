import type { RegisteredConsumer } from '../ports/consumers'
import type { SettingsPlace } from '../ports/storage/settings'
import type { Outage } from './host/outage'
import type { HostServices } from './host-services'
import type { EventFeed } from './log/event-feed'
import type { AggregateWriter } from './writer/aggregate-writer'

/** What the routes and operations of one router share. A function that needs only the host app takes {@link HostServices}. */
export interface Services extends HostServices {
  readonly writer: AggregateWriter
  readonly feed: EventFeed
  /** Logs when the database is lost and when it is back. */
  readonly outage: Outage
  /** Notifies the scheduler of this process that a change request was scheduled. */
  readonly onScheduled?: () => void
  readonly consumers?: () => readonly RegisteredConsumer[]
  /** Notifies the consumers of this process that one was moved or retried. */
  readonly onConsumerMoved?: () => void
  /** Notifies the gates of this router that the settings of an environment were changed. */
  readonly onSettingsChanged?: (place: SettingsPlace) => void
}
