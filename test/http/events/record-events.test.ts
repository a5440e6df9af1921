import { memoryStorage, type RecordedEvent } from '../../../src'
import { enable, noon, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { violations } from '../support/schema'

const archived: RecordedEvent = { type: 'feature-archived', project: 'shop' }

describe('router.events.record(event)', () => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage, pageUrl: 'https://flags.example/review' })
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
            'flag **[checkout](https://flags.example/review/projects/shop/flags/checkout?environment=production)** in ' +
            'environment **production**, ' +
            'project **[shop](https://flags.example/review/?needs=all&project=shop)**',
        },
      ],
    })
    expect(violations('event-list', body)).toEqual([])
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
})

describe('router.events.record(event, { transaction }) with a storage that shares none', () => {
  it('is rejected, and nothing is stored', async () => {
    const app = await startApp({ storage: memoryStorage() })
    await expect(app.router.events.record(archived, { transaction: {} })).rejects.toThrow('cannot share transactions')
    expect((await app.events()).body.totalEvents).toBe(0)
    await app.close()
  })
})
