import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ApplicableChange, apiKeys } from 'express-change-requests'
import { databases, type OpenDatabase, postgres } from '../../test/support/databases'
import { createApp } from './app'
import { createFlagGateway } from './gateway'

const place = { project: 'default', environment: 'production' }
const grants = ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS'].map(
  (permission) => ({ permission }),
)
const authenticate = apiKeys([
  { key: 'user:ann', user: { id: 1, username: 'ann' }, grants },
  { key: 'user:ben', user: { id: 2, username: 'ben' }, grants },
])

async function makeTable({ knex }: OpenDatabase): Promise<void> {
  await knex.schema.createTable('flags', (table) => {
    table.string('name').primary()
    table.boolean('enabled').notNullable().defaultTo(false)
    table.boolean('archived').notNullable().defaultTo(false)
  })
  await knex('flags').insert([
    { name: 'new-checkout', enabled: false },
    { name: 'dark-mode', enabled: true },
  ])
}

describe.each(databases)('flags of an own gateway on $name', ({ open }) => {
  let database: OpenDatabase
  let url: string
  let stop: () => Promise<void>

  beforeEach(async () => {
    database = await open({ migrate: false })
    await makeTable(database)
    const { app, close } = await createApp(database.knex, authenticate)
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    stop = async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await close()
      await database.close()
    }
  })

  afterEach(() => stop())

  async function send(key: string, method: string, path: string, body?: object) {
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/api/admin${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') }
  }
  const propose = (...changes: object[]) =>
    send('user:ann', 'POST', '/projects/default/environments/production/change-requests', changes)
  const to = (key: string, id: number, state: string) =>
    send(key, 'PUT', `/projects/default/change-requests/${id}/state`, { state })
  const enable = (feature: string, enabled = true) => ({ action: 'updateEnabled', feature, payload: { enabled } })
  const archive = (feature: string) => ({ action: 'archiveFeature', feature })

  async function approved(...changes: object[]): Promise<number> {
    const { status, body } = await propose(...changes)
    expect([status, body.features?.[0].defaultChange]).toEqual([200, undefined])
    expect((await to('user:ann', body.id, 'In review')).status).toBe(200)
    expect((await to('user:ben', body.id, 'Approved')).body).toMatchObject({ state: 'Approved' })
    return body.id
  }

  const table = async () => {
    const rows = await database.knex('flags').orderBy('name')
    return rows.map(({ name, enabled, archived }) => [name, Boolean(enabled), Boolean(archived)])
  }
  const eventTypes = async () => {
    const { body } = await send('user:ann', 'GET', '/events?project=default')
    return body.events.map(({ type }: { type: string }) => type)
  }
  const seen = async () => (await fetch(`${url}/checkout`)).json()

  it('change when a change request is applied', async () => {
    const id = await approved(enable('new-checkout'), enable('dark-mode', false))
    expect([await table(), await seen()]).toEqual([
      [
        ['dark-mode', true, false],
        ['new-checkout', false, false],
      ],
      { checkout: 'old' },
    ])
    expect((await to('user:ben', id, 'Applied')).body).toMatchObject({ state: 'Applied' })
    expect([await table(), await seen()]).toEqual([
      [
        ['dark-mode', false, false],
        ['new-checkout', true, false],
      ],
      { checkout: 'new' },
    ])
    const [last, ...others] = await eventTypes()
    expect(last).toBe('change-request-applied')
    expect(others.slice(0, 2).sort()).toEqual(['feature-environment-disabled', 'feature-environment-enabled'])
  })

  it('are archived; a flag that does not change has no event', async () => {
    const id = await approved(enable('dark-mode'), archive('dark-mode'))
    expect((await to('user:ben', id, 'Applied')).status).toBe(200)
    expect(await table()).toContainEqual(['dark-mode', true, true])
    expect((await eventTypes()).slice(0, 3)).toEqual([
      'change-request-applied',
      'feature-archived',
      'change-request-approved',
    ])
    const { status, body } = await propose(enable('dark-mode', false))
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
  })

  it('reject unsupported actions, and unknown flags and projects', async () => {
    const strategy = await propose({ action: 'deleteStrategy', feature: 'dark-mode', payload: { id: 's1' } })
    const message = 'action must be one of "updateEnabled", "archiveFeature", got "deleteStrategy" at /body/0/action'
    expect([strategy.status, strategy.body.details]).toEqual([400, [{ path: 'action', message }]])
    expect((await propose(enable('no-such-flag'))).status).toBe(404)
    expect((await send('user:ann', 'GET', '/projects/shop/change-requests')).status).toBe(404)
  })

  it('cannot be changed if another user has archived them', async () => {
    const id = await approved(enable('new-checkout'))
    await database.knex('flags').where({ name: 'new-checkout' }).update({ archived: true })
    const { status, body } = await to('user:ben', id, 'Applied')
    expect([status, body.name]).toEqual([409, 'ConflictError'])
    expect(await table()).toContainEqual(['new-checkout', false, true])
  })
})

it('reject an unsupported action that was proposed earlier', async () => {
  const change: ApplicableChange = { id: 1, action: 'deleteStrategy', feature: 'dark-mode', payload: { id: 's1' } }
  const { apply } = createFlagGateway((() => undefined) as never)
  const refused = apply([change], { transaction: () => ({ where: () => undefined }) } as never)
  await expect(refused).rejects.toMatchObject({
    name: 'ConflictError',
    message: 'deleteStrategy is not supported here.',
  })
})

it.each(['gateway.ts', 'app.ts'])('have the code of %s in the README', (file) => {
  const read = (name: string) => readFileSync(join(__dirname, name), 'utf8')
  expect(read('README.md')).toContain(`\`\`\`ts\n${read(file)}\`\`\`\n`)
})

it('lock only the rows that an apply reads, on Postgres', async () => {
  const database = await postgres.open({ migrate: false })
  try {
    await makeTable(database)
    const { current } = createFlagGateway(database.knex)
    const touch = (name: string) => database.knex('flags').where({ name }).forUpdate().noWait().select()
    await database.knex.transaction(async (transaction) => {
      const subjects = { ...place, features: ['new-checkout'], segments: [] }
      await current(subjects)
      expect(await touch('new-checkout')).toHaveLength(1)
      await current(subjects, { transaction, forUpdate: true })
      await expect(touch('new-checkout')).rejects.toMatchObject({ code: '55P03' })
      expect(await touch('dark-mode')).toHaveLength(1)
    })
  } finally {
    await database.close()
  }
})
