import { existsSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { version } from 'express-change-requests/package.json'
import type { FlagGateway } from '../../src'
import { newConsumerStatus } from '../../src/ports/storage/consumers'
import { latestVersion } from '../../src/storage/sql/migrations'
import { sampleEvent } from '../../src/testing/samples'
import { removeFolders, temporaryFolder } from '../package/support/folders'
import { inProcess } from '../storage/model/support/callers'
import { openRouter } from '../storage/model/support/hosts'
import { approved, to } from '../storage/model/support/walks'
import { catalogue } from '../support/catalogue'
import { databases, type OpenDatabase, openAgain } from '../support/databases'
import { connectionOf, runCli } from './support'

const pending = `schema version 0, ${latestVersion} is needed`
const current = `schema version ${latestVersion}, no pending migrations`

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runCli(args, { env }).exit

afterAll(removeFolders)

describe.each(databases)('npx express-change-requests, on $name', (database) => {
  let store: OpenDatabase
  let args: string[]

  beforeEach(async () => {
    store = await database.open({ migrate: false })
    args = await connectionOf(store)
  })
  afterEach(() => store.close())

  it('migrates, reports the status, and exits with 3 while a migration is pending', async () => {
    expect(await run(['status', ...args])).toMatchObject({ status: 3, stdout: expect.stringContaining(pending) })
    expect(await run(['migrate', ...args])).toEqual({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^\\S+ \\S+: schema version 0 to ${latestVersion}\n$`)),
      stderr: '',
    })
    expect(await run(['migrate', ...args])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`: schema version ${latestVersion}\n$`)),
    })
    expect(await run(['status', ...args])).toMatchObject({ status: 0, stdout: expect.stringContaining(current) })
    const byItself = await database.open()
    try {
      expect(await catalogue(store.knex)).toEqual(await catalogue(byItself.knex))
    } finally {
      await byItself.close()
    }
  })

  it('prints pending migrations without running them, and none after they have run', async () => {
    const { status, stdout, stderr } = await run(['print', ...args])
    expect([status, stderr]).toEqual([0, ''])
    expect(await store.storage.health()).toMatchObject({ schemaVersion: 0 })
    const connection = await store.knex.client.acquireConnection()
    await (database.name === 'SQLite' ? connection.exec(stdout) : connection.query(stdout))
    await store.knex.client.releaseConnection(connection)
    expect(await run(['print', ...args])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^-- Nothing to do/),
    })
  })

  it.each(['status', 'migrate', 'print'])('exits with 1 for tables of an unsupported version: %s', async (command) => {
    await store.storage.migrate()
    await store.knex('ffcr_meta').where({ name: 'schema_version' }).update({ value: 99 })
    expect(await run(['status', ...args])).toMatchObject({ status: 0, stdout: expect.stringContaining('version 99') })
    await store.knex('ffcr_meta').where({ name: 'compatible_from' }).update({ value: 98 })
    const numbers = `schema version 99, which works with releases from schema version 98; this release has ${latestVersion}`
    const refused = { status: 1, stdout: '', stderr: expect.stringContaining(numbers) }
    expect(await run([command, ...args])).toMatchObject(refused)
    await store.knex('ffcr_meta').del()
    const missing = { status: 1, stdout: '', stderr: expect.stringContaining('no row "schema_version"') }
    expect(await run([command, ...args])).toMatchObject(missing)
  })

  it('lists, moves and removes consumers of the log, and logs the user', async () => {
    await store.storage.migrate()
    const { consumers, ...storage } = store.storage
    await storage.appendEvents([sampleEvent(1), sampleEvent(2), sampleEvent(3)])
    expect((await run(['consumers', 'list', ...args])).stdout).toBe('There are no consumers.\n')
    await consumers?.create('audit', { position: 1, event: null })
    const [before] = (await consumers?.list()) ?? []
    const status = { ...newConsumerStatus, failures: 1, lastError: 'The sink\u001b[2J is away.', reason: null }
    if (before) await consumers?.write({ ...before, before, status })
    expect(await run(['consumers', 'list', ...args])).toEqual({
      status: 0,
      stdout: 'audit: waiting at event 1, at most 2 behind (The sink[2J is away.)\n',
      stderr: '',
    })
    const by = userInfo().username
    expect(await run(['consumers', 'seek', 'audit', '2', ...args])).toEqual({
      status: 0,
      stdout: `The consumer audit was moved to event 2 by ${by}.\n`,
      stderr: expect.stringMatching(/^\d{4}-\S+Z The consumer audit was moved to event 2 by .*\n$/),
    })
    const { stdout } = await run(['consumers', 'list', '--json', ...args])
    expect(JSON.parse(stdout).consumers).toMatchObject([{ name: 'audit', position: 2, lag: 1, lastError: null }])
    expect(await run(['consumers', 'seek', 'audit', '4', ...args])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The newest event has id 3; 4 is above it.'),
    })
    await consumers?.lease('a process', ['audit'], 60_000)
    expect(await run(['consumers', 'remove', 'audit', ...args])).toMatchObject({ status: 1 })
    await consumers?.release('a process', ['audit'])
    expect((await run(['consumers', 'remove', 'audit', ...args])).stdout).toBe(
      `The consumer audit was removed by ${by}.\n`,
    )
    expect((await run(['consumers', 'remove', 'audit', ...args])).stderr).toContain('There is no consumer "audit".')
  })

  it('settles an interrupted apply, with --force before its timeout, and records that in the log', async () => {
    await store.storage.migrate()
    const mute: FlagGateway = {
      current: async () => ({ features: new Map(), segments: new Map([[4, { name: 'beta' }]]) }),
      apply: async () => {
        throw new Error('socket hang up')
      },
    }
    const send = inProcess(openRouter(store.storage, { flags: mute }))
    await approved(send, [{ action: 'deleteSegment', payload: { id: 4 } }])
    expect((await to(send, 'ben', 'Applied')).status).toBe(500)
    // The first intent is from an earlier day, past the timeout for the clock of the command; a current one is not.
    const found = await store.storage.find({ project: 'shop' }, 1)
    const began = new Date().toISOString()
    const document = { ...found?.changeRequest, applying: { ...found?.changeRequest.applying, startedAt: began } }
    const schema =
      store.place.storage.schema === undefined ? store.knex : store.knex.withSchema(store.place.storage.schema)
    await schema.table('ffcr_change_requests').update({ document: JSON.stringify(document) })

    const file = join(temporaryFolder(), 'events.json')
    writeFileSync(file, JSON.stringify([{ type: 'feature-archived', featureName: 'team/checkout' }]))
    const settle = ['settle', ...args, '--project', 'shop', '--id', '1', '--outcome', 'applied', '--events', file]
    const early = await run(settle)
    expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('may still be running')])
    expect(await run([...settle, '--force', '--page-url', 'https://flags.example'])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/: The change request 1 is Applied\.\n$/),
      stderr: '',
    })
    const { json } = await store.storage.eventPage({}, { before: Number.MAX_SAFE_INTEGER }, 2)
    expect(JSON.parse(`[${Buffer.from(json)}]`)).toEqual([
      expect.objectContaining({
        type: 'change-request-applied',
        createdByUserId: 2,
        data: expect.objectContaining({ changeRequestId: 1, settled: 'operator' }),
        summary: expect.stringContaining('https://flags.example/projects/shop/change-requests/1'),
      }),
      expect.objectContaining({ type: 'feature-archived', featureName: 'team/checkout', createdByUserId: 2 }),
    ])
    const again = await run(settle)
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('there is nothing to settle')])
  })

  it('takes the database from DATABASE_URL, and a table prefix', async () => {
    const env = { DATABASE_URL: args[1] as string }
    const rest = ['--table-prefix', 'team_', ...args.slice(2)]
    expect(await run(['migrate', ...rest], env)).toMatchObject({ status: 0, stderr: '' })
    const { knex, storage } = store.place
    const team = openAgain({ knex, storage: { ...storage, tablePrefix: 'team_' } })
    try {
      expect(await team.storage.health()).toMatchObject({ schemaVersion: latestVersion })
      expect(await store.storage.health()).toMatchObject({ schemaVersion: 0 })
    } finally {
      await team.close()
    }
  })
})

describe('npx express-change-requests', () => {
  it('prints its usage and its version', async () => {
    const { status, stdout, stderr } = await run(['--help'])
    expect([status, stderr]).toEqual([0, ''])
    for (const word of ['propose', 'export', 'migrate', 'status', 'print', 'settle', 'consumers', 'init'])
      expect(stdout).toContain(word)
    for (const [command, ...words] of [
      ['migrate', '--connection', '--table-prefix', '--schema'],
      ['print', '--client', '--from'],
      ['settle', '--outcome', '--page-url'],
    ] as const) {
      const { stdout: own } = await run([command, '--help'])
      for (const word of words) expect(own).toContain(word)
    }
    expect(await run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    ['pg', ['--schema', 'audit'], /create table "audit"\."ffcr_events"/],
    ['better-sqlite3', ['--table-prefix', 'team_'], /create table "team_events"/],
    ['pg', ['--from', String(latestVersion)], /^-- Nothing to do/],
  ])('prints for %s without a connection, whatever DATABASE_URL says: %j', async (client, rest, wanted) => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const answer = await run(['print', '--client', client, ...rest], env)
    expect(answer).toEqual({ status: 0, stdout: expect.stringMatching(wanted), stderr: '' })
  })

  it('creates a SQLite file only with migrate', async () => {
    const file = join(temporaryFolder(), 'app.sqlite')
    for (const command of ['status', 'print']) {
      expect(await run([command, '--connection', file])).toEqual({
        status: 1,
        stdout: '',
        stderr: `SQLite ${file}: The file does not exist. Run migrate to create it.\n`,
      })
    }
    expect(existsSync(file)).toBe(false)
    expect(await run(['migrate', '--connection', file])).toMatchObject({ status: 0 })
    expect(existsSync(file)).toBe(true)
  })

  it.each([
    ['postgres://ann:s3cr%40t@127.0.0.1:1/shop', /^Postgres 127\.0\.0\.1:1\/shop: .*ECONNREFUSED/],
    ['postgres://ann:s3cr%40t@localhost:1/shop', /^Postgres localhost:1\/shop: .*ECONNREFUSED/],
    ['postgres://127.0.0.1:1/shop?user=ann&password=s3cr%40t', /^Postgres 127\.0\.0\.1:1\/shop: .*ECONNREFUSED/],
    ['missing/folder/app.sqlite', /^SQLite missing\/folder\/app\.sqlite: .*directory does not exist/],
  ])('fails with 1 and the reason, and never shows a password: %s', async (connection, reason) => {
    const { status, stdout, stderr } = await run(['migrate', '--connection', connection])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(reason)
    expect(stderr).not.toMatch(/s3cr|\n.*\n/)
  })

  it('fails with 1 if Postgres rejects the password, and does not show it', async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL as string)
    url.password = 'wrong-s3cret'
    const { status, stderr } = await run(['status', '--connection', url.href])
    expect(status).toBe(1)
    expect(stderr).toMatch(/password authentication failed/)
    expect(stderr).not.toContain('s3cret')
  })

  const shop = ['--project', 'shop']
  const propose = ['propose', ...shop, '--environment', 'production', '--file']
  it.each<[args: string[], reason: string, env?: Record<string, string>]>([
    [[], 'The command is missing'],
    [['rollback'], 'Unknown command "rollback"'],
    [['status'], 'Set the database with --connection'],
    [['migrate', 'app.sqlite'], 'migrate takes only options'],
    [['migrate', '--fast', '--connection', 'a.sqlite'], "Unknown option '--fast'"],
    [['migrate', '--force', '--connection', 'a.sqlite'], "Unknown option '--force'"],
    [['consumers', '--connection', 'a.sqlite'], 'Use consumers list'],
    [['consumers', 'seek', 'audit', '--connection', 'a.sqlite'], 'Use consumers list'],
    [['consumers', 'seek', 'audit', '-1x', '--connection', 'a.sqlite'], "Unknown option '-1'"],
    [['consumers', 'seek', 'audit', 'end', '--connection', 'a.sqlite'], '"end" is no position'],
    [['settle', '--connection', 'a.sqlite'], 'settle needs --project'],
    [['settle', '--connection', 'a.sqlite', '--project', 'p', '--id', '0'], 'settle needs --id'],
    [['settle', '--connection', 'a.sqlite', '--project', 'p', '--id', '1', '--outcome', 'x'], 'settle needs --outcome'],
    [['migrate', '--connection'], "'--connection <value>' argument missing"],
    [['migrate', '--client', 'pg'], "Unknown option '--client'"],
    [['print', '--client', 'mysql2'], '--client must be pg or better-sqlite3'],
    [['print', '--client', 'pg', '--from', 'x'], '--from must be a schema version'],
    [['print', '--from', '1'], '--client must be pg or better-sqlite3'],
    [['print', '--client', 'pg', '--connection', 'a.sqlite'], 'not both'],
    [['print', '--client', 'pg', '--table-prefix', 'A-'], 'option "tablePrefix"'],
    [['print', '--client', 'better-sqlite3', '--schema', 'audit'], 'option "schema"'],
    [['migrate', '--connection', 'mysql://ann:s3cr%40t@db/shop'], 'must be a URL that begins with postgres://'],
    [
      ['migrate', '--connection', 'postgres://ann:s3cr%@db:port/shop'],
      'Percent-encode special characters in its password.',
    ],
    [['migrate', '--connection', 'a.sqlite', '--schema', 'audit'], 'option "schema"'],
    [['propose'], '--project'],
    [['propose', ...shop], '--environment'],
    [['propose', ...shop, '--environment', 'e'], '--file'],
    [[...propose, 'missing.json'], '--file: '],
    [[...propose, '-', '--wait', '2 hours'], '--wait'],
    [[...propose, '-', '--wait', '0s'], '--wait'],
    [[...propose, '-', 'more'], 'only options'],
    [[...propose, '-', '--url', 'flags.example'], '--url'],
    [[...propose, '-'], 'CHANGE_REQUESTS_URL'],
    [[...propose, '-', '--url', 'https://flags.example'], 'CHANGE_REQUESTS_KEY'],
    [['show', ...shop], 'show 12'],
    [['apply', 'x', ...shop], 'apply 12'],
    [['cancel', '1', '2', ...shop], 'cancel 12'],
    [['review', '1'], '--project'],
    [['export', '--format', 'csv'], '--out'],
    [['export', '--out', 'f', '--format', 'xml'], '--format'],
    [['propose', '--key', 'a-key'], "Unknown option '--key'"],
    [['demo', 'now'], 'demo takes no options.'],
    [['demo', '--project', 'shop'], 'demo takes no options.'],
    [['demo'], 'PORT must be a number from 0 to 65535, not "web".', { PORT: 'web' }],
  ])('rejects %j with 2 and the reason', async (args, reason, env = {}) => {
    const { status, stdout, stderr } = await runCli(args, { input: '{}', env }).exit
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(reason)
    expect(stderr).toMatch(/\nSee express-change-requests (?:\w+ )?--help\.\n$/)
    expect(stderr).not.toContain('s3cr')
  })
})
