import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainFlags, sqliteStorage } from '../../../../src/storage/handles/sqlite'
import { allData, sampleEvent } from '../../../../src/testing/samples'
import { column, nodeSqlite, type TestSqlite } from '../../../support/databases/sqlite-drivers'

type Backup = (from: TestSqlite, to: string, options: { rate: number; progress(): void }) => Promise<number>

const { open } = nodeSqlite ?? { open: () => undefined as never }
const itRuns = nodeSqlite === undefined ? it.skip : it
const folder = mkdtempSync(join(tmpdir(), 'change-requests-node-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a DatabaseSync of node:sqlite', () => {
  const opened: TestSqlite[] = []
  afterEach(() => {
    for (const database of opened.splice(0)) database.close()
  })
  function openFile(name: string, options: object = {}): TestSqlite {
    const database = open(join(folder, name), options)
    opened.push(database)
    return database
  }

  itRuns('may return arrays and bigints in statements of the host app', async () => {
    const database = openFile('settings.sqlite', { returnArrays: true, readBigInts: true })
    const storage = sqliteStorage({ database })
    await storage.migrate()
    await storage.appendEvents([sampleEvent('a')])
    await storage.recountEvents?.()
    database.exec(
      "create table flags (name text primary key, enabled integer); insert into flags values ('checkout', 1)",
    )
    const columns = { name: 'name', enabled: 'enabled' }
    const { flags } = plainFlags({ database, table: 'flags', columns, project: 'default', environment: 'production' })
    const wanted = { project: 'default', environment: 'production', features: ['checkout'], segments: [] }

    expect(await allData(storage)).toEqual(['a'])
    expect(flags.current(wanted).features.get('checkout')).toMatchObject({ enabled: true })
    expect(database.prepare('select 1').all()).toEqual([[1n]])
  })

  itRuns('rejects a number that a column of the tables cannot hold exactly', async () => {
    const database = openFile('numbers.sqlite')
    const storage = sqliteStorage({ database })
    await storage.migrate()
    await storage.appendEvents([sampleEvent('a')])
    database.exec('update ffcr_event_counts set total = 9007199254740993')
    await expect(storage.eventHead({})).rejects.toMatchObject({ name: 'RangeError' })
  })

  itRuns('is unreachable when it is closed, and before it is opened', async () => {
    const database = open(join(folder, 'closed.sqlite'))
    const storage = sqliteStorage({ database })
    await storage.migrate()
    database.close()
    const error = await storage.eventHead({}).catch((thrown: unknown) => thrown)
    expect(storage.failureOf(error)).toBe('unreachable')
    const unopened = sqliteStorage({ database: open(join(folder, 'unopened.sqlite'), { open: false }) })
    expect(await unopened.health()).toMatchObject({ reachable: false })
  })

  itRuns('can be backed up while the storage writes', async () => {
    const { backup } = process.getBuiltinModule('node:sqlite') as unknown as { backup: Backup }
    const database = openFile('source.sqlite')
    const storage = sqliteStorage({ database })
    await storage.migrate()
    await storage.appendEvents([sampleEvent('before')])
    const writing: Promise<void>[] = []
    const file = join(folder, 'copy.sqlite')
    const progress = () => {
      if (writing.length < 3) writing.push(storage.appendEvents([sampleEvent('during')]))
    }
    await backup(database, file, { rate: 10, progress })
    await Promise.all(writing)

    const copy = openFile('copy.sqlite')
    expect(column(copy, 'pragma integrity_check')).toEqual(['ok'])
    expect((await allData(sqliteStorage({ database: copy })))[0]).toBe('before')
    expect((await allData(storage)).length).toBe(1 + writing.length)
    expect(writing.length).toBeGreaterThan(0)
  })
})
