import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import { databases, type OpenDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { runs } from '../../support/random'
import { outcomesOf } from '../schedule/scheduled'
import { listening, mark, propose, type Server, until } from '../support/server'

const { createHostTables } = require('../schedule/host-flags.cjs') as { createHostTables(host: Knex): Promise<void> }

const kills = runs(3)
const reviewer = 100

/** @see contract 12, "Interrupted applies" */
describe.each(databases)(
  'a process that dies between the last write of the gateway and the commit, on $name',
  (kind) => {
    let open: OpenDatabase
    let host: Knex
    let server: Server

    beforeEach(async () => {
      open = await kind.open()
      host = createKnex(hostOf(open))
      await createHostTables(host)
    })
    afterEach(async () => {
      await server.kill()
      await host.destroy()
      await open.close()
    })

    const start = async () => {
      const limits = { ...longTimeoutLimits, applyTimeoutMs: 1_000 }
      const config = { ...open.place, host: hostOf(open), limits }
      server = await listening([process.execPath, join(__dirname, 'interrupted-server.cjs'), JSON.stringify(config)])
    }

    it(`leaves each change request Applied with its events, even without a request (RUNS=${kills})`, async () => {
      await start()
      const ids: number[] = []
      for (let kill = 1; kill <= kills; kill += 1) {
        ids.push(await approved(server, kill))
        await applyToDeath(server, ids.at(-1) as number)
        // The next process settles it while it serves other requests, or dies as well.
        await start()
      }
      const outcomes = () => outcomesOf(open.knex, host)
      await until(async () => (await outcomes()).every(({ state }) => state === 'Applied'))
      const events = ['feature-environment-enabled', 'change-request-applied']
      const expected = ids.map((id, index) => ({ id, state: 'Applied', flag: `die-${index + 1}` }))
      const rows = await open.knex('ffcr_events').select('type', 'feature_name', 'body').orderBy('id')
      const found = expected.map(({ id, flag }) => {
        const ofApply = rows.filter(
          ({ type, feature_name, body }) =>
            (feature_name === flag && type === events[0]) ||
            (type === events[1] && JSON.parse(body).data.changeRequestId === id),
        )
        return ofApply.map(({ type }) => type)
      })
      expect(found).toEqual(expected.map(() => events))
      expect(await host('host_flags').orderBy('id').pluck('flag')).toEqual(expected.map(({ flag }) => flag))
      expect((await open.knex('ffcr_change_requests').whereNotNull('applying_since')).length).toBe(0)
    })
  },
)

/** The flags of the host: in the same database; on SQLite in a separate file. */
function hostOf({ place: { knex } }: OpenDatabase): Knex.Config {
  return knex.client === 'pg' ? knex : { ...knex, connection: { filename: `${knex.connection.filename}.host` } }
}

/** Returns the id of a change request that kills the process that applies it. */
async function approved(server: Server, kill: number): Promise<number> {
  const answer = await propose(server, [mark(`die-${kill}`)], { environment: `e${kill}` })
  const { id } = (await answer.json()) as { id: number }
  expect([await to(server, id, 'In review', 1), await to(server, id, 'Approved', reviewer)]).toEqual([200, 200])
  return id
}

/** A slow machine exceeds the time limit of the gateway before its last write, so the call is repeated. */
async function applyToDeath(server: Server, id: number): Promise<void> {
  while (server.ended() === undefined) {
    const isDying = await to(server, id, 'Applied', reviewer).then(
      () => false,
      () => true,
    )
    if (isDying) await server.gone()
  }
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
