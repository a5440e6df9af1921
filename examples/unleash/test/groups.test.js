const { deepEqual, equal, match } = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const knex = require('knex')
const { groupsInOption } = require('../front/groups')
const { startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')
const { version } = require('./support/version')

const project = '/api/admin/projects/default'
const owners = 'payments owners'

let host
let server
let ann
let ben
let cara

before(async () => {
  host = await startHost({
    groups: { [owners]: ['Cara@example.com'] },
    approvalRules: [
      { name: owners, approvals: 1, from: { groups: [owners] } },
      { name: 'project owner', approvals: 1, from: { groups: ['default: Owner', 'release managers'] } },
    ],
    freshMs: 0,
  })
  server = knex({ client: 'pg', connection: host.server.serverDatabaseUrl })
  const people = ['ann', 'ben', 'cara'].map((username) => host.addPerson({ username, role: 'Editor' }))
  ;[ann, ben, cara] = await Promise.all(people)
})
after(async () => {
  await server?.destroy()
  await host?.stop()
})

/** The groups of a user, as the front reads them. */
const groupsOf = async (person) => (await person.call('GET', '/reviewed/api/admin/me')).body.groups

/** The open-source server has no route that gives a user a role in a project, or creates a group. */
async function makeOwner({ id }) {
  const { id: role } = await server('roles').where({ name: 'Owner', type: 'project' }).first('id')
  await server('role_user').insert({ role_id: role, user_id: id, project: 'default' })
}

async function addToGroup({ id }, name) {
  const [{ id: group }] = await server('groups').insert({ name }).returning('id')
  await server('group_user').insert({ group_id: group, user_id: id })
}

describe('the API of the server', () => {
  it('has project roles of the caller in each version, and groups of the caller since 8.2', async () => {
    const { paths, components } = await (await fetch(`${host.server.url}/docs/openapi.json`)).json()
    const about = Object.keys(paths).filter((path) => /group|role|access/.test(path))
    deepEqual(about.sort(), ['/api/admin/user-admin/access', '/api/admin/user/roles'])
    equal('groups' in components.schemas.profileSchema.properties, version === '8.2')
  })
})

describe('an approval rule for a group', () => {
  const change = async () => {
    const flag = (await createFlag(host.client)).name
    await ann.call('POST', `${project}/features/${flag}/environments/production/on`)
    const [{ id }] = (await ann.call('GET', `${project}/change-requests/open`)).body
    const move = (person, state) => person.call('PUT', `${project}/change-requests/${id}/state`, { state })
    await move(ann, 'In review')
    const read = async () => (await ann.call('GET', `${project}/change-requests/${id}`)).body.state
    return { move, read }
  }

  it('counts the members that the option lists, and project owners or groups of the server', async () => {
    const { move, read } = await change()
    equal((await move(cara, 'Approved')).status, 200)
    equal(await read(), 'In review')
    equal((await move(ben, 'Approved')).status, 200)
    equal(await read(), 'In review')
    const refused = await move(ben, 'Applied')
    match(refused.body.message, /project owner|cannot become Applied/)
    await move(ann, 'Cancelled')

    await makeOwner(ben)
    const again = await change()
    await again.move(cara, 'Approved')
    await again.move(ben, 'Approved')
    equal(await again.read(), 'Approved')
    equal((await again.move(ben, 'Applied')).status, 200)
  })

  it('counts groups of the server where it returns them', {
    skip: version !== '8.2' && 'no groups in the profile',
  }, async () => {
    await addToGroup(ann, 'release managers')
    deepEqual(await groupsOf(ann), ['release managers'])
  })
})

describe('the option groups', () => {
  const groups = { a: ['ann@example.com'], b: ['ANN'], c: ['ben'] }

  it('compares names with @ only with emails, and other names only with usernames', () => {
    deepEqual(groupsInOption({ username: 'ann', email: 'Ann@Example.com' }, groups), ['a', 'b'])
    deepEqual(groupsInOption({ username: 'ann@example.com', email: 'eve@example.com' }, groups), [])
    deepEqual(groupsInOption({ username: 'eve', email: 'ben' }, groups), [])
    deepEqual(groupsInOption({ id: 1 }, groups), [])
  })
})
