import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { createNames } from '../../../src/storage/sql/database/names'
import { statementsOf } from '../../../src/storage/sql/migrations'
import { stored } from '../../../src/testing/samples'
import { catalogue } from '../../support/catalogue'
import { databases, type OpenDatabase, type Place } from '../../support/databases'
import { withSecond } from '../../support/databases/second-migration'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { support } from '../support/server'

describe.each(databases)('a process that is killed in the middle of migrate(), on $name', (database) => {
  it.each([
    ['the first table', 'create table', 'change_requests'],
    ['a table in the middle', 'create table', 'idempotency'],
    ['the last table', 'create table', 'event_tallies'],
    ['the next migration', 'alter table', 'settings'],
    ['the version', 'insert into', 'meta'],
  ])('leaves nothing when it dies before %s, and blocks no other process', async (_, verb, table) => {
    const empty = await database.open({ migrate: false, second: true })
    const whole = await database.open({ second: true })
    const holder = await startHolder(empty.place, statementBefore(empty, verb, table))
    try {
      let done = false
      const waiting = empty.storage.migrate().then(() => {
        done = true
      })
      expect(await visible(empty, database.name)).toEqual([])
      expect(done).toBe(false)
      await holder.kill()
      await waiting
      expect(await catalogue(empty.knex)).toEqual(await catalogue(whole.knex))
      expect(await empty.storage.health()).toMatchObject({ reachable: true, schemaVersion: withSecond.length })
      await expectConsistent(empty.storage)
      expect(await stored(empty.storage)).toMatchObject({ version: 1 })
    } finally {
      await holder.kill()
      await empty.close()
      await whole.close()
    }
  })

  it('waits longer than the statement timeout', async () => {
    const empty = await database.open({ migrate: false, second: true })
    const { knex, place } = empty
    // On Postgres, BEGIN and COMMIT have this limit, too.
    const statementTimeoutMs = database.name === 'Postgres' ? 1_000 : 1
    const hasty = createKnexStorage({ knex, ...place.storage, statementTimeoutMs, lockTimeoutMs: 1 }, withSecond)
    const holder = await startHolder(place, statementBefore(empty, 'insert into', 'meta'))
    try {
      const waiting = hasty.migrate()
      // Waits for longer than a limit, not for a condition.
      const first = await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(resolve, statementTimeoutMs + 400, 'still waiting')),
      ])
      expect(first).toBe('still waiting')
      await holder.kill()
      await waiting
      expect(await empty.storage.health()).toMatchObject({ reachable: true, schemaVersion: withSecond.length })
    } finally {
      await holder.kill()
      await empty.close()
    }
  })
})

/** The one statement that creates, alters or fills this table. */
function statementBefore({ place }: OpenDatabase, verb: string, table: string): string {
  const names = createNames(place.storage)
  if (table === 'meta') return `${verb} ${names.table(table)}`
  const kind = place.knex.client === 'pg' ? 'postgres' : 'sqlite'
  const wanted = new RegExp(`^${verb} (?:if not exists )?${names.table(table).replace('.', '\\.')} `)
  const found = withSecond.flatMap((one) => statementsOf(one, kind, names)).filter((text) => wanted.test(text))
  expect(found).toHaveLength(1)
  return found[0] as string
}

async function startHolder(place: Place, before: string) {
  const child = spawn(process.execPath, [
    join(support, 'processes/migration-holder.cjs'),
    JSON.stringify({ place, before }),
  ])
  const closed = once(child, 'close')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const early = closed.then(() => Promise.reject(new Error(`It ended without holding. ${errors}`)))
  early.catch(() => undefined)
  const [text] = await Promise.race([once(child.stdout, 'data'), early])
  expect(String(text)).toBe('holding\n')
  return {
    /** Can be called twice. */
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** Our tables as another process sees them. */
async function visible({ knex, place }: OpenDatabase, name: string): Promise<unknown[]> {
  return name === 'SQLite'
    ? knex('sqlite_master').whereLike('name', 'ffcr%')
    : knex('pg_tables').where({ schemaname: place.storage.schema ?? '' })
}
