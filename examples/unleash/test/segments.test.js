const { deepEqual, equal, match } = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const knex = require('knex')
const { startHost } = require('./support/host')
const { newName } = require('./support/open-server')

let host
let ann
let root

before(async () => {
  // The open-source server lists only the first project. Older ones list all of them.
  const alter = (path, body) =>
    path === '/api/admin/projects' ? { ...body, projects: [...body.projects, { id: 'payments' }] } : body
  host = await startHost({ freshMs: 0, alter })
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  root = await host.addPerson({ username: 'root', role: 'Admin' })
  // The open-source server has no route that creates a project.
  const server = knex({ client: 'pg', connection: host.server.serverDatabaseUrl })
  await server('projects').insert({ id: 'payments', name: 'Payments' })
  await server('project_environments').insert({ project_id: 'payments', environment_name: 'production' })
  await server.destroy()
})
after(() => host?.stop())

async function newSegment(more) {
  const body = { name: newName('segment'), constraints: [], ...more }
  const { id } = await host.client.send('POST', 'segments', body)
  return { path: `/api/admin/segments/${id}`, body: { ...body, name: newName('renamed') } }
}

/** The open change requests of ann, and deletes them. */
async function takeDrafts() {
  const drafts = []
  for (const project of ['default', 'payments']) {
    const path = `/api/admin/projects/${project}/change-requests`
    const { body } = await ann.call('GET', `${path}/open`)
    for (const { id } of body) await ann.call('DELETE', `${path}/${id}`)
    drafts.push(...body.map(() => project))
  }
  return drafts
}

const enable = (project, changeRequestsEnabled) =>
  root.call('PUT', `/api/admin/projects/${project}/environments/production/change-requests/config`, {
    changeRequestsEnabled,
    requiredApprovals: 1,
  })

describe('a write to a segment', () => {
  it('of all projects is described by all projects in review', async () => {
    const { path, body } = await newSegment()
    for (const write of [() => ann.call('PUT', path, body), () => ann.call('DELETE', path)]) {
      const refused = await write()
      equal(refused.status, 403)
      match(refused.body.message, /project default and the project payments need a review/)
    }
    deepEqual(await takeDrafts(), [])
    equal((await host.client.find(path.replace('/api/admin/', ''))).name === body.name, false)
  })

  it('of one project is proposed there', async () => {
    const { path, body } = await newSegment({ project: 'payments' })
    equal((await ann.call('PUT', path, body)).status, 403)
    deepEqual(await takeDrafts(), ['payments'])
  })

  it('that becomes one of all projects is described by all', async () => {
    const { path, body } = await newSegment({ project: 'payments' })
    for (const project of [null, '', undefined]) {
      const refused = await ann.call('PUT', path, { ...body, project })
      match(refused.body.message, /project default and the project payments/)
    }
  })

  it('of all projects is proposed in the only project in review', async () => {
    const { path, body } = await newSegment()
    equal((await enable('payments', false)).status, 204)
    await ann.call('PUT', path, body)
    const drafts = await takeDrafts()
    await enable('payments', true)
    deepEqual(drafts, ['default'])
  })

  it('of all projects needs SKIP_CHANGE_REQUEST in all of them', async () => {
    const { path, body } = await newSegment()
    equal((await root.call('PUT', path, body)).status, 204)
  })
})
