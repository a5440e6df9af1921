const assert = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { call, startHost } = require('./support/host')

const project = '/api/admin/projects/default'
const tomorrow = () => new Date(Date.now() + 86_400_000)
const newPassword = 'Another-horse-8-battery'

let host
let ann
let root
let viewer
/** The callers, by name. */
let callers

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  root = await host.addPerson({ username: 'root', role: 'Admin' })
  viewer = await host.addPerson({ username: 'vic', role: 'Viewer' })
  const Authorization = host.server.token
  callers = { 'an editor': ann.call, 'an admin token': (...args) => call(host.url, ...args, { Authorization }) }
})
after(() => host?.stop())

/** All accounts and tokens, without their last use. */
async function look() {
  const { users } = await host.client.send('GET', 'user-admin')
  const { tokens } = await host.client.send('GET', 'api-tokens')
  const invites = await host.client.send('GET', 'invite-link/tokens')
  return {
    users: users.map(({ id, username, rootRole }) => ({ id, username, rootRole })),
    tokens: tokens
      .map(({ secret, expiresAt }) => ({ secret, expiresAt }))
      .sort((a, b) => (a.secret < b.secret ? -1 : 1)),
    invites,
  }
}

const canSignIn = async (username, password) =>
  (await call(host.url, 'POST', '/auth/simple/login', { username, password })).status === 200

describe('attack: an account or a token of another user', () => {
  const clientToken = () => encodeURIComponent(host.server.clientTokens[0])
  const wanted = { type: 'client', environment: 'production', projects: ['default'], tokenName: 'more' }
  const writes = {
    'a new account': () => [
      'POST',
      '/api/admin/user-admin',
      { username: 'eve', email: 'eve@example.com', rootRole: 1, sendEmail: false },
    ],
    'a role': () => [
      'PUT',
      `/api/admin/user-admin/${viewer.id}`,
      { username: 'vic', email: 'vic@example.com', rootRole: 1 },
    ],
    'an account that is deleted': () => ['DELETE', `/api/admin/user-admin/${viewer.id}`],
    'a password': () => ['POST', `/api/admin/user-admin/${root.id}/change-password`, { password: newPassword }],
    'a link to a new password': () => ['POST', '/api/admin/user-admin/reset-password', { id: 'root@example.com' }],
    'accounts that are not used': () => ['POST', '/api/admin/user-admin/inactive/delete', { ids: [viewer.id] }],
    'an invite': () => ['POST', '/api/admin/invite-link/tokens', { name: 'all', expiresAt: tomorrow() }],
    'an API token': () => ['POST', '/api/admin/api-tokens', wanted],
    'an API token of a project': () => ['POST', `${project}/api-tokens`, wanted],
    'an API token that expires': () => ['PUT', `/api/admin/api-tokens/${clientToken()}`, { expiresAt: tomorrow() }],
    'an API token that is deleted': () => ['DELETE', `/api/admin/api-tokens/${clientToken()}`],
    'an API token of a project that is deleted': () => ['DELETE', `${project}/api-tokens/${clientToken()}`],
  }
  for (const caller of ['an editor', 'an admin token']) {
    for (const [name, write] of Object.entries(writes)) {
      it(`cannot be changed by ${caller}: ${name}`, async () => {
        const before = await look()
        const [method, path, body] = write()
        const answer = await callers[caller](method, path, body)
        assert.equal(answer.status, 403)
        assert.deepEqual(answer.body.permissions, ['SKIP_CHANGE_REQUEST'])
        assert.deepEqual(await look(), before)
      })
    }
  }

  it('keeps the password of an admin', async () => {
    assert.equal(await canSignIn('root', root.password), true)
  })

  it('control: an admin can change it', async () => {
    const eve = { username: 'eve', email: 'eve@example.com', password: root.password, rootRole: 3, sendEmail: false }
    const { status, body } = await root.call('POST', '/api/admin/user-admin', eve)
    assert.equal(status, 201)
    assert.equal((await root.call('DELETE', `/api/admin/user-admin/${body.id}`)).status, 200)
    const token = await root.call('POST', '/api/admin/api-tokens', wanted)
    assert.equal(token.status, 201)
    assert.equal(
      (await root.call('DELETE', `/api/admin/api-tokens/${encodeURIComponent(token.body.secret)}`)).status,
      200,
    )
  })
})

describe('a write of a user to their own account', () => {
  it('passes: a password', async () => {
    const person = await host.addPerson({ username: 'own', role: 'Viewer' })
    const body = { password: newPassword, confirmPassword: newPassword, oldPassword: person.password }
    assert.equal((await person.call('POST', '/api/admin/user/change-password', body)).status, 200)
    assert.equal(await canSignIn('own', newPassword), true)
  })

  it('passes: a personal token', async () => {
    const { status, body } = await viewer.call('POST', '/api/admin/user/tokens', {
      description: 'cli',
      expiresAt: tomorrow(),
    })
    assert.equal(status, 201)
    assert.equal((await viewer.call('DELETE', `/api/admin/user/tokens/${body.id}`)).status, 200)
  })

  it('passes: a new password by a link', async () => {
    await host.addPerson({ username: 'lost', role: 'Viewer' })
    const { resetPasswordUrl } = await host.client.send('POST', 'user-admin/reset-password', { id: 'lost@example.com' })
    const token = new URL(resetPasswordUrl).searchParams.get('token')
    assert.equal((await call(host.url, 'POST', '/auth/reset/password', { token, password: newPassword })).status, 200)
    assert.equal(await canSignIn('lost', newPassword), true)
  })

  it('passes: an account by an invite', async () => {
    const { secret } = await host.client.send('POST', 'invite-link/tokens', { name: 'open', expiresAt: tomorrow() })
    const guest = { name: 'guest', username: 'guest', email: 'guest@example.com', password: newPassword }
    assert.equal((await call(host.url, 'POST', `/invite/${secret}/signup`, guest)).status, 201)
    assert.equal(await canSignIn('guest', newPassword), true)
  })
})
