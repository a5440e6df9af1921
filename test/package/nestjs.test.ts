import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeWithNightlyModules, nightlyModules } from '../support/nightly-modules'
import { runNode, type Server, startServer, stopAll } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

const { planted } = require('../support/gate/plant')
const ANN_KEY = 'user:a-key-of-ann-for-this-test'
const headers = { Authorization: ANN_KEY, 'Content-Type': 'application/json' }
const change = JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } })
const path = '/api/admin/projects/default/environments/production/change-requests'

/** The example in a separate package, with its dependencies. */
function copyExample(): string {
  const host = temporaryFolder()
  for (const part of ['src', 'tsconfig.json']) {
    cpSync(join(root, 'examples/nestjs', part), join(host, part), { recursive: true })
  }
  writeFileSync(join(host, 'package.json'), '{}')
  const ofNest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express']
  for (const name of ofNest) link(join(nightlyModules, name), join(host, 'node_modules', name))
  for (const name of ['@types/node', 'better-sqlite3', 'knex']) {
    link(join(root, 'node_modules', name), join(host, 'node_modules', name))
  }
  link(root, join(host, 'node_modules/express-change-requests'))
  return host
}

function link(target: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
}

describeWithNightlyModules('examples/nestjs', () => {
  let host: string
  let server: Server

  const post = (to: string, body: string) => fetch(server.url + to, { method: 'POST', headers, body })

  beforeAll(async () => {
    host = copyExample()
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = await runNode([tsc, '-p', '.'], { cwd: host }).exit
    expect([status, stdout]).toEqual([0, ''])
    server = await startServer(['dist/main.js'], { cwd: host, env: { ANN_KEY } })
  })

  afterAll(async () => {
    await stopAll()
    removeFolders()
  })

  it('has no ungated routes except its own and the planted ones', async () => {
    const args = ['--require', join(root, 'test/support/gate/plant-and-list.js'), 'dist/main.js']
    const { stdout } = await runNode(args, { cwd: host, env: { ANN_KEY } }).exit
    const listed = { major: 5, before: ['POST /echo'], after: ['POST /echo', ...planted] }
    expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toEqual(listed)
  })

  it('accepts a change and shows the log', async () => {
    const proposed = await post(path, change)
    expect([proposed.status, await proposed.json()]).toMatchObject([200, { project: 'default', state: 'Draft' }])
    const log = await fetch(`${server.url}/api/admin/events?project=default`, { headers })
    const { events } = (await log.json()) as { events: { type: string }[] }
    expect([log.status, events.map(({ type }) => type)]).toEqual([200, ['change-added', 'change-request-created']])
    expect((await fetch(`${server.url}/api/admin/events`)).status).toBe(401)
  })

  it('has a gate before its controller of flags, which reads the body', async () => {
    const write = (environment: string, known: boolean) =>
      fetch(`${server.url}/flags/checkout`, {
        method: 'PATCH',
        headers: known ? headers : { 'Content-Type': 'application/json' },
        body: JSON.stringify({ environment, enabled: true }),
      })
    const read = async () => (await fetch(`${server.url}/flags/checkout`)).json()
    expect((await write('production', false)).status).toBe(401)
    expect(await read()).toEqual({ name: 'checkout', enabled: false })
    expect((await write('development', false)).status).toBe(200)
    expect(await read()).toEqual({ name: 'checkout', enabled: true })
    expect((await write('production', true)).status).toBe(403)
  })

  it('does not change the routes, the parser and the errors of Nest', async () => {
    const hello = await fetch(server.url)
    expect([hello.status, await hello.text()]).toEqual([200, 'the app that was there before'])
    const echo = await post('/echo', '{"a":[1,null]}')
    expect([echo.status, await echo.json()]).toEqual([201, { a: [1, null] }])
    const malformed = await post('/echo', '{')
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { error: 'Bad Request', statusCode: 400 }])
    const nothing = await fetch(`${server.url}/api/admin/nothing`)
    expect([nothing.status, await nothing.json()]).toMatchObject([404, { error: 'Not Found', statusCode: 404 }])
  })

  it('returns errors of the router below its path', async () => {
    const malformed = await post(path, '{')
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { name: 'BadDataError' }])
  })

  it('closes router and database on SIGTERM', async () => {
    expect(existsSync(join(host, 'app.sqlite-wal'))).toBe(true)
    const { stderr } = await server.stop()
    // SQLite takes the write-ahead log away when the last connection is closed, and only then.
    expect([stderr, existsSync(join(host, 'app.sqlite')), existsSync(join(host, 'app.sqlite-wal'))]).toEqual([
      '',
      true,
      false,
    ])
  })

  it('does not start without a key', async () => {
    const { status, stdout, stderr } = await runNode(['dist/main.js'], { cwd: host, env: { PORT: '0' } }).exit
    expect([status, stdout.includes('listening on')]).toEqual([1, false])
    expect(stderr + stdout).toContain('apiKeys[0]')
  })
})
