import { spawnSync } from 'node:child_process'
import { migrationSql } from '../../src/storage/knex/index'
import { latestVersion, metaTable, migrations } from '../../src/storage/knex/migrations'
import { allEvents } from '../../src/testing/samples'
import { type OpenDatabase, postgres, sqlite } from '../support/databases'
import { wrongCounts } from '../support/kept-counts'
import { randomEvents, randomOf } from '../support/mixed-writers'

const names = { table: (name: string) => `"ffcr_${name}"`, index: (name: string) => `"ffcr_${name}"` }
const newest = { before: Number.MAX_SAFE_INTEGER }

describe.each([sqlite, postgres])('migrate() on a $name store of schema version 2 that has events', (database) => {
  let opened: OpenDatabase
  let total = 0

  beforeEach(async () => {
    opened = await database.open({ migrate: false })
    const { knex } = opened
    const kind = database === sqlite ? 'sqlite' : 'postgres'
    const statements = migrations(names).slice(0, 2)
    for (const text of [metaTable(names), ...statements.flatMap((migration) => migration[kind])]) {
      await knex.raw(text.replaceAll('?', '\\?'))
    }
    await knex('ffcr_meta').insert({ name: 'schema_version', value: 2 })
    total = 0
    const random = randomOf(3)
    for (let batch = 0; batch < 20; batch += 1) for (const event of randomEvents(random)) await insert(event)
    const changeRequest = { type: 'change-request-created', json: '{"data":{"changeRequestId":41},"preData":null}' }
    await insert({ ...(randomEvents(random)[0] as Event), ...changeRequest, featureName: null })
    await knex.raw(`insert into ffcr_event_counts (project, total, last_id)
      select project, count(*), max(id) from ffcr_events where project is not null group by project
      union all select '', count(*), max(id) from ffcr_events`)
    await knex('ffcr_change_request_subjects').insert({ change_request_id: 41, subject: 'feature:checkout' })
  })
  afterEach(() => opened.close())

  type Event = ReturnType<typeof randomEvents>[number]

  async function insert(event: Event): Promise<void> {
    total += 1
    await opened.knex('ffcr_events').insert({
      created_at: event.createdAt,
      type: event.type,
      project: event.project,
      feature_name: event.featureName,
      created_by_user_id: event.createdByUserId,
      body: event.json,
    })
  }

  async function expectReady(): Promise<void> {
    const { storage, knex } = opened
    expect(await storage.health()).toMatchObject({ schemaVersion: latestVersion, lastEventId: total })
    expect(await wrongCounts(knex)).toEqual([])
    expect((await storage.eventCreators()).map(({ id }) => id)).toEqual([-42, 1, 2])
    expect((await allEvents(storage)).length).toBe(total)
    const touching = { features: ['checkout'], subjects: ['feature:checkout'] }
    const { count } = await storage.eventPage({ features: ['checkout'] }, newest, 1000)
    expect(await storage.countEvents({ touching }, newest, 1000)).toMatchObject({ count: count + 1 })
    expect(count).toBeGreaterThan(1)
  }

  it('counts what flags and creators have, and finds the events of change requests', async () => {
    await Promise.all(Array.from({ length: 5 }, () => opened.storage.migrate()))
    await expectReady()
    await opened.storage.appendEvents(randomEvents(randomOf(4)))
    expect(await wrongCounts(opened.knex)).toEqual([])
  })

  it('is the same by the printed script and the tool of the database', async () => {
    const { knex, storage } = opened.place
    const [command, args]: [string, string[]] =
      knex.client === 'pg'
        ? ['psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-', knex.connection]]
        : ['sqlite3', ['-bail', knex.connection.filename]]
    const { schema } = storage
    const input = migrationSql({ client: knex.client, from: 2, ...(schema && { schema }) })
    const { error, status, stderr } = spawnSync(command, args, { input, encoding: 'utf8' })
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return console.warn(`no ${command} here`)
    expect([status, stderr.replace(/^.*NOTICE:.*$/gm, '').trim()]).toEqual([0, ''])
    await expectReady()
  })
})
