import { startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'

describe('permission for GET /api/admin/events', () => {
  const grants = {
    admin: [{ permission: 'ADMIN' }],
    reader: [{ permission: 'READ_EVENTS' }],
    'reader of shop': [{ permission: 'READ_EVENTS', project: 'shop' }],
    'reader of shop in production': [{ permission: 'READ_EVENTS', project: 'shop', environment: 'production' }],
    'admin of shop': [{ permission: 'ADMIN', project: 'shop' }],
    'author in shop': [{ permission: 'CREATE_CHANGE_REQUEST', project: 'shop' }],
    nobody: [],
  } as const

  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({
      storage: database.storage,
      authenticate: ({ headers }) => ({ id: null, grants: grants[headers.authorization as keyof typeof grants] }),
      directory: { hasProject: () => false },
    })
    await app.router.events.record({ type: 'project-deleted', project: 'shop' })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it.each([
    ['admin', 200, 200, 200],
    ['reader', 200, 200, 200],
    ['reader of shop', 403, 200, 403],
    ['reader of shop in production', 403, 403, 403],
    ['admin of shop', 403, 200, 403],
    ['author in shop', 403, 403, 403],
    ['nobody', 403, 403, 403],
  ])('%s: %i for the instance, %i for shop, %i for blog', async (key, ...expected) => {
    const answers = []
    for (const query of ['', '?project=shop', '?project=blog']) answers.push(await app.events(query, { key }))
    expect(answers.map(({ status }) => status)).toEqual(expected)
    for (const { body } of answers.filter(({ status }) => status === 403)) {
      expect(body).toMatchObject({ name: 'PermissionError', permissions: ['READ_EVENTS'] })
      expect(body.message).toContain('READ_EVENTS')
    }
  })

  it('shows the events of a project that is no longer in the directory', async () => {
    expect((await app.events('?project=shop', { key: 'admin' })).body.totalEvents).toBe(1)
  })
})
