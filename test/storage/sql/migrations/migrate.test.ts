import { randomBytes } from 'node:crypto'
import type { SettingsWrite } from '../../../../src/ports/storage/settings'
import { sampleEvent, stored } from '../../../../src/testing/samples'
import { databases, type OpenDatabase, openAgain, type Place, type TestDatabase } from '../../../support/databases'
import { withSecond } from '../../../support/databases/second-migration'
import { type Processes, startProcesses } from '../../../support/processes/processes'

// The migration code must handle more than one migration, but there is only one so far.
const second = true
const released = { reachable: true, schemaVersion: withSecond.length, lastEventId: 0 }
// Jest's toThrow does not recognize the errors of SQLite.
const unknownTable = { message: expect.stringContaining('ffcr_') }

const settings: SettingsWrite = {
  project: 'shop',
  environment: 'production',
  settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
  expectedVersion: 0,
  events: [],
}

describe.each(databases)('migrate() on $name', (database) => {
  it('makes an empty database ready for 20 concurrent starters', async () => {
    const empty = await database.open({ migrate: false, second })
    const starters = Array.from({ length: 20 }, () => openAgain(empty.place))
    try {
      await Promise.all(starters.map(({ storage }) => storage.migrate()))

      expect(await empty.storage.health()).toMatchObject(released)
      expect(await stored(empty.storage)).toMatchObject({ version: 1 })
    } finally {
      await Promise.all(starters.map(({ close }) => close()))
      await empty.close()
    }
  })

  it('updates the schema of an older release with its data, for 20 concurrent starters', async () => {
    const older = await database.open()
    const starters = Array.from({ length: 20 }, () => openAgain({ ...older.place, second }))
    try {
      const before = await stored(older.storage)
      await older.storage.commitSettings(settings)
      expect(await older.storage.health()).toMatchObject({ schemaVersion: 1 })
      await Promise.all(starters.map(({ storage }) => storage.migrate()))

      expect(await older.storage.health()).toMatchObject({ schemaVersion: 2 })
      expect(await older.storage.find({ project: before.changeRequest.project }, before.changeRequest.id)).toEqual(
        before,
      )
      expect(await older.knex('ffcr_settings').select('note')).toEqual([{ note: null }])
    } finally {
      await Promise.all(starters.map(({ close }) => close()))
      await older.close()
    }
  })

  it('alters nothing that already exists', async () => {
    const { knex, storage, close } = await database.open({ second })
    try {
      await storage.appendEvents([sampleEvent('a')])
      const before = await catalogue(database, knex)
      await storage.migrate()

      expect(await catalogue(database, knex)).toEqual(before)
      expect(before.length).toBeGreaterThan(4)
    } finally {
      await close()
    }
  })

  it('leaves a newer, compatible schema as it is and works on it', async () => {
    const { knex, storage, close } = await database.open({ second })
    try {
      await knex('ffcr_meta').where({ name: 'schema_version' }).update({ value: 99 })
      await storage.migrate()
      expect(await knex('ffcr_meta').where({ name: 'compatible_from' }).pluck('value')).toEqual([1])

      expect(await storage.health()).toMatchObject({ ...released, schemaVersion: 99 })
      expect(await stored(storage)).toMatchObject({ version: 1 })
    } finally {
      await close()
    }
  })

  it('needs one connection', async () => {
    const { storage, close } = await database.open({ second, pool: { min: 0, max: 1 } })
    try {
      expect(await storage.health()).toMatchObject(released)
    } finally {
      await close()
    }
  })

  it('needs no permission to alter anything when the schema is up to date', async () => {
    const { place, knex, close } = await database.open({ second })
    const guest = await openAsGuest(place, knex)
    try {
      await guest.storage.migrate()
      expect(await guest.storage.health()).toMatchObject(released)
    } finally {
      await guest.close()
      await close()
    }
  })

  it('does not wait for writers when the schema is up to date', async () => {
    const { place, storage, close } = await database.open({ second })
    const other = openAgain(place)
    const writing = await other.knex.transaction()
    try {
      await writing('ffcr_meta').update({ value: 3 })
      await storage.migrate()
      expect(writing.isCompleted()).toBe(false)
    } finally {
      await writing.rollback()
      await other.close()
      await close()
    }
  })

  it('is needed before anything is written or read, and health() shows it', async () => {
    const { storage, close } = await database.open({ migrate: false, second })
    try {
      expect(await storage.health()).toMatchObject({ ...released, schemaVersion: 0 })
      await expect(storage.appendEvents([sampleEvent('a')])).rejects.toMatchObject(unknownTable)
      await expect(storage.eventHead({})).rejects.toMatchObject(unknownTable)
    } finally {
      await close()
    }
  })
})

describe('migrate() in 6 concurrent processes', () => {
  let processes: Processes
  beforeAll(async () => {
    processes = await startProcesses(6)
  })
  afterAll(() => processes.stop())

  it.each(databases)('makes an empty $name ready, round after round', async (database) => {
    for (let round = 1; round <= 5; round += 1) {
      const { storage, place, close } = await database.open({ migrate: false, second })
      try {
        const task = { place, work: 'migrate', rounds: 1, label: '' } as const
        const reports = await processes.run(Array.from({ length: 6 }, () => task))

        expect(reports).toEqual(reports.map(() => ({ done: 1, failures: [] })))
        expect(await storage.health()).toMatchObject(released)
      } finally {
        await close()
      }
    }
  })
})

/** The store for a user with read privileges only. */
async function openAsGuest(place: Place, owner: OpenDatabase['knex']): Promise<OpenDatabase> {
  if (place.knex.client !== 'pg') {
    const { filename } = place.knex.connection
    return openAgain(place, { connection: { filename, options: { readonly: true } } as never })
  }
  const role = `guest_${randomBytes(8).toString('hex')}`
  const { schema } = place.storage
  await owner.raw(`create role ${role} login password 'guest'`)
  await owner.raw(`grant usage on schema ${schema} to ${role}`)
  await owner.raw(`grant select on all tables in schema ${schema} to ${role}`)
  const url = new URL(place.knex.connection)
  url.username = role
  url.password = 'guest'
  const guest = openAgain(place, { connection: url.href })
  return {
    ...guest,
    async close() {
      await guest.close()
      await owner.raw(`drop owned by ${role}`)
      await owner.raw(`drop role ${role}`)
    },
  }
}

/** The catalogue of the database, including what distinguishes a table from a recreated one. */
function catalogue({ name }: TestDatabase, knex: OpenDatabase['knex']): Promise<unknown[]> {
  return name === 'SQLite'
    ? knex('sqlite_master').select('name', 'rootpage', 'sql').orderBy('name')
    : knex('pg_class').select('relname', 'oid').whereRaw('relnamespace = current_schema()::regnamespace').orderBy('oid')
}
