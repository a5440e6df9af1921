import type { Knex } from 'knex'
import type { Author, Change, ChangeRequest } from '../../../src/domain/change-request'
import { changeEvent, changeRequestEvent, type EventDraft } from '../../../src/domain/events/events'
import type { EventType } from '../../../src/generated'
import { targetDigests } from '../../../src/kernel/facts/flags'
import { previewOf } from '../../../src/kernel/host/flag-state'
import { toEventRows } from '../../../src/kernel/log/event-rows'
import { storedFacts } from '../../../src/kernel/writer/stored-facts'
import type { Storage } from '../../../src/ports/storage/storage'
import { changeRequest, write } from '../../storage/fixtures'

const person = (id: number) => ({ id, username: `user-${id}`, imageUrl: null })
/** An author of none of them. */
const approver = 1_000_000
const strategies = [{ id: 'all', name: 'default', disabled: false }]

/** Stores due change requests, each with its own flag; returns their ids. */
export async function storeDue(storage: Storage, count: number, scheduledAt: string): Promise<number[]> {
  const ids = await storage.nextIds('changeRequest', count)
  const won = await Promise.all(
    ids.map((id) => {
      const request = scheduled(id, scheduledAt)
      const events = toEventRows(eventsUntil(request, scheduledAt), { pageUrl: '', links: {} })
      return storage.commit(write(request, { ...storedFacts(request), events }))
    }),
  )
  expect(won).toEqual(ids.map(() => true))
  return ids
}

function changeOf(id: number, createdAt: string) {
  const change = { id, action: 'updateEnabled', feature: `flag-${id}`, payload: { enabled: true } } as const
  return { ...change, createdBy: person(1), createdAt }
}

function scheduled(id: number, scheduledAt: string): ChangeRequest {
  const change = changeOf(id, scheduledAt)
  const base = changeRequest(id, {
    state: 'Scheduled',
    changes: [change],
    schedule: { scheduledAt, status: 'pending', reason: null },
  })
  const features = new Map([[change.feature, { archived: false, enabled: false, strategies }]])
  const { before, defaultChanges, digest } = previewOf(base, { features, segments: new Map() })
  const by = { person: person(3), signature: 'user-3@example.com', ip: null }
  return {
    ...base,
    approvals: [{ createdBy: person(approver), createdAt: scheduledAt, digest }],
    scheduling: { by, targets: targetDigests(base, before, defaultChanges) },
  }
}

/** The events of a change request until it is scheduled. */
function eventsUntil(request: ChangeRequest, now: string): EventDraft[] {
  const [change, by] = [request.changes[0] as Change, { author: request.scheduling?.by as Author }]
  const voter = { author: { person: person(approver), signature: 'approver@example.com', ip: null } }
  const event = (type: EventType, data = {}) => changeRequestEvent(type, request, { by, now }, data)
  const [approval] = request.approvals
  return [
    event('change-request-created'),
    changeEvent('change-added', request, { by, now }, change),
    event('change-request-sent-to-review'),
    changeRequestEvent(
      'change-request-approval-added',
      request,
      { by: voter, now },
      { digest: approval?.digest ?? '' },
    ),
    event('change-request-approved'),
    event('change-request-scheduled', { scheduledDate: now }),
  ]
}

export interface Outcome {
  readonly id: number
  readonly state: string
  /** How often its flag was enabled. */
  readonly switched: number
  readonly events: readonly string[]
}

/** The result of each change request. */
export async function outcomesOf(knex: Knex, host: Knex): Promise<Outcome[]> {
  const requests = await knex('ffcr_change_requests').select('id', 'state').orderBy('id')
  const rows = await knex('ffcr_events').select('type', 'feature_name').orderBy('id')
  const switched = await host('host_flags').select('flag')
  const events = groupBy(rows, ({ feature_name }) => feature_name)
  const flags = groupBy(switched, ({ flag }) => flag)
  return requests.map(({ id, state }) => ({
    id: Number(id),
    state,
    switched: flags.get(`flag-${id}`)?.length ?? 0,
    events: (events.get(`flag-${id}`) ?? []).map(({ type }) => type),
  }))
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

/** The result of a change request that was applied once. */
export function appliedOnce(id: number): Outcome {
  const events = [
    'change-request-created',
    'change-added',
    'change-request-sent-to-review',
    'change-request-approval-added',
    'change-request-approved',
    'change-request-scheduled',
    'feature-environment-enabled',
    'change-request-applied',
    'change-request-scheduled-application-success',
  ]
  return { id, state: 'Applied', switched: 1, events }
}
