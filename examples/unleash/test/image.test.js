const assert = require('node:assert/strict')
const { execFileSync, spawn } = require('node:child_process')
const { once } = require('node:events')
const { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { basename, join } = require('node:path')
const { after, before, describe, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { parse } = require('yaml')
const { freePort } = require('../demo/postgres')
const { startServer } = require('./support/host')
const { packTarballs } = require('./support/tarballs')

/** The timeout of a test that could hang. */
const timeouts = { timeout: 1_200_000 }
const folder = join(__dirname, '..')
/** Root can run processes as another user. */
const nobody = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The instructions of the Dockerfile, in order. */
const instructions = readFileSync(join(folder, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [name, ...rest] = line.split(' ')
    return { name, value: rest.join(' ').trim() }
  })

const valuesOf = (name) => instructions.filter((each) => each.name === name).map(({ value }) => value)

/** What the instructions ENV set. */
const variables = Object.fromEntries(valuesOf('ENV').flatMap((line) => line.split(' ').map((each) => each.split('='))))

const healthcheck = () => JSON.parse(valuesOf('HEALTHCHECK')[0].replace(/^.* CMD /, ''))

describe('the Dockerfile', () => {
  it('starts from a slim image that can be pinned, and names no digest', () => {
    assert.match(valuesOf('FROM').join(), /^\$\{NODE_IMAGE\}$/)
    const [image] = valuesOf('ARG')
    assert.match(image, /^NODE_IMAGE=node:\d+-slim$/)
  })

  it('runs the front as a user without privileges, after everything is installed', () => {
    const names = instructions.map(({ name }) => name)
    assert.ok(names.indexOf('USER') > names.lastIndexOf('RUN'))
    assert.deepEqual(valuesOf('USER'), ['node'])
    assert.equal(variables.NODE_ENV, 'production')
  })

  it('contains no secret', () => {
    const set = [...valuesOf('ENV'), ...valuesOf('ARG')].join(' ')
    assert.doesNotMatch(set, /TOKEN|DATABASE|PASSWORD/)
  })
})

describe('compose.yaml', () => {
  const { services, networks, configs } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'))

  it('publishes the port of the front only', () => {
    const published = Object.keys(services).filter((name) => services[name].ports !== undefined)
    assert.deepEqual(published, ['front'])
    assert.equal(networks.inside.internal, true)
    assert.deepEqual([services.postgres.networks, services.unleash.networks], [['inside'], ['inside']])
  })

  it('runs the front without privileges, on a read-only file system, with the healthcheck of the image', () => {
    const { read_only, cap_drop, security_opt, tmpfs, volumes, user, healthcheck: own, build } = services.front
    assert.deepEqual(
      { read_only, cap_drop, security_opt },
      {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      },
    )
    assert.deepEqual([tmpfs, volumes, user, own, build], [undefined, undefined, undefined, undefined, '.'])
  })

  it('starts the front after a healthy server and database', () => {
    const condition = 'service_healthy'
    assert.deepEqual(services.front.depends_on, { postgres: { condition }, unleash: { condition } })
    for (const name of ['postgres', 'unleash']) assert.ok(services[name].healthcheck.test.length > 1)
  })

  it('requires the secrets, and creates the database of the front', () => {
    for (const [name, variable] of [
      ['postgres', 'POSTGRES_PASSWORD'],
      ['unleash', 'INIT_ADMIN_API_TOKENS'],
    ]) {
      assert.match(services[name].environment[variable], /^\$\{[A-Z_]+:\?/)
    }
    assert.match(services.front.environment.DATABASE_URL, /\/change_requests$/)
    assert.equal(configs['create-database'].content, 'CREATE DATABASE change_requests;')
  })

  it('sets only variables that the front reads', () => {
    const known = readFileSync(join(folder, 'settings.js'), 'utf8')
    for (const name of Object.keys({ ...services.front.environment, ...variables })) {
      assert.ok(name === 'NODE_ENV' || known.includes(name), name)
    }
  })
})

describe('what the image runs', () => {
  let server
  let root

  before(async () => {
    server = await startServer()
    root = mkdtempSync(join(tmpdir(), 'unleash-image-'))
  })
  after(async () => {
    await server?.stop()
    if (root) rmSync(root, { recursive: true, force: true })
  })

  it('installs, runs and reports its health as a user without privileges, and writes no file', timeouts, async () => {
    const [app, home] = ['app', 'home'].map((name) => join(root, name))
    const tarballs = packTarballs(root)
    for (const each of [app, home]) {
      mkdirSync(each)
      if (nobody.uid !== undefined) chownSync(each, nobody.uid, nobody.gid)
    }
    for (const each of [root, ...tarballs]) chmodSync(each, 0o755)
    // What npm sets for its own scripts belongs to this user.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
    const packages = tarballs.map((each) => `../${basename(each)}`).join(' ')
    const environment = { ...Object.fromEntries(inherited), HOME: home, PACKAGES: packages }
    const settings = { cwd: app, ...nobody, env: { ...environment, ...variables } }
    for (const line of valuesOf('RUN')) execFileSync('sh', ['-c', line], { ...settings, stdio: 'inherit' })
    execFileSync('chmod', ['-R', 'a-w', app])

    const PORT = String(await freePort())
    const [command, ...args] = JSON.parse(valuesOf('CMD')[0])
    const { databaseUrl: DATABASE_URL, token: UNLEASH_TOKEN, url: UNLEASH_URL } = server
    const env = { ...settings.env, HOST: '127.0.0.1', PORT, DATABASE_URL, UNLEASH_TOKEN, UNLEASH_URL }
    const isHealthy = async () => {
      const [probe, ...rest] = healthcheck()
      const [status] = await once(spawn(probe, rest, { ...settings, env, stdio: 'ignore' }), 'exit')
      return status === 0
    }
    assert.equal(await isHealthy(), false)
    const files = () =>
      execFileSync('find', [root, '-type', 'f', '-newer', join(app, 'package.json')], { encoding: 'utf8' })
    const before = files()
    const front = spawn(command, args, { ...settings, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(front, 'exit')
    try {
      while (!(await isHealthy())) {
        assert.equal(front.exitCode, null)
        await delay(100)
      }
      assert.equal(files(), before)
    } finally {
      front.kill('SIGTERM')
    }
    assert.deepEqual(await ended, [0, null])
  })
})
