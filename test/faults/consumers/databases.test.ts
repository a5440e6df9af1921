import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knex as createKnex } from 'knex'
import { knexStorage } from '../../../src/storage/knex'
import { consumerApp } from '../../support/consumers/consumer-app'
import { sqlite } from '../../support/databases'
import { longTimeoutLimits, longTimeoutStorage } from '../../support/databases/long-timeouts'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { startOwnPostgres } from '../support/own-postgres'
import { listening, until } from '../support/server'

const strace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const traced = strace ? it : it.skip
const reason = strace ? '' : ' (skipped: strace cannot be run here)'

/** Starts a process with these consumers, optionally under a command that traces it. */
function startConsumers(place: object, folder: string, names: readonly string[], under: readonly string[] = []) {
  const limits = { ...longTimeoutLimits, consumerLeaseMs: 1_000, followPollMs: 50 }
  const consumers = names.map((name) => ({ name, batchSize: 10, way: 'whole' }))
  const config = JSON.stringify({ ...place, folder, consumers, limits })
  return listening([...under, process.execPath, join(__dirname, 'consumer-server.cjs'), config])
}

describe('consumers', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'change-requests-consumers-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('continue after Postgres was killed and started again, without a restart', async () => {
    const postgres = await startOwnPostgres()
    const config = { client: 'pg', connection: postgres.url }
    const knex = createKnex(config)
    const app = consumerApp(knexStorage({ knex, ...longTimeoutStorage }))
    await app.router.migrate()
    const server = await startConsumers({ knex: config, storage: longTimeoutStorage }, folder, ['audit'])
    const handled = () => {
      const file = join(folder, 'audit')
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(Number.parseFloat) : []
    }
    try {
      await app.record(30)
      await until(() => handled().includes(30))
      await postgres.stop('kill')
      // Longer than a lease.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await postgres.start()
      await until(async () => {
        await app.record(30).catch(() => undefined)
        return (await app.storage.eventHead({}).catch(() => ({ lastId: 0 }))).lastId >= 60
      })
      const { lastId } = await app.storage.eventHead({})
      await until(() => handled().includes(lastId))
      const ids = (await app.router.events.read({ after: 0, limit: 1_000 })).events.map(({ id }) => id)
      expect([...new Set(handled())].sort((one, other) => one - other)).toEqual(ids)
      expect(server.ended()).toBe(undefined)
      await expectConsistent(app.storage)
    } finally {
      await server.kill()
      await knex.destroy()
      await postgres.end()
    }
  })

  traced(`on SQLite sync nothing to the disk while nothing happens${reason}`, async () => {
    const database = await sqlite.open()
    const trace = join(folder, 'trace')
    const names = Array.from({ length: 10 }, (_, index) => `idle-${index}`)
    const watched = ['strace', '-f', '-e', 'trace=fsync,fdatasync', '-o', trace]
    const server = await startConsumers(database.place, folder, names, watched)
    const syncs = () => readFileSync(trace, 'utf8').match(/\b(fsync|fdatasync)\(/g)?.length ?? 0
    const leases = async () => (await database.knex('ffcr_consumers')).map(({ lease_until }) => Number(lease_until))
    try {
      await until(async () => (await leases()).length === 10 && (await leases()).every((end) => end > 0))
      const before = syncs()
      for (let renewals = 0; renewals < 3; renewals += 1) {
        const [first = 0] = await leases()
        await until(async () => ((await leases())[0] ?? 0) > first)
      }
      expect(syncs()).toBe(before)
    } finally {
      await server.kill()
      await database.close()
    }
  })
})
