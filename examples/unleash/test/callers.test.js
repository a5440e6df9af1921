const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, it } = require('node:test')
const { call, startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')

const project = '/api/admin/projects/default'
const changeRequests = `${project}/change-requests`
const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } }

let host
let ann
let flag
let people = 0

before(async () => {
  // Nothing expires from the cache during the test.
  host = await startHost({ freshMs: 3_600_000 })
  ann = await newPerson('Editor')
})
after(() => host?.stop())

beforeEach(async () => {
  flag = (await createFlag(host.client)).name
})

function newPerson(role) {
  people += 1
  return host.addPerson({ username: `person-${people}`, role })
}

const readLog = async (person) => (await person.call('GET', '/reviewed/api/admin/events')).status

/** A user whose role is in the cache of the front. */
async function knownPerson(role) {
  const person = await newPerson(role)
  assert.equal(await readLog(person), 200)
  return person
}

/** A change request of ann that is in review. */
async function submitted() {
  await ann.call('POST', `${project}/features/${flag}/environments/production/on`)
  const [{ id }] = (await ann.call('GET', `${changeRequests}/open`)).body
  const path = `${changeRequests}/${id}`
  await ann.call('PUT', `${path}/state`, { state: 'In review' })
  return { path, move: (person, state) => person.call('PUT', `${path}/state`, { state }) }
}

describe('attack: a user whose role was removed', () => {
  it('is read again for each vote and apply', async () => {
    const keeper = await newPerson('Editor')
    const voter = await knownPerson('Editor')
    const { move } = await submitted()
    await host.setRole(voter, 'Viewer')
    assert.equal((await move(voter, 'Approved')).status, 403)
    assert.equal((await move(keeper, 'Approved')).status, 200)
    const applier = await knownPerson('Editor')
    await host.setRole(applier, 'Viewer')
    assert.equal((await move(applier, 'Applied')).status, 403)
    assert.equal((await move(keeper, 'Applied')).status, 200)
  })

  it('is read again for each write that skips the review', async () => {
    const root = await knownPerson('Admin')
    const path = `${project}/features/${flag}/environments/production/strategies`
    assert.equal((await root.call('POST', path, rollout)).status, 200)
    await host.setRole(root, 'Editor')
    assert.equal((await root.call('POST', path, rollout)).status, 403)
    assert.equal((await host.client.send('GET', path.replace('/api/admin/', ''))).length, 1)
  })
})

describe('cached callers', () => {
  const signUp = async () => {
    const invite = { name: `invite-${people}`, expiresAt: new Date(Date.now() + 86_400_000) }
    const { secret } = await host.client.send('POST', 'invite-link/tokens', invite)
    people += 1
    const username = `guest-${people}`
    const guest = { name: username, username, email: `${username}@example.com`, password: ann.password }
    return call(host.url, 'POST', `/invite/${secret}/signup`, guest)
  }
  const calls = {
    'a sign-in': [
      200,
      () => call(host.url, 'POST', '/auth/simple/login', { username: ann.username, password: ann.password }),
    ],
    'a sign-out': [302, async () => (await newPerson('Viewer')).call('POST', '/logout')],
    'a sign-up by an invite': [201, signUp],
  }
  for (const [name, [wanted, send]] of Object.entries(calls)) {
    it(`are forgotten at ${name}`, async () => {
      const person = await knownPerson('Editor')
      await host.setRole(person, 'Viewer')
      assert.equal(await readLog(person), 200)
      assert.equal((await send()).status, wanted)
      assert.equal(await readLog(person), 403)
    })
  }

  it('are replaced when another user signs in with the same cookie', async () => {
    const { cookie, call: send } = await knownPerson('Editor')
    const { username, password } = ann
    await call(host.url, 'POST', '/auth/simple/login', { username, password }, { cookie })
    assert.equal((await send('GET', '/reviewed/api/admin/me')).body.id, ann.id)
  })

  it('are removed when they sign out', async () => {
    const person = await knownPerson('Editor')
    await person.call('POST', '/logout')
    assert.equal((await person.call('GET', '/reviewed/api/admin/me')).status, 401)
  })
})
