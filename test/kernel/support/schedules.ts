import type { FlagEvent, FlagState, Subjects } from '../../../src'
import { Scheduler } from '../../../src/capabilities/schedule/scheduler'
import { LogWatch } from '../../../src/capabilities/schedule/watch-log'
import type { NewChange } from '../../../src/domain/change-request'
import { AggregateWriter } from '../../../src/kernel/writer/aggregate-writer'
import { createEventLog } from '../../../src/router/event-log'
import { HostFlags } from './flags'
import { createWorld, enable, inAnHour, type WorldOptions } from './world'

/** Flags with a segment and a strategy that a test alters. */
export class ScheduledFlags extends HostFlags {
  archived = false
  rollout = '50'

  override async current(subjects: Subjects): Promise<FlagState> {
    if (this.instead !== null) return this.instead(subjects)
    const strategies = this.strategies.map((one) => ({ ...one, rollout: this.rollout }))
    const state = { archived: this.archived, enabled: this.enabled, strategies }
    return {
      features: new Map(subjects.features.map((name) => [name, state])),
      segments: new Map(subjects.segments.map((id) => [id, { name: 'beta', rollout: this.rollout }])),
    }
  }
}

export const editStrategy: NewChange = {
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', name: 'default', disabled: false },
}

/** A world whose change requests can be scheduled, with the clock in the hands of the test. */
export function createScheduledWorld(options: WorldOptions = {}, flags = new ScheduledFlags()) {
  const world = createWorld({ flags, schedule: 'here', ...options })
  const scheduler = new Scheduler(world.services, 1_000)
  /** The same database, in another process. */
  const another = () => {
    const writer = new AggregateWriter(world.storage, '')
    return new Scheduler({ ...world.services, writer }, 1_000)
  }
  const watch = new LogWatch(world.services)
  return {
    ...world,
    flags,
    scheduler,
    another,
    /** Looks at what the new events of the log may have changed. */
    look: () => watch.check(),
    /** Approved by Ben and scheduled by Cleo for in an hour. */
    async scheduled(changes: readonly NewChange[] = [enable()], scheduledAt = inAnHour) {
      const { changeRequest } = await world.approved(changes)
      return world.to('cleo', 'Scheduled', { id: changeRequest.id, scheduledAt })
    },
    /** Advances the clock, and applies everything that is due. */
    async runAt(time: string) {
      world.host.now = Date.parse(time)
      return scheduler.runDue()
    },
    /** As the host app records it by `router.events.record`. */
    record: (event: FlagEvent) => createEventLog(world.services as never, () => undefined).record(event),
    /** The status and the reason, or the state once it is not scheduled any more. */
    async status(id = 1) {
      const { state, schedule } = (await world.stored(id)) ?? {}
      return schedule == null ? state : [schedule.status, schedule.reason]
    },
    /** The events since it was scheduled. */
    async loggedTypes() {
      const types = await world.eventTypes()
      return types.slice(types.lastIndexOf('change-request-scheduled') + 1)
    },
  }
}
