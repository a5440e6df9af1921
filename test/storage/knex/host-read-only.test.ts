import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import supertest from 'supertest'
import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { openapi } from '../../support/openapi-answers'

const ann = { Authorization: people.ann.key }
const leaks = /permission denied|readonly|ffcr_|select |nextval/i

interface Reader {
  readonly knex: Partial<Knex.Config>
  remove(): Promise<void>
}

/** A role with only these privileges on the open schema. */
async function role({ knex, place }: OpenDatabase, ...rights: readonly string[]): Promise<Reader> {
  const name = `role_${randomBytes(6).toString('hex')}`
  const schema = place.storage.schema as string
  await knex.raw(`create role ${name} login password '${name}'`)
  for (const right of ['usage on', ...rights]) await knex.raw(`grant ${right} schema ${schema} to ${name}`)
  const url = new URL(place.knex.connection as string)
  url.username = name
  url.password = name
  return {
    knex: { connection: url.href },
    async remove() {
      await knex.raw(`drop owned by ${name}`)
      await knex.raw(`drop role ${name}`)
    },
  }
}

const readOnlySessions: Partial<Knex.Config> = {
  pool: {
    min: 0,
    max: 10,
    afterCreate: (connection: { query(text: string): Promise<unknown> }, done: (error: unknown) => void) =>
      void connection.query('set default_transaction_read_only = on').then(() => done(null), done),
  },
}

interface Logged {
  readonly err: { readonly code?: unknown }
}

const remove = async () => {}

const readers = [
  {
    name: 'a Postgres role with USAGE and SELECT alone',
    database: postgres,
    prepare: (store: OpenDatabase) => role(store, 'select on all tables in'),
    message: "The app's database user lacks a privilege that this operation needs.",
    code: '42501',
  },
  {
    name: 'Postgres sessions that are read-only, as on a standby',
    database: postgres,
    prepare: async (): Promise<Reader> => ({ knex: readOnlySessions, remove }),
    message: 'The database is currently read-only. Reads still work; try the write again later.',
    code: '25006',
  },
  {
    name: 'a SQLite file that is opened read-only',
    database: sqlite,
    prepare: async ({ place }: OpenDatabase): Promise<Reader> => ({
      knex: { connection: { ...(place.knex.connection as { filename: string }), options: { readonly: true } } },
      remove,
    }),
    message: 'The database is currently read-only. Reads still work; try the write again later.',
    code: 'SQLITE_READONLY',
  },
]

/** Each GET of the document, for change request 1 of project shop, except those that need an applied one or a segment. */
const reads = Object.entries(openapi.paths)
  .filter(([template, methods]) => methods.get !== undefined && !/\/(?:revert|segments\/\{segmentId\})$/.test(template))
  .map(([template]) =>
    template
      .replace('{projectId}', 'shop')
      .replace('{environment}', 'production')
      .replace('{featureName}', 'checkout')
      .replace(/\{(?:id|changeRequestId)\}/, '1')
      .replace(/activity$/, '$&?from=2026-03-01&to=2026-03-31')
      .replace(/(?:flags|segments)$/, '$&?query=check'),
  )

const config = '/api/admin/projects/shop/environments/production/change-requests/config'
const one = '/api/admin/projects/shop/change-requests/1'
const writes: readonly (readonly [method: 'post' | 'put' | 'delete', path: string, body: object])[] = [
  ['post', changeRequestsPath(), enable('search')],
  ['post', changeRequestsPath('blog'), enable('search')],
  ['put', `${one}/changes/1`, enable('search')],
  ['delete', `${one}/changes/1`, {}],
  ['delete', one, {}],
  ['put', `${one}/state`, { state: 'In review' }],
  ['put', `${one}/title`, { title: 'Another' }],
  ['post', `${one}/comments`, { text: 'Please.' }],
  ['put', config, { requiredApprovals: 2, changeRequestsEnabled: true }],
]

describe.each(readers)('$name', ({ database, prepare, message, code }) => {
  let store: OpenDatabase
  let reader: Reader
  let open: OpenDatabase
  let app: TestApp
  const logged: Logged[] = []

  beforeAll(async () => {
    store = await database.open()
    const writer = await startApp({ storage: store.storage, recordOnly: true })
    expect((await writer.propose(enable('checkout'))).body.id).toBe(1)
    await writer.close()
    reader = await prepare(store)
    open = openAgain(store.place, reader.knex)
    const log = (facts: object) => void ('err' in facts && logged.push(facts as Logged))
    const logger = { debug() {}, info() {}, warn: log, error: log }
    const users = { find: () => [], reviewers: () => [] }
    app = await startApp({ storage: open.storage, recordOnly: true, users, logger })
  })
  afterAll(async () => {
    await app.close()
    await open.close()
    await reader.remove()
    await store.close()
  })

  it.each(reads)('GET %s is 200', async (path) => {
    const { status, body } = await supertest(app.server).get(path).set(ann)
    expect([status, body.message]).toEqual([200, undefined])
    expect(logged).toEqual([])
  })

  it.each(writes)(
    '%s %s is 503 with the reason, and the log has the error of the driver',
    async (method, path, body) => {
      const answer = await supertest(app.server)[method](path).set(ann).send(body)
      expect([answer.status, answer.body.name, answer.body.message]).toEqual([503, 'UnavailableError', message])
      expect(JSON.stringify(answer.body)).not.toMatch(leaks)
      const codes = logged.splice(0).map(({ err }) => err.code)
      // Of an outage, the first error is logged.
      if (open.storage.failureOf({ code }) === 'read-only') expect([[], [code]]).toContainEqual(codes)
      else expect(codes).toEqual([code])
    },
  )

  it('health() returns the health of the store, and migrate() finds nothing to do', async () => {
    const { schemaVersion, lastEventId } = await store.storage.health()
    expect(await app.router.health()).toMatchObject({ reachable: true, schemaVersion, lastEventId })
    await app.router.migrate()
  })

  it('migrate() fails with the error of the driver where tables are missing', async () => {
    const { storage, close } = openAgain(
      { ...store.place, storage: { ...store.place.storage, tablePrefix: 'other_' } },
      reader.knex,
    )
    try {
      await expect(storage.migrate()).rejects.toMatchObject({ code })
    } finally {
      await close()
    }
  })

  it('leaves everything unchanged', async () => {
    expect((await store.storage.eventHead({})).total).toBe(2)
    expect((await store.storage.find({ project: 'shop' }, 1))?.version).toBe(1)
  })
})

describe('a Postgres role that can write the tables and use the sequences, but create none', () => {
  it('is enough for a start and a write when the tables exist', async () => {
    const store = await postgres.open()
    const rights = ['select, insert, update, delete on all tables in', 'usage on all sequences in']
    const writer = await role(store, ...rights)
    const { storage, close } = openAgain(store.place, writer.knex)
    const app = await startApp({ storage, recordOnly: true })
    try {
      await app.router.migrate()
      expect((await app.propose(enable(), { headers: { 'Idempotency-Key': 'once' } })).status).toBe(200)
      const settings = { requiredApprovals: 2, changeRequestsEnabled: true }
      expect((await supertest(app.server).put(config).set(ann).send(settings)).status).toBe(204)
      expect((await supertest(app.server).delete(one).set(ann)).status).toBe(200)
    } finally {
      await app.close()
      await close()
      await writer.remove()
      await store.close()
    }
  })
})
