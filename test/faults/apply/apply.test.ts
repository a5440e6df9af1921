import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import type { OpenDatabase } from '../../support/databases'
import { servers } from '../../support/databases/handles'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { runs, seed } from '../../support/random'
import { listening, mark, propose, type Server, type ServerConfig, seeded, until } from '../support/server'

const kills = runs(1)
const clients = 6
const reviewer = 100

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
    const id = await approved(server, 1, 'first', ['checkout', 'search'])
    const before = await store()
    await expect(to(server, id, 'Applied', reviewer)).rejects.toThrow('fetch failed')
    await server.gone()
    await restart()
    expect(await store()).toEqual(before)
    expect(before).toEqual([{ id, state: 'Approved', proposed: ['checkout', 'search'], written: [], events: [] }])
    expect(await to(server, id, 'Applied', reviewer)).toBe(200)
    expect((await store()).map(disagreement)).toEqual([undefined])
  })

  it('leaves all of them changed when it dies after COMMIT, and applies nothing twice', async () => {
    await restart('after COMMIT')
    const id = await approved(server, 1, 'first', ['checkout', 'search'])
    await expect(to(server, id, 'Applied', reviewer)).rejects.toThrow('fetch failed')
    await server.gone()
    await restart()
    const names = ['checkout', 'search']
    const events = ['change-request-applied', 'feature-environment-enabled', 'feature-environment-enabled']
    expect(await store()).toEqual([{ id, state: 'Applied', proposed: names, written: names, events }])
    expect(await to(server, id, 'Applied', reviewer)).toBe(409)
    expect((await store()).map(disagreement)).toEqual([undefined])
  })

  it(`leaves them consistent when it dies at any moment (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const applied = new Set<number>()
    await restart()
    for (let round = 1; round <= kills; round += 1) {
      const load = Array.from({ length: clients }, (_, client) => applyAll(server, `${round}-${client}`, applied))
      const enough = applied.size + 1 + Math.floor(8 * random())
      await until(() => applied.size >= enough)
      expect(server.ended()).toBeUndefined()
      await server.kill()
      await Promise.all(load)
      await restart()
      const requests = await store()
      expect(requests.map(disagreement).filter((one) => one !== undefined)).toEqual([])
      const stored = new Set(requests.filter(({ state }) => state === 'Applied').map(({ id }) => id))
      expect([...applied].filter((id) => !stored.has(id))).toEqual([])
    }
  })
})

function start(config: ServerConfig): Promise<Server> {
  return listening([
    process.execPath,
    join(__dirname, 'apply-server.cjs'),
    JSON.stringify({ limits: longTimeoutLimits, ...config }),
  ])
}

/** Proposes, reviews and applies one change request after another until the server is gone. */
async function applyAll(server: Server, name: string, applied: Set<number>): Promise<void> {
  try {
    for (let count = 1; ; count += 1) {
      const names = Array.from({ length: (count % 3) + 1 }, (_, index) => `flag-${name}-${count}-${index}`)
      const id = await approved(server, Number(name.split('-')[1]) + 1, name, names)
      if ((await to(server, id, 'Applied', reviewer)) === 200) applied.add(id)
    }
  } catch (error) {
    // The error of fetch without a server. Its class is not the TypeError of the test's realm.
    if ((error as Error).name !== 'TypeError') throw error
  }
}

/** Returns the id of a change request that can be applied. */
async function approved(server: Server, user: number, environment: string, names: readonly string[]): Promise<number> {
  const answer = await propose(server, names.map(mark), { user, environment })
  const { id } = (await answer.json().catch(gone)) as { id: number }
  expect([await to(server, id, 'In review', user), await to(server, id, 'Approved', reviewer)]).toEqual([200, 200])
  return id
}

async function to({ url }: Server, id: number, state: string, user: number): Promise<number> {
  const answer = await fetch(`${url}/api/admin/projects/shop/change-requests/${id}/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'x-user': String(user) },
    body: JSON.stringify({ state }),
  })
  await answer.arrayBuffer().catch(gone)
  return answer.status
}

function gone(): never {
  throw new TypeError('The response was interrupted.')
}

interface StoredRequest {
  readonly id: number
  readonly state: string
  /** The flags of its changes, the flags that the host wrote for it, and the events of its apply. */
  readonly proposed: readonly string[]
  readonly written: readonly string[]
  readonly events: readonly string[]
}

/** Describes the difference if flags, state and events of a change request disagree. */
function disagreement(request: StoredRequest): object | undefined {
  const { state, proposed, written, events } = request
  const done = state === 'Applied'
  const flagEvents = events.filter((type) => type === 'feature-environment-enabled').length
  const agree =
    `${written}` === `${done ? proposed : []}` &&
    events.length - flagEvents === Number(done) &&
    flagEvents === (done ? proposed.length : 0)
  return agree ? undefined : request
}

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
