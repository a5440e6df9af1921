import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createKnex, { type Knex } from 'knex'
import { memoryStorage } from '../../src'
import { knexStorage } from '../../src/storage/knex'
import { runNode, startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'
import { blocks, plain, readText, section, table } from '../package/support/markdown'
import { startApp } from '../support/app'
import { type OpenDatabase, postgres, sqlite } from '../support/databases'
import { itWithNightlyModules, nightlyModules } from '../support/nightly-modules'
import { inProcess } from './model/support/callers'
import { openRouter } from './model/support/hosts'
import { enable, ok, propose } from './model/support/walks'

afterEach(async () => {
  await stopAll()
  removeFolders()
})

const recipe = (guide: string, heading: string) => blocks(section(readText(guide), heading))[0]?.text ?? ''

/** A folder with these files, and the packages of a host. */
function hostWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'express-change-requests'))
  for (const name of ['express', 'knex', 'better-sqlite3', 'pg']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Starts an app in which the code of a guide runs. */
function startWith(code: string, options: string) {
  const text = `import express from 'express'
import createKnex from 'knex'
import { apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'

const knex = createKnex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
await knex.schema.createTable('api_keys', (table) => {
  table.string('sha256').primary()
  table.integer('user_id')
  table.string('name')
})
await knex('api_keys').insert({ sha256: '${createHash('sha256').update(jobKey).digest('hex')}', user_id: 9, name: 'deploy' })
const app = express()
app.use((req, _res, next) => {
  if (req.get('cookie') === 'session=ann') req.session = { user: { id: 1, name: 'ann', role: 'developer' } }
  next()
})
const grants = ['CREATE_CHANGE_REQUEST', 'READ_EVENTS'].map((permission) => ({ permission }))
const keys = [{ key: 'key-of-ann-0123456789', user: { id: 1, username: 'ann' }, grants }]
const router = createChangeRequestRouter({ storage: memoryStorage(), logger: false, ${options} })
${code}
app.use(router)
const server = app.listen(process.env.PORT, '127.0.0.1', () => {
  console.log('listening on http://127.0.0.1:' + server.address().port)
})
`
  return startServer(['server.mjs'], { cwd: hostWith({ 'server.mjs': text }) })
}

const jobKey = 'job:0123456789'
const proposals = '/api/admin/projects/shop/environments/production/change-requests'

describe('docs/mounting.md', () => {
  it('accepts keys of a table next to sessions', async () => {
    const code = recipe('docs/mounting.md', '## Accept keys of your own next to sessions')
    const { url } = await startWith(code, 'authenticate: (req) => authenticate(req)')
    const send = async (headers: Readonly<Record<string, string>>) => {
      const all = { 'Content-Type': 'application/json', ...headers }
      const response = await fetch(url + proposals, { method: 'POST', headers: all, body: JSON.stringify(enable()) })
      const { createdBy } = (await response.json()) as { createdBy?: { id: number } }
      return [response.status, createdBy?.id]
    }
    const session = { Cookie: 'session=ann' }
    expect(await send(session)).toEqual([200, 1])
    expect(await send({ Authorization: `Bearer ${jobKey}` })).toEqual([200, 9])
    expect(await send({ Authorization: jobKey, ...session })).toEqual([200, 9])
    expect(await send({ Authorization: 'job:wrong', ...session })).toEqual([401, undefined])
    expect(await send({ ...session, Origin: 'https://evil.example' })).toEqual([403, undefined])
    expect(await send({})).toEqual([401, undefined])
  })

  it('allows pages of another origin, which can read all headers', async () => {
    const { url } = await startWith(
      recipe('docs/mounting.md', '## Allow pages of another origin'),
      'authenticate: apiKeys(keys)',
    )
    const origin = { Origin: 'https://admin.example' }
    const listed = (response: Response, name: string) =>
      (response.headers.get(name) ?? '').split(', ').map((one) => one.toLowerCase())
    const preflight = await fetch(url + proposals, { method: 'OPTIONS', headers: origin })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin.Origin])
    const { paths } = JSON.parse(readText('openapi.json')) as {
      paths: { [path: string]: { [method: string]: Operation } }
    }
    const operations = Object.values(paths).flatMap((path) => Object.entries(path))
    const named = operations.flatMap(([, { parameters = [] }]) => parameters).filter((one) => one.in === 'header')
    const allowed = listed(preflight, 'access-control-allow-headers')
    expect(named.filter(({ name }) => !allowed.includes(name.toLowerCase()))).toEqual([])
    const methods = new Set(operations.map(([method]) => method))
    expect([...methods].filter((one) => !listed(preflight, 'access-control-allow-methods').includes(one))).toEqual([])

    const headers = { ...origin, Authorization: 'key-of-ann-0123456789', 'Content-Type': 'application/json' }
    const once = { ...headers, 'Idempotency-Key': 'once' }
    const post = () => fetch(url + proposals, { method: 'POST', headers: once, body: JSON.stringify(enable()) })
    const get = (path: string, more = {}) => fetch(`${url}/api/admin/${path}`, { headers: { ...headers, ...more } })
    const responses = [
      ...[await post(), await post(), await get('events'), await get('search/events?limit=1&query=c')],
      ...[await get('search/events', { Accept: 'text/csv' }), await get('events', { Authorization: 'wrong' })],
    ]
    // Scripts can read some headers in any case (Fetch, CORS-safelisted response-header names), others do not concern them.
    const readable = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified']
    const others = /^(access-control-.*|connection|date|keep-alive|transfer-encoding|vary|x-.*)$/
    for (const response of responses) {
      expect(response.headers.get('vary')?.toLowerCase()).toContain('origin')
      const exposed = listed(response, 'access-control-expose-headers')
      const sent = [...response.headers.keys()].filter((name) => !readable.includes(name) && !others.test(name))
      expect(sent.filter((name) => !exposed.includes(name))).toEqual([])
    }
    const elsewhere = await get('events', { Origin: 'https://evil.example' })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
  })
})

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

describe('docs/flag-gateway.md', () => {
  it('has an action for each kind of column, which can be proposed', async () => {
    const rows = table(readText('docs/flag-gateway.md'), '## Choose the action for a column', 'Your column')
    const changes = rows.filter(([, action]) => action !== 'none')
    const send = inProcess(openRouter(memoryStorage(), { flags: null, globalSegments: true }))
    for (const [, action = '', change = ''] of changes) {
      const body = JSON.parse(plain(change)) as { action: string }
      expect(body.action).toBe(plain(action))
      await ok(propose(send, [body]))
    }
    expect(changes.length).toBeGreaterThan(8)
  })
})

/** A SQLite file with the tables, in the folder of a host, and an app that writes to it. */
async function sqliteHost(files: Readonly<Record<string, string>>) {
  const folder = hostWith(files)
  const connection = { filename: join(folder, 'app.sqlite') }
  const knex = createKnex({ client: 'better-sqlite3', connection, useNullAsDefault: true })
  const app = await startApp({ storage: knexStorage({ knex }) })
  await app.router.migrate()
  return {
    folder,
    app,
    async close() {
      await app.close()
      await knex.destroy()
    },
  }
}

describe('docs/consumers.md', () => {
  it('runs a consumer in a process of its own on the SQLite file of another', async () => {
    const code = recipe('docs/consumers.md', '## Run a consumer in a process of its own')
    const { folder, app, close } = await sqliteHost({ 'worker.mjs': code })
    await app.propose(enable())
    const worker = runNode(['worker.mjs'], { cwd: folder })
    const seen = (text: string) => {
      return new Promise<void>((resolve, reject) => {
        const look = () => {
          if (worker.stdout().includes(text)) resolve()
          else setImmediate(look)
        }
        worker.exit.then(({ stderr }) => reject(new Error(stderr)), reject)
        look()
      })
    }
    await seen('"change-request-created"')
    await app.propose(enable('search'))
    await seen('"feature":"search"')
    worker.signal('SIGTERM')
    expect(await worker.exit).toMatchObject({ status: 0, stderr: '' })
    await close()
  })
})

const pgDump = spawnSync('pg_dump', ['--version']).status === 0 && spawnSync('postgres', ['--version']).status === 0

describe('docs/operations.md', () => {
  const events = async (storage: ReturnType<typeof knexStorage>) => {
    const { json } = await storage.eventPage({}, { after: 0 }, 1_000)
    return JSON.parse(`[${Buffer.from(json)}]`).map(({ type }: { type: string }) => type)
  }
  const written = ['change-request-created', 'change-added']

  it('backs up a SQLite file while the app runs', async () => {
    const code = recipe('docs/operations.md', '## Back it up')
    const { folder, app, close } = await sqliteHost({ 'backup.mjs': code })
    await app.propose(enable())
    expect(await runNode(['backup.mjs'], { cwd: folder }).exit).toEqual({ status: 0, stdout: '', stderr: '' })
    await app.propose(enable('search'))
    await close()
    const copy = createKnex({
      client: 'better-sqlite3',
      connection: { filename: join(folder, 'backup.sqlite') },
      useNullAsDefault: true,
    })
    expect(await events(knexStorage({ knex: copy }))).toEqual(written)
    await copy.destroy()
  })

  const itWithPgDump = pgDump ? it : it.skip
  itWithPgDump('backs up and restores a Postgres (skipped without an installed postgres and pg_dump)', async () => {
    const { openDatabase } = require('../bench/support/databases') as {
      openDatabase(name: 'postgres'): Promise<{ config: Knex.Config & { connection: string }; close(): Promise<void> }>
    }
    const server = await openDatabase('postgres')
    const folder = temporaryFolder()
    const shell = blocks(section(readText('docs/operations.md'), '## Back it up')).find((one) => one.language === 'sh')
    const [dump = '', restore = ''] = shell?.text.trim().split('\n') ?? []
    const env = { ...process.env, DATABASE_URL: server.config.connection }
    const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' })
    const knex = createKnex(server.config)
    const app = await startApp({ storage: knexStorage({ knex }) })
    await app.router.migrate()
    await app.propose(enable())
    run(dump)
    await app.propose(enable('search'))
    await app.close()
    run(restore)
    expect(await events(knexStorage({ knex }))).toEqual(written)
    await knex.destroy()
    await server.close()
  })
})

describe('docs/telemetry.md', () => {
  itWithNightlyModules('has operations between the spans of the requests and those of the statements', async () => {
    const database = await postgres.open()
    const { connection, searchPath } = database.place.knex as { connection: string; searchPath: string[] }
    const code = recipe('docs/telemetry.md', '## Follow a request through spans')
    const folder = hostWith({
      'tracing.cjs': `const exporter = { export(spans, done) {
        for (const span of spans) console.log(JSON.stringify([span.name, span.spanContext().spanId, span.parentSpanContext?.spanId]))
        done({ code: 0 })
      }, async shutdown() {} }
      ${code}`,
      'app.cjs': `const express = require('express')
        const { Pool } = require('pg')
        const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
        const { postgresStorage } = require('express-change-requests/postgres')
        const pool = new Pool({ connectionString: process.env.DATABASE_URL })
        const router = createChangeRequestRouter({
          telemetry: true,
          storage: postgresStorage({ pool, schema: ${JSON.stringify(searchPath[0])} }),
          authenticate: apiKeys([{ key: 'key-0123456789', user: { id: 1 }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] }]),
        })
        const server = express().use(router).listen(process.env.PORT, '127.0.0.1', () => {
          console.log('listening on http://127.0.0.1:' + server.address().port)
        })
        process.once('SIGTERM', () => process.exit())`,
    })
    symlinkSync(join(nightlyModules, '@opentelemetry'), join(folder, 'node_modules/@opentelemetry'))
    const args = ['--require', './tracing.cjs', 'app.cjs']
    const server = await startServer(args, { cwd: folder, env: { DATABASE_URL: connection } })
    const headers = { Authorization: 'key-0123456789', 'Content-Type': 'application/json' }
    const body = JSON.stringify(enable())
    expect((await fetch(server.url + proposals, { method: 'POST', headers, body })).status).toBe(200)
    const { stdout } = await server.stop()
    await database.close()
    const spans = stdout.split('\n').filter((line) => line.startsWith('['))
    const read = spans.map((line) => JSON.parse(line) as [name: string, id: string, parent: string | null])
    const pathOf = ([name, , parent]: (typeof read)[number]): string[] => {
      const above = read.find(([, id]) => id === parent)
      return above === undefined ? [name] : [...pathOf(above), name]
    }
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests'
    const paths = read.map(pathOf).filter(([name]) => name === route)
    const handler = paths.find((path) => path.at(-1) === 'addChanges') ?? []
    // The instrumentation of Express is above, and that of pg below.
    expect(handler.slice(1, -1).at(-1)).toMatch(/^request handler/)
    const below = paths.map((path) => path.slice(handler.length)).filter((path) => path[0] === 'commit')
    expect(below).toContainEqual(['commit', expect.stringMatching(/^pg\.query/)])
    const reads = paths.filter((path) => path.includes('addChanges') && !path.includes('commit'))
    expect(reads.flat()).toContainEqual(expect.stringMatching(/^pg\.query/))
  })
})

describe('docs/faq.md', () => {
  const drop = recipe('docs/faq.md', '## How do we remove it again?')
  const left = async ({ knex }: OpenDatabase, statement: string) => {
    const found = await knex.raw(statement)
    return (found.rows ?? found).map(({ name }: { name: string }) => name)
  }

  it('removes all tables and sequences of Postgres', async () => {
    const database = await postgres.open()
    const names = `select relname as name from pg_class where relnamespace = current_schema()::regnamespace`
    expect((await left(database, names)).length).toBeGreaterThan(12)
    await database.knex.raw(drop)
    expect(await left(database, names)).toEqual([])
    await database.close()
  })

  it('names all tables of SQLite', async () => {
    const database = await sqlite.open()
    const prose = section(readText('docs/faq.md'), '## How do we remove it again?')
    const names = [...new Set(prose.match(/ffcr_\w+/g))].filter((name) => name !== 'ffcr_')
    for (const name of names) await database.knex.schema.dropTableIfExists(name)
    const rest = "select name from sqlite_master where name not like 'sqlite_%'"
    expect(await left(database, rest)).toEqual([])
    await database.close()
  })
})
