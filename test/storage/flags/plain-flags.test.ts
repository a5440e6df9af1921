import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { knex as createKnex, type Knex } from 'knex'
import { apiKeys, createChangeRequestRouter, type Storage } from '../../../src'
import { plainFlags as poolFlags } from '../../../src/storage/handles/postgres'
import { type SyncPlainFlags, plainFlags as syncFlags } from '../../../src/storage/handles/sqlite'
import { type PlainFlags, type PlainFlagsColumns, type PlainFlagsTable, plainFlags } from '../../../src/storage/knex'
import {
  databases,
  type OpenDatabase,
  type OpenOptions,
  postgres,
  sqlite,
  type TestDatabase,
} from '../../support/databases'
import { caseMappers } from '../../support/databases/case-mappers'
import { openPool } from '../../support/databases/handles'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { betterSqlite, openSqlite, type SqliteDriver, sqliteDrivers } from '../../support/databases/sqlite-drivers'

const place = { project: 'default', environment: 'production' }
const grants = [{ permission: 'ADMIN' }]
const authenticate = apiKeys([
  { key: 'user:ann', user: { id: 1, username: 'ann' }, grants },
  { key: 'user:ben', user: { id: 2, username: 'ben' }, grants },
])

/** Other names than those of the options, so that none is used by mistake. */
const columns = { name: 'key', enabled: 'is_on', rollout: 'percent', archived: 'is_archived' }

interface Setting {
  readonly columns?: PlainFlagsColumns
  /** Makes the columns of the table besides its key. */
  readonly create?: (table: Knex.CreateTableBuilder) => void
  readonly rows?: readonly object[]
  readonly database?: OpenOptions
  readonly featureNames?: 'url' | 'any'
}

const booleans = (table: Knex.CreateTableBuilder) => {
  table.boolean('is_on').notNullable()
  table.integer('percent')
  table.boolean('is_archived').notNullable().defaultTo(false)
  table.string('description').defaultTo('ours')
}
const someFlags = [
  { key: 'checkout', is_on: false, percent: 25 },
  { key: 'search', is_on: true, percent: null },
]

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** How the storage and the gateway reach the database of a test. */
interface Access {
  readonly name: string
  readonly kind: TestDatabase
  open(
    database: OpenDatabase,
    options: PlainFlagsTable,
  ): {
    readonly storage: Storage
    readonly plain: PlainFlags | SyncPlainFlags
    inTransaction<Value>(work: (transaction: unknown) => Promise<Value>): Promise<Value>
  }
}

const throughPool: Access = {
  name: 'Postgres through pg.Pool',
  kind: postgres,
  open(database, options) {
    const { pool, storage, close } = openPool(database.place)
    closing.push(close)
    return {
      storage: storage as Storage,
      plain: poolFlags({ pool, ...options }) as PlainFlags,
      inTransaction: (work) => storage.transaction((transaction) => work(transaction)),
    }
  },
}

const throughDriver = (driver: SqliteDriver): Access => ({
  name: driver.name,
  kind: sqlite,
  open({ place }, options) {
    const { database, storage, close } = openSqlite(place, driver)
    closing.push(close)
    return {
      storage: storage as Storage,
      plain: syncFlags({ database, ...options }) as SyncPlainFlags,
      async inTransaction(work) {
        database.exec('begin immediate')
        try {
          return await work(database)
        } finally {
          database.exec('rollback')
        }
      },
    }
  },
})

const throughDrivers = sqliteDrivers.map(throughDriver)

const accesses: readonly Access[] = [
  ...databases.map((kind) => ({
    name: kind.name,
    kind,
    open: ({ knex, storage }: OpenDatabase, options: PlainFlagsTable) => ({
      storage: storage as Storage,
      plain: plainFlags({ knex, ...options }) as PlainFlags,
      inTransaction: <Value>(work: (transaction: unknown) => Promise<Value>) => knex.transaction(work),
    }),
  })),
  throughPool,
  ...throughDrivers,
]

/** An app with the table and a router. */
async function open({ kind, ...access }: Access, setting: Setting = {}) {
  const database = await kind.open({ migrate: false, ...setting.database })
  closing.push(database.close)
  const { knex } = database
  const plainKnex = createKnex(database.place.knex)
  await plainKnex.schema.createTable('our_flags', (table) => {
    table.string('key').primary()
    ;(setting.create ?? booleans)(table)
  })
  await plainKnex('our_flags').insert(setting.rows ?? someFlags)
  await plainKnex.destroy()
  const options = { table: 'our_flags', columns: setting.columns ?? columns, ...place }
  const { storage, inTransaction, plain: made } = access.open(database, options)
  const { validate, ...plain } = made
  let usesValidator = true
  const router = createChangeRequestRouter({
    storage,
    authenticate,
    limits: longTimeoutLimits,
    ...(setting.featureNames && { featureNames: setting.featureNames }),
    ...plain,
    logger: false,
    validate: (changes, context) => (usesValidator ? validate(changes, context) : []),
  })
  await router.migrate()
  const server = express().use(router).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await router.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/admin`
  const useValidator = (isUsed: boolean) => {
    usesValidator = isUsed
  }
  const { flags } = plain
  return {
    ...plain,
    // The tests await each gateway.
    flags: {
      actions: flags.actions,
      current: async (...given: Parameters<PlainFlags['flags']['current']>) => flags.current(...given),
      apply: async (...given: Parameters<PlainFlags['flags']['apply']>) => flags.apply(...given),
    },
    useValidator,
    database,
    inTransaction,
    ...callers(url),
    rows: () => knex('our_flags').orderBy('key'),
  }
}

function callers(url: string) {
  async function send(who: string, method: string, path: string, body?: object) {
    const headers = { Authorization: `user:${who}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
  }
  const propose = (...changes: object[]) =>
    send('ann', 'POST', '/projects/default/environments/production/change-requests', changes)
  const to = (who: string, id: number, state: string) =>
    send(who, 'PUT', `/projects/default/change-requests/${id}/state`, { state })
  async function approved(...changes: object[]): Promise<number> {
    const { status, body } = await propose(...changes)
    expect([status, body.details]).toEqual([200, undefined])
    expect((await to('ann', body.id, 'In review')).status).toBe(200)
    expect((await to('ben', body.id, 'Approved')).body).toMatchObject({ state: 'Approved' })
    return body.id
  }
  const apply = async (...changes: object[]) => {
    const id = await approved(...changes)
    const { status, body } = await to('ben', id, 'Applied')
    expect([status, body.details]).toEqual([200, undefined])
    return id
  }
  const events = async () => (await send('ann', 'GET', '/events?project=default')).body.events
  return { send, propose, to, approved, apply, events }
}

const enable = (feature: string, enabled = true) => ({ action: 'updateEnabled', feature, payload: { enabled } })
const archive = (feature: string) => ({ action: 'archiveFeature', feature })
const update = (feature: string, payload: object) => ({ action: 'updateStrategy', feature, payload })
const rollout = (feature: string, text: string) => update(feature, { id: 'rollout', parameters: { rollout: text } })
const strategy = (text: string) => ({
  id: 'rollout',
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout: text },
})

/** Names in tables of existing apps; some have a meaning in SQL, in patterns or in paths. */
const otherNames = ['organization:create', 'team/checkout', 'a,b', 'a%2Fb', 'a?b#c', '日本 ä', 'a*', '__proto__']

describe.each(accesses)('plainFlags on $name', (access) => {
  it('applies a change of each action, and writes no other column and no other flag', async () => {
    const { apply, rows, events, database } = await open(access)
    const text = (row: { key: string; is_on: unknown; percent: unknown; is_archived: unknown; description: string }) =>
      `${row.key} ${Boolean(row.is_on)} ${row.percent} ${Boolean(row.is_archived)} ${row.description}`
    await apply(enable('checkout'), rollout('checkout', '50'))
    expect((await rows()).map(text)).toEqual(['checkout true 50 false ours', 'search true null false ours'])
    await apply(enable('search', false), archive('search'), rollout('search', '0'))
    expect((await rows()).map(text)).toEqual(['checkout true 50 false ours', 'search false 0 true ours'])
    const flagEvents = (await events()).filter(({ type }: { type: string }) => type.startsWith('feature-'))
    expect(flagEvents.reverse()).toMatchObject([
      { type: 'feature-strategy-update', featureName: 'checkout', data: strategy('50'), preData: strategy('25') },
      { type: 'feature-environment-enabled', featureName: 'checkout' },
      { type: 'feature-environment-disabled', featureName: 'search' },
      { type: 'feature-strategy-update', featureName: 'search', data: strategy('0') },
      { type: 'feature-archived', featureName: 'search' },
    ])
    if (access.kind === sqlite) {
      const types = await database.knex.raw(
        'select typeof(is_on) as enabled, typeof(percent) as rollout from our_flags',
      )
      expect(types[0]).toEqual({ enabled: 'integer', rollout: 'integer' })
    }
  })

  it('finds flags by the beginning of their names, in any case, without archived ones and wildcards', async () => {
    const names = ['a_b', 'axb', 'Ab', 'aB%', 'b', 'ab-archived']
    const rows = names.map((key) => ({ ...someFlags[0], key, is_archived: key.endsWith('archived') }))
    const { send } = await open(access, { rows })
    const find = async (query: string) =>
      (await send('ann', 'GET', `/projects/default/environments/production/flags?query=${encodeURIComponent(query)}`))
        .body.flags
    expect((await find('ab')).sort()).toEqual(['Ab', 'aB%'])
    expect([await find('a_'), await find('%'), await find("'")]).toEqual([['a_b'], [], []])
  })

  it('works with case mappers, other types of columns, and an unset flag', async () => {
    const create = (table: Knex.CreateTableBuilder) => {
      table.integer('is_on')
      table.decimal('percent', 5, 2)
      table.integer('is_archived')
    }
    const isMapped = databases.some(({ name }) => name === access.name)
    const { apply, rows, flags } = await open(access, {
      create,
      columns: isMapped ? { name: 'key', enabled: 'isOn', rollout: 'percent', archived: 'isArchived' } : columns,
      rows: [{ key: 'checkout', is_on: 0, percent: 25 }],
      database: { host: caseMappers },
    })
    const read = async () => (await flags.current({ ...place, features: ['checkout'], segments: [] })).features
    expect([...(await read())]).toEqual([
      ['checkout', { enabled: false, archived: false, strategies: [strategy('25')] }],
    ])
    await apply(enable('checkout'), rollout('checkout', '100'))
    expect([...(await read())]).toEqual([
      ['checkout', { enabled: true, archived: false, strategies: [strategy('100')] }],
    ])
    expect((await rows())[0]).toMatchObject({ isOn: 1, isArchived: null })
  })

  it('rolls everything back when the events cannot be stored', async () => {
    const { approved, to, rows, database } = await open(access)
    const id = await approved(enable('checkout'), rollout('checkout', '50'), archive('search'))
    const before = await rows()
    await database.knex.schema.renameTable('ffcr_events', 'elsewhere')
    expect((await to('ben', id, 'Applied')).status).toBe(503)
    await database.knex.schema.renameTable('elsewhere', 'ffcr_events')
    expect(await rows()).toEqual(before)
    expect((await to('ben', id, 'Applied')).status).toBe(200)
  })
})

// Both with their own statements, which Knex uses too.
describe.each([throughPool, ...throughDrivers])('plainFlags on $name', (access) => {
  describe('with featureNames: any', () => {
    const openAny = () => open(access, { rows: otherNames.map((key) => ({ key, is_on: false })), featureNames: 'any' })
    const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)

    it('changes, logs and finds each flag, and no other one', async () => {
      const { send, apply, rows } = await openAny()
      const get = async (path: string) => (await send('ann', 'GET', path)).body
      const done: string[] = []
      for (const name of otherNames) {
        const id = await apply(enable(name))
        done.push(name)
        const isOn = (await rows()).filter(({ is_on }) => Boolean(is_on)).map(({ key }) => key)
        expect(isOn.sort()).toEqual(done.toSorted())
        const inPath = encodeURIComponent(name)
        const { events } = await get(`/events/${inPath}`)
        expect(new Set(events.map((one: { featureName: string }) => one.featureName))).toEqual(new Set([name]))
        const filter = encodeURIComponent(`IS:${name.replaceAll('%', '%25').replaceAll(',', '%2C')}`)
        const found = await get(`/search/events?feature=${filter}`)
        expect(found.events.map((one: { type: string }) => one.type)).toContain('change-request-applied')
        expect(idsOf((await get(`/reviews?feature=${inPath}`)).reviews)).toEqual([id])
        const flag = await get(`/projects/default/environments/production/flags/${inPath}`)
        expect(flag).toMatchObject({ name, state: { enabled: true } })
      }
    })

    it('knows names as they are, without wildcards', async () => {
      const { propose } = await openAny()
      for (const name of ['ab', 'a%', 'a_', 'A*'])
        expect([name, (await propose(enable(name))).status]).toEqual([name, 404])
    })
  })

  it('cannot be applied to a flag that is gone or archived', async () => {
    const { approved, to, database } = await open(access)
    const id = await approved(enable('checkout'))
    await database.knex('our_flags').where({ key: 'checkout' }).update({ is_archived: true })
    expect((await to('ben', id, 'Applied')).body).toMatchObject({ name: 'ConflictError' })
    await database.knex('our_flags').where({ key: 'checkout' }).del()
    const { status, body } = await to('ben', id, 'Applied')
    expect([status, body.details[0].message]).toEqual([409, expect.stringContaining('Feature has been deleted')])
  })

  it('never touches the flags for another project or environment', async () => {
    const { flags, inTransaction, rows } = await open(access)
    const before = await rows()
    const subjects = { ...place, features: ['search'], segments: [] }
    for (const other of [
      { ...place, project: 'shop' },
      { ...place, environment: 'staging' },
    ]) {
      expect((await flags.current({ ...subjects, ...other })).features.size).toBe(0)
      const applied = inTransaction(async (transaction) => {
        await flags.current(subjects, { transaction, forUpdate: true })
        return flags.apply([{ id: 1, ...enable('search', false) }] as never, { ...other, transaction } as never)
      })
      await expect(applied).rejects.toMatchObject({ message: 'The flag "search" does not exist.' })
    }
    expect(await rows()).toEqual(before)
  })

  it('reads the flags again for a second apply in one transaction', async () => {
    const { flags, inTransaction } = await open(access, { rows: [{ key: 'search', is_on: false }] })
    const switched = await inTransaction(async (transaction) => {
      const context = { ...place, transaction } as never
      await flags.current({ ...place, features: ['search'], segments: [] }, { transaction, forUpdate: true })
      const on = await flags.apply([{ id: 1, ...enable('search', true) }] as never, context)
      const off = await flags.apply([{ id: 2, ...enable('search', false) }] as never, context)
      return [...on, ...off].map(({ type }) => type)
    })
    expect(switched).toEqual(['feature-environment-enabled', 'feature-environment-disabled'])
  })

  it('reports a column that holds something else than it should', async () => {
    const text = (table: Knex.CreateTableBuilder) => {
      table.string('is_on')
      table.integer('percent')
      table.boolean('is_archived')
    }
    const { flags } = await open(access, { create: text, rows: [{ key: 'search', is_on: 'false' }] })
    await expect(flags.current({ ...place, features: ['search'], segments: [] })).rejects.toThrow(
      'plainFlags: the column "is_on" of the table "our_flags" must hold a boolean, or 0 and 1; the flag "search" has a ' +
        'value of the type string.',
    )
    const shared = await open(access, { columns: { name: 'description', enabled: 'is_on' } })
    await expect(shared.flags.current({ ...place, features: ['ours'], segments: [] })).rejects.toThrow(
      'plainFlags: the column "description" of the table "our_flags" must be unique.',
    )
  })
})

describe('the rules of plainFlags', () => {
  const access = throughDriver(betterSqlite)

  it('writes nothing, and logs no event, where the flag has the value already', async () => {
    const { apply, events } = await open(access)
    await apply(enable('search'), rollout('checkout', '25'), archive('search'), archive('search'))
    const types = (await events()).map(({ type }: { type: string }) => type)
    expect(types.slice(0, 3)).toEqual(['change-request-applied', 'feature-archived', 'change-request-approved'])
  })

  it('rejects other actions, other strategies and other fields when they are proposed', async () => {
    const { propose, rows } = await open(access)
    const before = await rows()
    const other = await propose({ action: 'deleteStrategy', feature: 'checkout', payload: { id: 'rollout' } })
    const actions = '"updateEnabled", "archiveFeature", "updateStrategy"'
    const message = `action must be one of ${actions}, got "deleteStrategy" at /body/0/action`
    expect([other.status, other.body.details]).toEqual([400, [{ path: 'action', message }]])

    const parameters = { rollout: '5' }
    const inPayload = '/body/1/payload'
    const wrongId = `id must be one of "rollout", got "s1" at ${inPayload}/id`
    const rejected: readonly (readonly [payload: object, message: string, path: string])[] = [
      [{ id: 's1', parameters }, wrongId, 'id'],
      [{ id: 'rollout', parameters, title: 'x' }, 'title is not allowed there', `${inPayload}/title`],
      [
        { id: 'rollout', parameters: { ...parameters, groupId: 'a' } },
        'groupId is not allowed there',
        `${inPayload}/parameters/groupId`,
      ],
      [{ id: 'rollout' }, 'parameters is required and missing', `${inPayload}/parameters`],
      [{ id: 'rollout', parameters: {} }, 'rollout is required and missing', `${inPayload}/parameters/rollout`],
      [
        { id: 'rollout', parameters: { rollout: '250' } },
        'rollout must be the text of a whole number from 0 to 100, such as "25", got "250"',
        `${inPayload}/parameters/rollout`,
      ],
    ]
    for (const [payload, message, path] of rejected) {
      const { status, body } = await propose(enable('search'), update('checkout', payload))
      expect([status, body.details]).toMatchObject([400, [{ message, path }]])
    }
    expect(await rows()).toEqual(before)
  })

  it('knows one project, one environment and the flags of the table', async () => {
    const { send, propose, apply } = await open(access)
    const list = (project: string) => send('ann', 'GET', `/projects/${project}/change-requests`)
    const elsewhere = (project: string, environment: string) =>
      send('ann', 'POST', `/projects/${project}/environments/${environment}/change-requests`, [enable('checkout')])
    expect([(await list('default')).status, (await list('shop')).status]).toEqual([200, 404])
    expect([
      (await elsewhere('shop', 'production')).status,
      (await elsewhere('default', 'staging')).status,
      (await propose(enable('no-such-flag'))).status,
    ]).toEqual([404, 404, 404])
    const settings = await send('ann', 'GET', '/projects/default/change-requests/config')
    expect(settings.body).toMatchObject([{ environment: 'production', type: 'production' }])
    await apply(archive('search'))
    expect((await propose(enable('search'))).status).toBe(404)
    const read = async (path: string) => (await send('ann', 'GET', path)).body
    const here = '/projects/default/environments/production'
    expect((await read('/places')).places).toMatchObject([
      { project: 'default', environments: [{ name: 'production' }] },
    ])
    expect(await read(`${here}/segments?query=a`)).toEqual({ segments: [] })
    expect(await read('/projects/default/context-fields')).toEqual({ fields: [] })
    const { actions } = await read(`${here}/change-requests/actions`)
    expect(actions.map((one: { action: string }) => one.action)).toEqual([
      'updateEnabled',
      'updateStrategy',
      'archiveFeature',
    ])
  })

  it('shows the percentage as one strategy: in the review, in a revert and in a rebase', async () => {
    const { database, send, approved, propose, to, rows } = await open(access)
    const id = await approved(rollout('checkout', '50'))
    const path = `/projects/default/change-requests/${id}`
    const diff = async () => (await send('ben', 'GET', `${path}/review`)).body.changes[0]
    expect(await diff()).toMatchObject({
      fields: [{ path: '/parameters/rollout', base: '25', current: '25', proposed: '50' }],
    })

    await database.knex('our_flags').where({ key: 'checkout' }).update({ percent: 30 })
    const overwrite = await to('ben', id, 'Applied')
    expect([overwrite.status, overwrite.body.details[0].code]).toEqual([409, 'overwrite'])
    const rebased = await send('ann', 'POST', `${path}/rebase`, { take: 'ours' })
    expect([rebased.status, rebased.body.details]).toEqual([200, undefined])
    expect((await to('ben', id, 'Approved')).status).toBe(200)
    expect((await to('ben', id, 'Applied')).status).toBe(200)
    expect((await rows())[0]).toMatchObject({ percent: 50 })

    const reverted = await send('ann', 'POST', `${path}/revert`)
    expect([reverted.status, reverted.body.details]).toEqual([200, undefined])
    const draft = reverted.body.id
    expect((await to('ann', draft, 'In review')).status).toBe(200)
    expect((await to('ben', draft, 'Approved')).status).toBe(200)
    expect((await to('ben', draft, 'Applied')).status).toBe(200)
    expect((await rows())[0]).toMatchObject({ percent: 30 })
    expect((await propose(rollout('checkout', '31'))).status).toBe(200)
  })

  it('restores a percentage that nobody can propose', async () => {
    const create = (table: Knex.CreateTableBuilder) => {
      table.boolean('is_on')
      table.double('percent')
      table.boolean('is_archived')
    }
    const { propose, apply, to, send, rows } = await open(access, {
      create,
      rows: [{ key: 'checkout', is_on: false, percent: 33.5 }],
    })
    const kept = await propose(rollout('checkout', '33.5'))
    expect([kept.status, (await propose(rollout('checkout', '33.6'))).status]).toEqual([200, 400])
    await send('ann', 'DELETE', `/projects/default/change-requests/${kept.body.id}`)
    const id = await apply(rollout('checkout', '50'))
    const { body } = await send('ann', 'POST', `/projects/default/change-requests/${id}/revert`)
    expect((await to('ann', body.id, 'In review')).status).toBe(200)
    expect((await to('ben', body.id, 'Approved')).status).toBe(200)
    expect((await to('ben', body.id, 'Applied')).status).toBe(200)
    expect(Number((await rows())[0]?.percent)).toBe(33.5)
  })

  it('cannot revert a percentage that was not set', async () => {
    const { apply, send } = await open(access)
    const id = await apply(rollout('search', '50'))
    const preview = await send('ann', 'GET', `/projects/default/change-requests/${id}/revert`)
    expect(preview.body).toMatchObject({ changes: [], irreversible: [{ action: 'updateStrategy', feature: 'search' }] })
  })

  it('serves flags that are only on or off: nothing can be archived or rolled out', async () => {
    const { propose, apply, flags, rows } = await open(access, { columns: { name: 'key', enabled: 'is_on' } })
    expect(Object.keys(flags.actions ?? {})).toEqual(['updateEnabled'])
    expect([(await propose(archive('search'))).status, (await propose(rollout('search', '1'))).status]).toEqual([
      400, 400,
    ])
    const { features } = await flags.current({ ...place, features: ['search', 'gone'], segments: [] })
    expect([...features]).toEqual([['search', { enabled: true, archived: false }]])
    await apply(enable('checkout'))
    expect((await rows())[0]).toMatchObject({ percent: 25 })
  })

  it('rejects a stored change that the table cannot store: at submit, at apply, and in the gateway', async () => {
    const { propose, to, send, inTransaction, flags, useValidator } = await open(access)
    useValidator(false)
    const { body } = await propose(rollout('checkout', '250'))
    const problem = 'rollout must be the text of a whole number from 0 to 100, such as "25", got "250"'
    const invalid = [{ message: `Editing “Gradual rollout” of checkout, the rollout: ${problem}`, code: 'invalid' }]
    useValidator(true)
    const submitted = await to('ann', body.id, 'In review')
    expect([submitted.status, submitted.body.details]).toEqual([400, invalid])
    useValidator(false)
    expect((await to('ann', body.id, 'In review')).status).toBe(200)
    expect((await to('ben', body.id, 'Approved')).status).toBe(200)
    useValidator(true)
    const applied = await to('ben', body.id, 'Applied')
    expect([applied.status, applied.body.details]).toEqual([400, invalid])
    const { steps } = (await send('ben', 'GET', `/projects/default/change-requests/${body.id}/review`)).body
    expect(steps.find(({ step }: { step: string }) => step === 'apply').missing).toMatchObject(invalid)
    useValidator(false)
    const unvalidated = await to('ben', body.id, 'Applied')
    expect([unvalidated.status, unvalidated.body.message]).toEqual([409, `The flag "checkout": ${problem}.`])

    const stored = { id: 1, action: 'updateStrategy', feature: 'checkout', payload: { id: 's1' } } as const
    await inTransaction(async (transaction) => {
      const context = { ...place, transaction } as never
      await expect(flags.apply([stored], context)).rejects.toMatchObject({ name: 'ConflictError' })
    })
  })

  it('rejects in the gateway what cannot be applied, with a clear error', async () => {
    const rows = [
      { key: 'search', is_on: true, is_archived: false },
      { key: 'old', is_on: true, is_archived: true },
    ]
    const { flags, inTransaction } = await open(access, { rows })
    const deleteStrategy = { action: 'deleteStrategy', feature: 'search', payload: { id: 'x' } }
    for (const [change, message] of [
      [enable('gone'), 'The flag "gone" does not exist.'],
      [rollout('gone', '5'), 'The flag "gone" does not exist.'],
      [enable('old'), 'The flag "old" is archived.'],
      [deleteStrategy, 'deleteStrategy is not supported for the flag "search".'],
      [{ action: 'deleteSegment', feature: null, payload: { id: 1 } }, 'The flag null does not exist.'],
    ] as const) {
      const applied = inTransaction((transaction) =>
        flags.apply([{ id: 1, ...change }] as never, { ...place, transaction } as never),
      )
      await expect(applied).rejects.toMatchObject({ name: 'ConflictError', message })
    }
  })
})

describe('plainFlags on Postgres', () => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await postgres.open({ migrate: false })
    await database.knex.schema.createTable('our_flags', (table) => {
      table.string('key').primary()
      booleans(table)
    })
    await database.knex('our_flags').insert(someFlags)
  })
  afterEach(() => database.close())

  const isLocked = (key: string) =>
    database
      .knex('our_flags')
      .where({ key })
      .forUpdate()
      .noWait()
      .then(
        () => false,
        ({ code }) => code === '55P03',
      )

  it('locks the rows that an apply reads, and no others', async () => {
    const { flags } = plainFlags({ knex: database.knex, table: 'our_flags', columns, ...place })
    const subjects = { ...place, features: ['checkout'], segments: [] }
    await database.knex.transaction(async (transaction) => {
      await flags.current(subjects)
      expect(await isLocked('checkout')).toBe(false)
      await flags.current(subjects, { transaction, forUpdate: true })
      expect([await isLocked('checkout'), await isLocked('search')]).toEqual([true, false])
    })
    await database.knex.transaction(async (transaction) => {
      const change = { id: 1, ...enable('search', true) } as never
      expect(await flags.apply([change], { ...place, transaction } as never)).toEqual([])
      expect([await isLocked('checkout'), await isLocked('search')]).toEqual([false, true])
    })
  })

  it('reads a table in another schema', async () => {
    const { knex, place: opened } = database
    const schema = opened.knex.client === 'pg' ? opened.knex.searchPath[0] : ''
    const { directory } = plainFlags({ knex, table: `${schema}.our_flags`, columns, ...place })
    expect(await directory.knownFeatures?.('default', ['search', 'gone'])).toEqual(['search'])
  })
})
