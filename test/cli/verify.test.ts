import { createHash, generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createEventChain, fileLedger } from '../../src'
import { removeFolders, temporaryFolder } from '../package/support/folders'
import { databases, type OpenDatabase } from '../support/databases'
import { fillSample } from '../support/verify/sample'
import { connectionOf, runCli } from './support'

afterAll(removeFolders)

describe.each(databases)('npx express-change-requests verify, on $name', (database) => {
  let store: OpenDatabase
  let args: string[]
  const run = (...more: readonly string[]) => runCli(['verify', ...args, ...more]).exit

  beforeEach(async () => {
    store = await database.open({ migrate: false })
    args = await connectionOf(store)
  })
  afterEach(() => store.close())

  it('exits with 3 for an empty database', async () => {
    expect(await run()).toMatchObject({ status: 3, stdout: expect.stringContaining('run migrate') })
  })

  it('exits with 0 without findings, with 6 and a line for each finding, and prints them as JSON', async () => {
    await store.storage.migrate()
    const { rejected } = await fillSample(store.storage)
    expect(await run()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/: 15 change requests, 102 events and 0 consumers: consistent\n/),
      stderr: expect.stringContaining('Reading change requests'),
    })
    await store.knex('ffcr_change_requests').where({ id: rejected }).update({ after_review: true })
    const found = await run()
    expect(found).toMatchObject({ status: 6, stdout: expect.stringContaining(': 1 finding\n') })
    expect(found.stdout.split('\n')[0]).toBe(`columns ${rejected}: expected afterReview false; found afterReview true`)
    const json = await run('--json')
    expect(json.status).toBe(6)
    expect(JSON.parse(json.stdout)).toEqual({
      checked: { changeRequests: 15, events: 102, consumers: 0 },
      skipped: { older: 0, withoutEvent: 0, recorded: 9, codes: [] },
      findings: [{ code: 'columns', id: rejected, expected: 'afterReview false', found: 'afterReview true' }],
      total: 1,
    })
  })

  it('exits with 6 if tables are missing', async () => {
    await store.storage.migrate()
    const drop = store.knex.raw(`drop table ${database.name === 'Postgres' ? `${args[3]}.` : ''}ffcr_event_counts`)
    await drop
    expect(await run()).toMatchObject({
      status: 6,
      stdout: expect.stringMatching(
        /^schema: expected event_counts; found missing\n(.*\n)*Not compared: counts, consumers\n/,
      ),
    })
  })

  it('compares the events with a ledger, which must exist', async () => {
    await store.storage.migrate()
    await fillSample(store.storage)
    const folder = temporaryFolder()
    const [file, publicKeyFile] = [join(folder, 'ledger'), join(folder, 'key.pem')]
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }))
    const withLedger = ['--ledger', file, '--public-key', publicKeyFile]
    expect(await run('--ledger', file)).toMatchObject({ status: 2 })
    expect(await run('--public-key', publicKeyFile)).toMatchObject({ status: 2 })
    expect(await run(...withLedger)).toMatchObject({ status: 1, stderr: expect.stringContaining('does not exist') })
    await createEventChain({ storage: store.storage, ledger: fileLedger(file), privateKey }).seal()
    expect(await run(...withLedger)).toMatchObject({ status: 0 })
    await store
      .knex('ffcr_events')
      .where({ id: 5 })
      .update({ body: store.knex.raw(`replace(body, '"ip":null', '"ip":""')`) })
    expect(await run()).toMatchObject({ status: 0 })
    expect(await run(...withLedger)).toMatchObject({ status: 6, stdout: expect.stringContaining('ledger 5: ') })
  })

  it('leaves the files of SQLite as they are', async () => {
    await store.storage.migrate()
    await fillSample(store.storage)
    const { knex } = store.place
    if (knex.client === 'pg') return
    const folder = dirname(knex.connection.filename)
    // Without the shared memory, in which readers note that they read.
    const hashes = () =>
      readdirSync(folder)
        .filter((name) => !name.endsWith('-shm'))
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex'),
        ])
    const before = hashes()
    expect(await run()).toMatchObject({ status: 0 })
    expect(hashes()).toEqual(before)
  })
})
