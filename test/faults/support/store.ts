import { knex as createKnex, type Knex } from 'knex'

/** All data of a database, from one snapshot. */
export interface Store {
  readonly requests: readonly { id: number; key: string; open: boolean; changes: readonly StoredChange[] }[]
  readonly events: readonly { id: number; type: string; project: string | null; data: EventData }[]
  readonly counts: readonly { project: string; total: number; lastId: number }[]
}

interface StoredChange {
  readonly id: number
  readonly feature: string
}

interface EventData {
  readonly changeRequestId?: number
  readonly changeId?: number
}

/** Reads a database on a separate connection, so that the test does not keep it open. */
export async function readStore(config: Knex.Config): Promise<Store> {
  const knex = createKnex(config)
  try {
    const snapshot = config.client === 'pg' ? ({ isolationLevel: 'repeatable read' } as const) : {}
    return await knex.transaction(async (transaction) => {
      const requests = await transaction('ffcr_change_requests').select('*').orderBy('id')
      const events = await transaction('ffcr_events').select('id', 'type', 'project', 'body').orderBy('id')
      const counts = await transaction('ffcr_event_counts').select('*')
      return {
        requests: requests.map(({ id, project, environment, created_by, open, content }) => ({
          id: Number(id),
          key: `${project} ${environment} ${created_by}`,
          open: Boolean(open),
          changes: JSON.parse(content).changes,
        })),
        events: events.map(({ id, body, ...event }) => ({ ...event, id: Number(id), data: JSON.parse(body).data })),
        counts: counts.map(({ project, total, last_id }) => ({
          project,
          total: Number(total),
          lastId: Number(last_id),
        })),
      }
    }, snapshot)
  } finally {
    await knex.destroy()
  }
}

/** The flags of all stored changes. */
export function flags({ requests }: Store): string[] {
  return requests.flatMap(({ changes }) => changes.map(({ feature }) => feature))
}

/** Lists violations of "no change without its event, no event without its change". */
export function flaws(store: Store): string[] {
  const { requests, events } = store
  const changes = requests.flatMap(({ id, changes }) => changes.map((change) => `${change.id} of ${id}`))
  const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)
  const added = ofType('change-added').map((data) => `${data.changeId} of ${data.changeRequestId}`)
  const created = ofType('change-request-created').map((data) => String(data.changeRequestId))
  const open = requests.filter((request) => request.open).map(({ key }) => key)
  return [
    ...differences('change', changes, 'change-added', added),
    ...differences(
      'change request',
      requests.map(({ id }) => String(id)),
      'change-request-created',
      created,
    ),
    ...repeated(open).map((key) => `two open change requests of ${key}`),
    ...wrongCounts(store),
  ]
}

function differences(thing: string, things: string[], event: string, events: string[]): string[] {
  const known = new Set(things)
  const logged = new Set(events)
  return [
    ...things.filter((one) => !logged.has(one)).map((one) => `${thing} ${one} without ${event}`),
    ...events.filter((one) => !known.has(one)).map((one) => `${event} of ${one} without ${thing}`),
    ...repeated(things).map((one) => `${thing} ${one} twice`),
    ...repeated(events).map((one) => `${event} of ${one} twice`),
  ]
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}

function wrongCounts({ events, counts }: Store): string[] {
  const real = new Map<string, { total: number; lastId: number }>()
  for (const { id, project } of events) {
    for (const scope of project === null ? [''] : ['', project]) {
      real.set(scope, { total: (real.get(scope)?.total ?? 0) + 1, lastId: id })
    }
  }
  const stored = new Map(counts.map(({ project, total, lastId }) => [project, { total, lastId }]))
  const text = (count: object | undefined) => JSON.stringify(count) ?? 'nothing'
  return [...new Set([...real.keys(), ...stored.keys()])]
    .filter((scope) => text(real.get(scope)) !== text(stored.get(scope)))
    .map((scope) => `count of "${scope}": stored ${text(stored.get(scope))}, real ${text(real.get(scope))}`)
}
