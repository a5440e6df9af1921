import { spawnSync } from 'node:child_process'
import { migrationSql } from '../../../../src/storage/knex'
import { printMigrations } from '../../../../src/storage/sql/migration-sql'
import { latestVersion, migrations } from '../../../../src/storage/sql/migrations'
import { stored } from '../../../../src/testing/samples'
import { catalogue } from '../../../support/catalogue'
import { type OpenDatabase, openAgain, postgres, sqlite, type TestDatabase } from '../../../support/databases'
import { withSecond } from '../../../support/databases/second-migration'

const kinds = [
  { name: 'SQLite', database: sqlite, client: 'better-sqlite3' },
  { name: 'Postgres', database: postgres, client: 'pg' },
] as const

describe.each(kinds)('migrationSql({ client: "$client" })', ({ database, client }) => {
  const opened: OpenDatabase[] = []
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close()
  })
  const open = async (kind: TestDatabase, options: Parameters<TestDatabase['open']>[0]) => {
    const store = await kind.open(options)
    opened.push(store)
    return store
  }
  const print = ({ place }: OpenDatabase, from = 0, all = migrations) => {
    const { tablePrefix, schema } = place.storage
    return printMigrations({ client, from, ...(tablePrefix && { tablePrefix }), ...(schema && { schema }) }, all)
  }

  it.each([{}, { tablePrefix: 'team_' }])(
    'creates what migrate() creates, which then finds nothing to do: %j',
    async (options) => {
      const [byHand, byItself] = [
        await open(database, { migrate: false, ...options }),
        await open(database, { ...options }),
      ]
      await execute(byHand, print(byHand))
      const wanted = await catalogue(byItself.knex, options.tablePrefix)
      expect(await catalogue(byHand.knex, options.tablePrefix)).toEqual(wanted)
      expect(JSON.stringify(wanted).length).toBeGreaterThan(1_000)

      await byHand.storage.migrate()
      expect(await catalogue(byHand.knex, options.tablePrefix)).toEqual(wanted)
      expect(await byHand.storage.health()).toMatchObject({ reachable: true, schemaVersion: latestVersion })
      expect(await stored(byHand.storage)).toMatchObject({ version: 1 })
    },
  )

  it('continues from each version', async () => {
    const whole = await open(database, { migrate: false })
    await execute(whole, print(whole, 0, withSecond))
    const pieces = await open(database, {})
    expect(await catalogue(pieces.knex)).not.toEqual(await catalogue(whole.knex))
    await execute(pieces, print(pieces, 1, withSecond))
    expect(await catalogue(pieces.knex)).toEqual(await catalogue(whole.knex))
    expect(await pieces.storage.health()).toMatchObject({ schemaVersion: 2 })
  })

  it('rejects a database of another version, and leaves it unchanged', async () => {
    const store = await open(database, {})
    const before = await catalogue(store.knex)
    const empty = await open(database, { migrate: false })
    for (const [target, from] of [
      [store, 0],
      [empty, 1],
    ] as const) {
      await expect(execute(target, print(target, from, withSecond))).rejects.toMatchObject({
        message: expect.stringContaining(
          `This script is for schema version ${from}; the database has a different one.`,
        ),
      })
    }
    expect(await catalogue(store.knex)).toEqual(before)
    expect(await empty.storage.health()).toMatchObject({ schemaVersion: 0 })
  })

  it('waits for a running migration', async () => {
    const store = await open(database, { migrate: false })
    const again = openAgain(store.place)
    opened.push(again)
    const results = await Promise.allSettled([execute(store, print(store)), again.storage.migrate()])
    const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    // The second one finds nothing to do. The script reports that, migrate() need not.
    if (refusal !== undefined) expect(String(refusal.reason)).toContain('This script is for schema version 0')
    expect(await store.storage.health()).toMatchObject({ reachable: true, schemaVersion: latestVersion })
  })

  it('states when there is nothing to do', () => {
    for (const from of [latestVersion, 99]) expect(migrationSql({ client, from })).toMatch(/^-- Nothing to do: .*\n$/)
  })

  it('runs in the tool that its first line names', async () => {
    const byTool = await open(database, { migrate: false })
    const byItself = await open(database, {})
    const [command, args] = toolOf(byTool)
    const { error, status, stderr } = spawnSync(command, args, { input: print(byTool), encoding: 'utf8' })
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return console.warn(`no ${command} here`)
    expect([status, stderr.replace(/^NOTICE:.*$/gm, '').trim()]).toEqual([0, ''])
    expect(await catalogue(byTool.knex)).toEqual(await catalogue(byItself.knex))
    const again = spawnSync(command, args, { input: print(byTool), encoding: 'utf8' })
    expect(again.status).not.toBe(0)
    expect(again.stderr).toContain('This script is for schema version 0')
  })
})

describe('migrationSql(options)', () => {
  it.each([
    [{}, 'client'],
    [{ client: 'mysql2' }, 'client'],
    [{ client: 'pg', tablePrefix: 'x"; drop table users; --' }, 'tablePrefix'],
    [{ client: 'pg', schema: 'Audit' }, 'schema'],
    [{ client: 'better-sqlite3', schema: 'audit' }, 'schema'],
    [{ client: 'pg', from: -1 }, 'from'],
    [{ client: 'pg', from: '1' }, 'from'],
    [{ client: 'pg', prefix: 'x_' }, 'prefix'],
  ])('rejects %j', (options, name) => {
    expect(() => migrationSql(options as never)).toThrow(new RegExp(`^migrationSql: .*option "${name}"`))
  })
})

/** Runs a whole script on a connection like that of a DBA. */
async function execute({ place }: OpenDatabase, text: string): Promise<void> {
  const { knex, close } = openAgain(place)
  const connection = await knex.client.acquireConnection()
  try {
    await (place.knex.client === 'pg' ? connection.query(text) : connection.exec(text))
  } finally {
    await knex.client.releaseConnection(connection)
    await close()
  }
}

function toolOf({ place }: OpenDatabase): [command: string, args: string[]] {
  return place.knex.client === 'pg'
    ? ['psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-', place.knex.connection]]
    : ['sqlite3', ['-bail', place.knex.connection.filename]]
}
