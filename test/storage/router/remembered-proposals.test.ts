import { copyFile, rm } from 'node:fs/promises'
import express, { type RequestHandler } from 'express'
import type { Knex } from 'knex'
import supertest from 'supertest'
import { createChangeRequestRouter } from '../../../src'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { recordStatements } from '../../support/databases/recorded-statements'
import { eventsAfter } from '../model/support/hosts'

type Authorized = (permission: string) => boolean

/** A process of the host app: its router remembers what it wrote last. */
function openProcess(
  { storage }: Pick<OpenDatabase, 'storage'>,
  isAuthorized: Authorized = () => true,
  before: RequestHandler[] = [],
) {
  const authenticate = () => ({ id: 1, username: 'ann' })
  const authorize = (_: unknown, permission: string) => isAuthorized(permission)
  const options = { storage, authenticate, authorize, limits: longTimeoutLimits, logger: false } as const
  const app = express().use(...before, createChangeRequestRouter(options))
  const base = '/api/admin/projects/shop'
  return {
    propose: (feature: string, headers = {}, environment = 'production') =>
      supertest(app)
        .post(`${base}/environments/${environment}/change-requests`)
        .set(headers)
        .send({ action: 'updateEnabled', feature, payload: { enabled: true } }),
    put: (path: string, body: object) =>
      supertest(app)
        .put(`${base}/${path}`)
        .send(body)
        .expect(({ ok }) => expect(ok).toBe(true)),
    remove: (path: string) => supertest(app).delete(`${base}/${path}`).expect(200),
  }
}

interface Shown {
  readonly body: {
    readonly features: readonly { name: string; changes: readonly { id: number; payload: object }[] }[]
  }
}

const namesOf = ({ body }: Shown) => body.features.map(({ name }) => name).sort()
const idsOf = ({ body }: Shown) => body.features.flatMap(({ changes }) => changes.map(({ id }) => id))

/** The rows of the tables that a proposal writes. */
const tables = ['ffcr_change_requests', 'ffcr_change_request_subjects', 'ffcr_events', 'ffcr_event_counts'] as const

async function readRows(knex: Knex) {
  return Promise.all(tables.map(async (table) => [table, await knex(table)] as const))
}

async function putRowsBack(knex: Knex, rows: Awaited<ReturnType<typeof readRows>>) {
  await knex.transaction(async (transaction) => {
    for (const [table, before] of rows) {
      await transaction(table).delete()
      const insert = transaction(table).insert(before)
      // Ids are generated always.
      const text = insert.toQuery().replace(') values', ') overriding system value values')
      if (before.length > 0) await transaction.raw(text)
    }
  })
}

/** How an operator restores the database of a process that goes on running. */
const restorable = [
  {
    database: sqlite,
    async backUp({ place, knex }: OpenDatabase) {
      const { filename } = place.knex.connection as { filename: string }
      await knex.raw('pragma wal_checkpoint(truncate)')
      await copyFile(filename, `${filename}.copy`)
      return async () => {
        await knex.destroy()
        for (const suffix of ['-wal', '-shm']) await rm(`${filename}${suffix}`, { force: true })
        await copyFile(`${filename}.copy`, filename)
        knex.initialize()
      }
    },
  },
  {
    database: postgres,
    async backUp({ knex }: OpenDatabase) {
      const rows = await readRows(knex)
      return () => putRowsBack(knex, rows)
    },
  },
]

describe.each(restorable)('a proposal to a change request that the process wrote last, on $database.name', (kind) => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await kind.database.open()
  })
  afterEach(() => open.close())

  it('is added to the document of a restored database with the same version', async () => {
    const ours = openProcess(open)
    await ours.propose('first').expect(200)
    const restore = await kind.backUp(open)
    await ours.propose('lost').expect(200)
    await restore()
    const theirs = openAgain(open.place)
    try {
      await openProcess(theirs).propose('theirs').expect(200)
      const [row] = await open.knex('ffcr_change_requests').select('version')
      expect(row).toEqual({ version: 2 })
      expect(namesOf(await ours.propose('last').expect(200))).toEqual(['first', 'last', 'theirs'])
      const events = await eventsAfter(open.storage, 0)
      expect(events.slice(1).map(({ featureName }) => featureName)).toEqual(['first', 'theirs', 'last'])
    } finally {
      await theirs.close()
    }
  })

  it('creates a change request if a restored database has none', async () => {
    const restore = await kind.backUp(open)
    const ours = openProcess(open)
    await ours.propose('lost').expect(200)
    await restore()
    expect(namesOf(await ours.propose('first').expect(200))).toEqual(['first'])
  })

  it('is added to what other processes have written', async () => {
    const ours = openProcess(open)
    const theirs = openProcess(open)
    for (const name of ['1', '3']) {
      await ours.propose(name).expect(200)
      await theirs.propose(`${Number(name) + 1}`).expect(200)
    }
    expect(namesOf(await ours.propose('5').expect(200))).toEqual(['1', '2', '3', '4', '5'])
  })

  it('is rejected for what is stored now, and never for what was stored before', async () => {
    const ours = openProcess(open)
    const theirs = openProcess(open)
    const { id } = (await ours.propose('a').expect(200)).body
    const stale = (await ours.propose('b').expect(200)).headers.etag as string
    await theirs.remove(`change-requests/${id}`)
    const created = await ours.propose('c', { 'If-None-Match': '*' }).expect(200)
    expect(namesOf(created)).toEqual(['c'])
    await ours.propose('d', { 'If-Match': stale }).expect(412)
    const change = (await theirs.propose('e').expect(200)).headers.etag as string
    expect(namesOf(await ours.propose('f', { 'If-Match': change }).expect(200))).toEqual(['c', 'e', 'f'])
  })

  it('follows the settings that another process changed', async () => {
    const ours = openProcess(open)
    const theirs = openProcess(open)
    await ours.propose('a').expect(200)
    const set = (changeRequestsEnabled: boolean) =>
      theirs.put('environments/production/change-requests/config', { changeRequestsEnabled, requiredApprovals: 1 })
    await set(false)
    const refused = await ours.propose('b').expect(400)
    expect(refused.body.details[0].code).toBe('change-requests-disabled')
    await set(true)
    expect(namesOf(await ours.propose('c').expect(200))).toEqual(['a', 'c'])
  })

  it('keeps what was sent, also if the host app alters the body of the request later', async () => {
    const bodies: { payload: { enabled: boolean } }[] = []
    const keepBody: RequestHandler = (req, _res, next) => {
      bodies.push(req.body)
      next()
    }
    const ours = openProcess(open, undefined, [express.json(), keepBody])
    await ours.propose('a').expect(200)
    for (const { payload } of bodies) payload.enabled = false
    const { body }: Shown = await ours.propose('b').expect(200)
    expect(body.features.flatMap(({ changes }) => changes.map(({ payload }) => payload))).toEqual([
      { enabled: true },
      { enabled: true },
    ])
  })

  it('calls the hooks each time', async () => {
    let isAuthorized = true
    const ours = openProcess(open, () => isAuthorized)
    await ours.propose('a').expect(200)
    isAuthorized = false
    await ours.propose('b').expect(403)
    isAuthorized = true
    expect(namesOf(await ours.propose('c').expect(200))).toEqual(['a', 'c'])
  })

  it('loses nothing while two processes propose concurrently', async () => {
    const [ours, theirs] = [openProcess(open), openProcess(open)]
    const wanted = Array.from({ length: 20 }, (_, n) => `flag-${10 + n}`)
    await Promise.all(wanted.map((name, n) => (n % 2 === 0 ? ours : theirs).propose(name).expect(200)))
    const all = await ours.propose('last').expect(200)
    expect(namesOf(all)).toEqual([...wanted, 'last'].sort())
    expect(new Set(idsOf(all)).size).toBe(21)
  })

  it('gets greater ids than all changes before it', async () => {
    const [ours, theirs] = [openProcess(open), openProcess(open)]
    const added: number[] = []
    for (const by of [ours, ours, ours, theirs, ours, theirs, theirs, ours, ours]) {
      const ids = idsOf(await by.propose(`flag-${added.length}`).expect(200))
      added.push(Math.max(...ids))
      expect([...ids].sort((one, other) => one - other)).toEqual(added)
    }
    expect(new Set(added).size).toBe(9)
  })
})

describe('a proposal to a change request that the process wrote last, on SQLite', () => {
  it('is one transaction; a first one, and one after another proposal, are two', async () => {
    const { afterCreate, begun } = countTransactions()
    const open = await sqlite.open({ host: { pool: { min: 1, max: 1, afterCreate } } })
    try {
      const ours = openProcess(open)
      const transactions = async (send: () => PromiseLike<unknown>) => {
        const before = begun()
        await send()
        return begun() - before
      }
      expect(await transactions(() => ours.propose('a').expect(200))).toBe(2)
      for (const name of ['b', 'c']) expect(await transactions(() => ours.propose(name).expect(200))).toBe(1)
      await ours.propose('other', {}, 'staging').expect(200)
      expect(await transactions(() => ours.propose('d').expect(200))).toBe(2)
      expect(await transactions(() => ours.propose('e').expect(200))).toBe(1)
    } finally {
      await open.close()
    }
  })

  it('leaves no gaps between the ids of changes, whichever process proposes', async () => {
    const open = await sqlite.open()
    try {
      const [ours, theirs] = [openProcess(open), openProcess(open)]
      const ids = new Set<number>()
      for (const by of [ours, ours, theirs, ours, ours, theirs, theirs, ours]) {
        for (const id of idsOf(await by.propose(`flag-${ids.size}`).expect(200))) ids.add(id)
      }
      // Alters the document, but takes no id.
      await theirs.put('change-requests/1/title', { title: 'Sale' })
      for (const id of idsOf(await ours.propose('after').expect(200))) ids.add(id)
      const elsewhere = await Promise.all(['dev', 'staging'].map((name) => ours.propose('a', {}, name).expect(200)))
      for (const shown of elsewhere) for (const id of idsOf(shown)) ids.add(id)
      for (const id of idsOf(await ours.propose('last').expect(200))) ids.add(id)
      expect([...ids].sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
    } finally {
      await open.close()
    }
  })
})

/** The part of a connection of better-sqlite3 that the count needs. */
interface Preparing {
  prepare(text: string): { run(): unknown }
}

/** Counts the write transactions of a pool: `afterCreate` is an option of it. */
function countTransactions() {
  let count = 0
  const afterCreate = (connection: Preparing, done: (error: null) => void) => {
    const prepare = connection.prepare.bind(connection)
    connection.prepare = (text) => {
      const statement = prepare(text)
      if (text !== 'begin immediate') return statement
      const run = statement.run.bind(statement)
      return Object.assign(statement, {
        run() {
          count += 1
          return run()
        },
      })
    }
    done(null)
  }
  return { afterCreate, begun: () => count }
}

describe('a proposal to a change request that the process wrote last, on Postgres', () => {
  it('is one statement; a first one, and one after another write, are two', async () => {
    const { statements, afterCreate } = recordStatements()
    const open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    try {
      const ours = openProcess(open)
      const sent = async (send: () => PromiseLike<unknown>) => {
        statements.length = 0
        await send()
        return statements.map(({ text, name }) => [text.trim().split(/\s/)[0], name !== ''])
      }
      const [load, commit] = [
        ['select', true],
        ['with', true],
      ]
      await ours.propose('warm-up').expect(200)
      const { id } = (await ours.propose('a').expect(200)).body
      await ours.remove(`change-requests/${id}`)
      expect(await sent(() => ours.propose('a').expect(200))).toEqual([load, commit])
      for (const name of ['b', 'c']) expect(await sent(() => ours.propose(name).expect(200))).toEqual([commit])
      const { id: next } = (await ours.propose('d').expect(200)).body
      await ours.put(`change-requests/${next}/title`, { title: 'Sale' })
      expect(await sent(() => ours.propose('e').expect(200))).toEqual([load, commit])
      expect(await sent(() => ours.propose('f').expect(200))).toEqual([commit])
    } finally {
      await open.close()
    }
  })
})
