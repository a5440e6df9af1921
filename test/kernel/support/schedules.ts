import type { FlagEvent, FlagState, Subjects } from '../../../src'
import { Scheduler } from '../../../src/capabilities/schedule/scheduler'
import { LogWatch } from '../../../src/capabilities/schedule/watch-log'
import type { NewChange } from '../../../src/domain/change-request'
import { AggregateWriter } from '../../../src/kernel/writer/aggregate-writer'
import { createEventLog } from '../../../src/router/event-log'
import { createFixture, enable, type FixtureOptions, inAnHour, until } from './fixture'
import { HostFlags } from './flags'

/** Flags with a segment and a strategy that a test alters. */
export class ScheduledFlags extends HostFlags {
  archived = false
  rollout = '50'
  /** Segments that strategies may name and that no longer exist. */
  deletedSegments: readonly number[] = []

  override async current(subjects: Subjects): Promise<FlagState> {
    if (this.instead !== null) return this.instead(subjects)
    const strategies = this.strategies.map((one) => ({ ...one, rollout: this.rollout }))
    const state = { archived: this.archived, enabled: this.enabled, strategies }
    return {
      features: new Map(subjects.features.map((name) => [name, state])),
      segments: new Map(subjects.segments.map((id) => [id, { name: 'beta', rollout: this.rollout }])),
      missing: { segments: this.deletedSegments.filter((id) => subjects.mentions?.segments.includes(id)) },
    }
  }
}

export const editStrategy: NewChange = {
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', name: 'default', disabled: false },
}

/** A fixture with a scheduler and a clock that the test advances. */
export function createScheduledFixture(options: FixtureOptions = {}, flags = new ScheduledFlags()) {
  const fixture = createFixture({ flags, schedule: 'here', ...options })
  const scheduler = new Scheduler(fixture.services, 1_000)
  /** The same database, in another process. */
  const another = () => {
    const writer = new AggregateWriter(fixture.storage, { pageUrl: '', links: {}, clock: fixture.services.clock })
    return new Scheduler({ ...fixture.services, writer }, 1_000)
  }
  const watch = new LogWatch(fixture.services)
  return {
    ...fixture,
    flags,
    scheduler,
    another,
    /** Waits until the effects of the new events of the log were checked. */
    async look() {
      watch.start()
      await until(async () => (watch.checkedTo ?? -1) >= (await fixture.services.storage.eventHead({})).lastId)
    },
    /** Approved by Ben and scheduled by Cleo for in an hour. */
    async scheduled(changes: readonly NewChange[] = [enable()], scheduledAt = inAnHour) {
      const { changeRequest } = await fixture.approved(changes)
      return fixture.to('cleo', 'Scheduled', { id: changeRequest.id, scheduledAt })
    },
    /** Advances the clock, and applies everything that is due. */
    async runAt(time: string) {
      fixture.host.now = Date.parse(time)
      return scheduler.runDue()
    },
    /** Records an event like the host app with `router.events.record`. */
    record: (event: FlagEvent) =>
      createEventLog(fixture.services as never, null as never, () => undefined).record(event),
    /** The status and the reason, or the state if it is no longer scheduled. */
    async status(id = 1) {
      const { state, schedule } = (await fixture.stored(id)) ?? {}
      return schedule == null ? state : [schedule.status, schedule.reason]
    },
    /** The events since it was scheduled. */
    async loggedTypes() {
      const types = await fixture.eventTypes()
      return types.slice(types.lastIndexOf('change-request-scheduled') + 1)
    },
  }
}
