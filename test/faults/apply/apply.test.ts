import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import type { OpenDatabase } from '../../support/databases'
import { servers } from '../../support/databases/handles'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { listening, mark, propose, type Server, type ServerConfig } from '../support/server'

const reviewer = 100
const names = ['checkout', 'search']

describe.each(servers)('a process that dies while it applies, with flags in the same database, on $title', (kind) => {
  let database: OpenDatabase
  let server: Server

  beforeEach(async () => {
    database = await kind.open()
    await database.knex.schema.createTable('host_flags', (table) => {
      table.increments('id')
      table.string('flag').notNullable()
      table.integer('change_request').notNullable()
    })
  })
  afterEach(async () => {
    await server.kill()
    await database.close()
  })

  const restart = async (point?: string) => {
    server = await start({ ...database.place, ...kind.opened, ...(point && { point }) })
  }
  const store = () => readRequests(database.place.knex)

  it.each(['in the gateway', 'before COMMIT'])('leaves flags, state and events unchanged: %s', async (point) => {
    await restart(point)
    const id = await approved(server)
    const before = await store()
    await expect(to(server, id, 'Applied', reviewer)).rejects.toThrow('fetch failed')
    await server.gone()
    await restart()
    expect(await store()).toEqual(before)
    expect(before).toEqual([{ id, state: 'Approved', proposed: names, written: [], events: [] }])
    expect(await to(server, id, 'Applied', reviewer)).toBe(200)
    expect(await store()).toEqual([appliedOnce(id)])
  })

  it('leaves all of them changed when it dies after COMMIT, and applies nothing twice', async () => {
    await restart('after COMMIT')
    const id = await approved(server)
    await expect(to(server, id, 'Applied', reviewer)).rejects.toThrow('fetch failed')
    await server.gone()
    await restart()
    expect(await store()).toEqual([appliedOnce(id)])
    expect(await to(server, id, 'Applied', reviewer)).toBe(409)
    expect(await store()).toEqual([appliedOnce(id)])
  })
})

function start(config: ServerConfig): Promise<Server> {
  return listening([
    process.execPath,
    join(__dirname, 'apply-server.cjs'),
    JSON.stringify({ limits: longTimeoutLimits, ...config }),
  ])
}

/** Returns the id of a change request that can be applied. */
async function approved(server: Server): Promise<number> {
  const answer = await propose(server, names.map(mark))
  const { id } = (await answer.json()) as { id: number }
  expect([await to(server, id, 'In review', 1), await to(server, id, 'Approved', reviewer)]).toEqual([200, 200])
  return id
}

async function to({ url }: Server, id: number, state: string, user: number): Promise<number> {
  const answer = await fetch(`${url}/api/admin/projects/shop/change-requests/${id}/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'x-user': String(user) },
    body: JSON.stringify({ state }),
  })
  await answer.arrayBuffer()
  return answer.status
}

interface StoredRequest {
  readonly id: number
  readonly state: string
  /** The flags of its changes, the flags that the host wrote for it, and the events of its apply. */
  readonly proposed: readonly string[]
  readonly written: readonly string[]
  readonly events: readonly string[]
}

const appliedOnce = (id: number): StoredRequest => ({
  ...{ id, state: 'Applied', proposed: names, written: names },
  events: ['change-request-applied', 'feature-environment-enabled', 'feature-environment-enabled'],
})

/** Reads all change requests from one snapshot, on a separate connection. */
async function readRequests(config: Knex.Config): Promise<StoredRequest[]> {
  const knex = createKnex(config)
  try {
    const snapshot = config.client === 'pg' ? ({ isolationLevel: 'repeatable read' } as const) : {}
    return await knex.transaction(async (transaction) => {
      const requests = await transaction('ffcr_change_requests').select('id', 'state', 'document').orderBy('id')
      const events = await transaction('ffcr_events')
        .whereIn('type', ['change-request-applied', 'feature-environment-enabled'])
        .select('type', 'feature_name', 'body')
      const rows = await transaction('host_flags').select('flag', 'change_request').orderBy('id')
      return requests.map(({ id, state, document }): StoredRequest => {
        const proposed = JSON.parse(document).changes.map(({ feature }: { feature: string }) => feature)
        const own = events.filter(({ type, feature_name, body }) =>
          type === 'change-request-applied'
            ? JSON.parse(body).data.changeRequestId === Number(id)
            : proposed.includes(feature_name),
        )
        const written = rows.filter((row) => row.change_request === Number(id)).map(({ flag }) => flag)
        return { id: Number(id), state, proposed, written, events: own.map(({ type }) => type).sort() }
      })
    }, snapshot)
  } finally {
    await knex.destroy()
  }
}
