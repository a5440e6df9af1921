const { deepEqual, equal, ok } = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { verifyStorage } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const knex = require('knex')
const { tables } = require('../ledger/tables')
const { startFrontProcess } = require('./support/front-process')
const { call, startServer } = require('./support/host')
const { openLog } = require('./support/mirror-log')
const { createFlag, look, rollout } = require('./support/open-server')

const project = '/api/admin/projects/default'
const revocationMs = 3_000
/** After how many milliseconds a front is killed while both apply: one kill for each. */
const killsAfterMs = [5, 20, 50, 80, 120, 160, 220, 300, 400, 600]

let server
let database
/** Two fronts, each with its mirror, on one database. */
let fronts
let ann
let ben
/** What is called at a front as a user. */
let as

const options = () => ({
  url: server.url,
  token: server.token,
  databaseUrl: server.databaseUrl,
  // Long calls for a busy machine; the router looks up the result of an interrupted apply after 15 seconds.
  ...{ callTimeoutMs: 10_000, quietMs: 51_000, limits: { hookTimeoutMs: 15_000, applyTimeoutMs: 15_000 } },
})

before(async () => {
  server = await startServer()
  database = knex({ client: 'pg', connection: server.databaseUrl })
  fronts = await Promise.all([startFrontProcess(options()), startFrontProcess(options())])
  as =
    ({ cookie }, front) =>
    (method, path, body) =>
      call(front.url, method, path, body, { cookie })
  const people = ['ann', 'ben'].map((username) => newPerson(username))
  ;[ann, ben] = await Promise.all(people)
})
after(async () => {
  for (const front of fronts ?? []) await front.stop()
  await database?.destroy()
  await server?.stop()
})

const newPerson = (username) => server.addPerson(fronts[0].url, { username, role: 'Editor' })

describe('two fronts on one database', () => {
  const readLog = (credentials) =>
    Promise.all(
      fronts.map(
        async ({ url }) => (await call(url, 'GET', '/reviewed/api/admin/events', undefined, credentials)).status,
      ),
    )

  it('both deny a user whose role was removed, 3 seconds later at the latest', async () => {
    const person = await newPerson('carl')
    const cookie = { cookie: person.cookie }
    deepEqual(await readLog(cookie), [200, 200])
    await server.setRole(person, 'Viewer')
    await delay(revocationMs)
    deepEqual(await readLog(cookie), [403, 403])
  })

  it('both deny a token that was deleted, 3 seconds later at the latest', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000)
    const { body } = await ann.call('POST', '/api/admin/user/tokens', { description: 'cli', expiresAt })
    const token = { Authorization: body.secret }
    deepEqual(await readLog(token), [200, 200])
    equal((await as(ann, fronts[1])('DELETE', `/api/admin/user/tokens/${body.id}`)).status, 200)
    await delay(revocationMs)
    deepEqual(await readLog(token), [401, 401])
  })

  it('apply each change request once, and mirror each event once, while one of them is killed again and again', async () => {
    const reviews = []
    for (const [round, killAfterMs] of killsAfterMs.entries()) reviews.push(await applyAndKill(round, killAfterMs))
    // No apply is running any more. Simulates that time has passed, so that killed ones count as interrupted.
    await database(tables.attempts).whereIn('state', ['applying', 'undoing']).update({ updated_at: 0 })
    for (const { path } of reviews) await applyUntilApplied(path)
    for (const { flag, wanted } of reviews) {
      const { enabled, strategies } = await look(server.client, flag)
      deepEqual({ enabled, rollouts: strategies.map(({ parameters }) => parameters.rollout).sort() }, wanted)
    }
    await until(async () => (await database(tables.attempts).whereIn('state', ['applying', 'undoing'])).length === 0)

    const log = openLog({ knex: database })
    const direct = await directEvents()
    equal(direct.length, killsAfterMs.length)
    await until(async () => {
      const ids = await mirroredIn(log)
      return direct.every((id) => ids.includes(id))
    })
    const ids = await mirroredIn(log)
    equal(new Set(ids).size, ids.length)
    const applied = (await log.read()).filter(({ type }) => type === 'change-request-applied')
    equal(applied.length, killsAfterMs.length)
    await log.router.close()
  })

  it('leave a consistent database', async () => {
    const { checked, findings } = await verifyStorage(knexStorage({ knex: database }))
    ok(checked.changeRequests >= killsAfterMs.length)
    deepEqual(findings, [])
  })
})

/** Both fronts apply a change request; one of them is killed meanwhile and started again. */
async function applyAndKill(round, killAfterMs) {
  const strategies = [rollout('10'), rollout('20')]
  const { name: flag, ids } = await createFlag(server.client, { strategies })
  const change = (action, payload) => ({ action, feature: flag, payload })
  const changes = [
    change('updateStrategy', { id: ids[0], ...rollout('15') }),
    change('addStrategy', { ...rollout('30'), constraints: [] }),
    change('updateEnabled', { enabled: true }),
    change('deleteStrategy', { id: ids[1] }),
  ]
  const [one, other] = round % 2 === 0 ? fronts : fronts.toReversed()
  // A user has one open change request.
  const author = await newPerson(`author-${round}`)
  const { body } = await as(author, one)('POST', `${project}/environments/production/change-requests`, changes)
  const path = `${project}/change-requests/${[body].flat()[0].id}`
  const move = (person, front, state) => as(person, front)('PUT', `${path}/state`, { state })
  equal((await move(author, other, 'In review')).status, 200)
  equal((await move(ben, one, 'Approved')).status, 200)
  const applying = Promise.allSettled([move(ben, one, 'Applied'), move(ben, other, 'Applied'), writeDirectly(flag)])
  await delay(killAfterMs)
  await one.kill()
  await applying
  fronts[fronts.indexOf(one)] = await startFrontProcess(options())
  return { path, flag, wanted: { enabled: true, rollouts: ['15', '30'] } }
}

const writeDirectly = (flag) =>
  server.client.send('POST', `projects/default/features/${flag}/environments/development/strategies`, rollout('1'))

/** As a user does who tries again. */
async function applyUntilApplied(path) {
  await until(async () => {
    const { body } = await as(ben, fronts[0])('GET', path)
    if (body.state === 'Applied') return true
    await as(ben, fronts[1])('PUT', `${path}/state`, { state: 'Applied' })
    return false
  })
}

async function until(isTrue) {
  while (!(await isTrue())) await delay(200)
}

/** Ids of the events that {@link writeDirectly} caused. */
async function directEvents() {
  const { events } = await server.client.send('GET', 'search/events?limit=1000')
  const isDirect = ({ type, environment }) => type === 'feature-strategy-add' && environment === 'development'
  return events.filter(isDirect).map(({ id }) => id)
}

/** Ids of the events of the server that are in the log, with repetitions. */
async function mirroredIn(log) {
  return (await log.read()).flatMap(({ data }) => data?.unleash?.id ?? [])
}
