import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChangeRequestError, memoryStorage, type RecordedEvent } from '../../../src'
import { enable, noon, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'
import { violations } from '../support/schema'

const archived: RecordedEvent = { type: 'feature-archived', project: 'shop' }

describe('router.events.record(event)', () => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage, linkBase: 'https://flags.example' })
  })

  afterEach(async () => {
    await app.close()
    await database.close()
  })

  it('writes all given properties, with a label and a summary', async () => {
    const event: RecordedEvent = {
      type: 'feature-environment-enabled',
      createdBy: 'ann@example.com',
      createdByUserId: 1,
      project: 'shop',
      environment: 'production',
      featureName: 'checkout',
      data: { enabled: true, déjà: ['vu', null, { deep: 1.5 }] },
      preData: { enabled: false },
      tags: [{ type: 'simple', value: 'urgent' }],
      ip: '203.0.113.9',
    }
    await app.router.events.record(event)
    const { body } = await app.events('?project=shop')
    expect(body).toEqual({
      version: 1,
      totalEvents: 1,
      events: [
        {
          ...event,
          id: 1,
          createdAt: noon,
          label: 'Feature environment enabled',
          summary:
            '**ann@example.com** enabled ' +
            'flag **[checkout](https://flags.example/projects/shop/features/checkout)** in environment **production**, ' +
            'project **[shop](https://flags.example/projects/shop)**',
        },
      ],
    })
    expect(violations('event-list', body)).toEqual([])
  })

  it('treats null and undefined as absent, and has the creator unknown, -1337, without an author', async () => {
    const nothing = { project: null, environment: null, featureName: null, data: null, ip: null, createdByUserId: null }
    await app.router.events.record({ type: 'setting-updated', ...nothing })
    await app.router.events.record({ type: 'setting-updated', project: undefined } as unknown as RecordedEvent)
    const { body } = await app.events()
    expect(body.events[1]).toEqual({ ...body.events[0], id: 1 })
    expect(body.events[0]).toMatchObject({ ...nothing, createdBy: 'unknown', createdByUserId: -1337, tags: [] })
  })

  it('leaves group out of the list of the log', async () => {
    await app.router.events.record({ ...archived, groupType: 'transaction', groupId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    const { body } = await app.events()
    expect(body.events[0]).not.toHaveProperty('groupType')
    expect(body.events[0]).not.toHaveProperty('groupId')
  })

  it('writes a list atomically and in order', async () => {
    await app.router.events.record(['one', 'two', 'three'].map((featureName) => ({ ...archived, featureName })))
    const faulty = [archived, { ...archived, tags: [{ type: 'x', value: 'too short a type' }] }, archived]
    await expect(app.router.events.record(faulty)).rejects.toMatchObject({ name: 'BadDataError' })
    const { body } = await app.events()
    expect(body.events.map(({ featureName }: { featureName: string }) => featureName)).toEqual(['three', 'two', 'one'])
  })

  it.each([
    ['alone', (event: RecordedEvent) => event, false],
    ['in a list', (event: RecordedEvent) => [archived, event], false],
    ['in a transaction of the host', (event: RecordedEvent) => [event, archived], true],
  ])('writes nothing with an event about a change request: %s', async (_, given, inTransaction) => {
    await app.propose(enable()).expect(200)
    const forged = { type: 'change-request-applied', project: 'shop', data: { changeRequestId: 1 } }
    const event = given(forged as unknown as RecordedEvent)
    const recording = inTransaction
      ? database.knex.transaction((transaction) => app.router.events.record(event, { transaction }))
      : app.router.events.record(event)
    await expect(recording).rejects.toMatchObject({ name: 'BadDataError', status: 400 })
    expect((await app.events()).body.totalEvents).toBe(2)
  })

  it('writes nothing for an empty list', async () => {
    await app.router.events.record([])
    expect((await app.events()).body.totalEvents).toBe(0)
  })

  it('drops only events whose data and preData are equal', async () => {
    const state = { a: [1, { b: null }], c: 'd' }
    await app.router.events.record([
      { ...archived, data: state, preData: { c: 'd', a: [1, { b: null }] }, featureName: 'dropped' },
      { ...archived, data: state, preData: { ...state, c: 'e' }, featureName: 'changed' },
      { ...archived, data: null, preData: null, featureName: 'without-facts' },
    ])
    const { body } = await app.events()
    expect(body.events.map(({ featureName }: { featureName: string }) => featureName)).toEqual([
      'without-facts',
      'changed',
    ])
  })

  it('commits or rolls back with a transaction of the host', async () => {
    await database.knex.schema.createTable('flags', (table) => table.string('name'))
    const archive = (name: string, then: () => void) =>
      database.knex.transaction(async (transaction) => {
        await transaction('flags').insert({ name })
        await app.router.events.record({ ...archived, featureName: name }, { transaction })
        then()
      })
    const failed = archive('rolled-back', () => {
      throw new Error('the host changed its mind')
    })
    await expect(failed).rejects.toThrow('the host changed its mind')
    expect((await app.events()).body.totalEvents).toBe(0)

    await archive('committed', () => undefined)
    const { body } = await app.events()
    expect(body.events.map(({ featureName }: { featureName: string }) => featureName)).toEqual(['committed'])
    expect(body.totalEvents).toBe(1)
    expect(await database.knex('flags').select('name')).toEqual([{ name: 'committed' }])
  })

  it('rejects a value that is no open transaction, and writes nothing', async () => {
    const over = await database.knex.transaction(async (transaction) => transaction)
    for (const transaction of [over, database.knex, {}, null, 'trx']) {
      await expect(app.router.events.record(archived, { transaction })).rejects.toThrow(TypeError)
    }
    expect((await app.events()).body.totalEvents).toBe(0)
  })

  it('is ordered by time with the events of change requests', async () => {
    await app.propose(enable())
    await app.router.events.record(archived)
    await app.propose(enable())
    const { body } = await app.events('?project=shop')
    expect(body.events.map(({ type }: { type: string }) => type).reverse()).toEqual([
      'change-request-created',
      'change-added',
      'feature-archived',
      'change-added',
    ])
  })

  it.each([
    ['an unknown type', { type: 'feature-exploded' }, 'type', 'feature-exploded'],
    ['no type', {}, '/event/type', 'required'],
    ['an id', { ...archived, id: 7 }, '/event/id', 'not allowed'],
    ['a time', { ...archived, createdAt: noon }, '/event/createdAt', 'not allowed'],
    ['a number for a name', { ...archived, project: 12 }, '/event/project', ''],
    ['a malformed name', { ...archived, project: 'a b' }, '/event/project', ''],
    ['an empty name', { ...archived, featureName: '' }, '/event/featureName', ''],
    ['data that is a list', { ...archived, data: [] }, '/event/data', 'object'],
    ['data that is a text', { ...archived, data: 'x' }, '/event/data', 'object'],
    ['a tag that is too short', { ...archived, tags: [{ type: 'simple', value: 'x' }] }, '/event/tags/0/value', '2'],
    [
      'a tag that is too long',
      { ...archived, tags: [{ type: 'x'.repeat(51), value: 'xx' }] },
      '/event/tags/0/type',
      '50',
    ],
    [
      'a tag with a color',
      { ...archived, tags: [{ type: 'ab', value: 'ab', color: 'red' }] },
      '/event/tags/0/color',
      '',
    ],
    ['NUL', { ...archived, data: { text: 'a\0b' } }, '/event/data/text', 'NUL'],
    ['a lone surrogate', { ...archived, createdBy: '\ud800' }, '/event/createdBy', 'surrogate'],
    ['a number that JSON lacks', { ...archived, data: { n: Number.NaN } }, '/event/data/n', 'NaN'],
    ['a date', { ...archived, data: { at: new Date(noon) } }, '/event/data/at', 'Date'],
    ['another group type', { ...archived, groupType: 'mine' }, 'groupType', 'transaction'],
    ['null', null, '/event', 'null'],
    ['a text', 'feature-archived', '/event', 'feature-archived'],
  ])('rejects %s and stores nothing', async (_name, event, path, says) => {
    const before = await contents(database.knex)
    const error = await app.router.events.record(event as RecordedEvent).catch((caught: unknown) => caught)
    expect(ChangeRequestError.is(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'BadDataError',
      details: [{ path, message: expect.stringContaining(says) }],
    })
    expect(await contents(database.knex)).toEqual(before)
  })
})

describe('router.events.record(event, { transaction }) with a storage that shares none', () => {
  it('is rejected, and nothing is stored', async () => {
    const app = await startApp({ storage: memoryStorage() })
    await expect(app.router.events.record(archived, { transaction: {} })).rejects.toThrow('cannot share transactions')
    expect((await app.events()).body.totalEvents).toBe(0)
    await app.close()
  })
})

describe('all types except those that only the router writes', () => {
  const valuesOf = (name: string): string[] =>
    JSON.parse(readFileSync(join(__dirname, `../../../schemas/shared/events/${name}.json`), 'utf8')).enum
  const others = valuesOf('change-request-event-type')
  const types = valuesOf('event-type').filter((type) => !others.includes(type))

  it('are recorded and returned', async () => {
    const database = await sqlite.open()
    const app = await startApp({ storage: database.storage })
    await app.router.events.record(types.map((type) => ({ type, project: 'all' }) as RecordedEvent))
    const { body } = await app.events('?project=all')
    expect(body.events.map(({ type }: { type: string }) => type).reverse()).toEqual(types)
    expect(types.length).toBeGreaterThan(150)
    expect(violations('event-list', body)).toEqual([])
    await app.close()
    await database.close()
  })
})
