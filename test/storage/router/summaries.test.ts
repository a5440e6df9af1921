import supertest from 'supertest'
import type { FlagGateway } from '../../../src/index'
import { people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, oneDatabase } from '../../support/databases'

const { ann, ben } = people
const now = '2026-03-04T12:00:00.000Z'

const flags: FlagGateway = {
  current: async ({ segments = [] }) => ({
    features: new Map(),
    segments: new Map(segments.filter((id) => id === 4).map((id) => [id, { name: 'Beta, as it is called now' }])),
  }),
  apply: async () => [],
}

/** Fault T48: reads without documents must cost the same for documents of any size. */
describe.each(oneDatabase)('a project with unreadable documents, on $name', ({ open }) => {
  let database: OpenDatabase
  let app: TestApp
  const wholes = new Map<string, unknown>()

  const get = async (path: string, key = ann.key) => {
    const { status, body } = await supertest(app.server).get(`/api/admin${path}`).set({ Authorization: key })
    return status === 200 ? body : status
  }
  const paths = [
    '/projects/shop/change-requests/count',
    '/projects/shop/change-requests/actionable',
    '/search/change-requests',
    '/search/change-requests?limit=1&offset=1',
    '/search/change-requests?state=IS:open&createdBy=IS:2',
  ]

  beforeAll(async () => {
    database = await open()
    const users = { find: () => [{ ...ben.user, name: 'Ben Ode' }, ann.user], reviewers: () => [ann.user] }
    app = await startApp({ storage: database.storage, flags, users })
    const feature = (name: string) => ({ action: 'updateEnabled', feature: name, payload: { enabled: true } })
    const segment = (id: number) => ({
      action: 'updateSegment',
      payload: { id, name: `Segment ${id}`, constraints: [] },
    })
    const changes = [feature('zebra'), segment(4), feature('apple'), { action: 'deleteSegment', payload: { id: 9 } }]
    const proposed = await app.propose([...changes, feature('zebra')], { key: ben.key })
    const move = (state: string) =>
      supertest(app.server)
        .put(`/api/admin/projects/shop/change-requests/${proposed.body.id}/state`)
        .set({ Authorization: ben.key })
        .send({ state })
    expect([proposed.status, (await move('In review')).status]).toEqual([200, 200])
    expect((await app.propose(segment(5))).status).toBe(200)
    for (const path of paths) wholes.set(path, await get(path))
    const { tablePrefix = 'ffcr_' } = database.place.storage
    await database.knex.schema.alterTable(`${tablePrefix}change_requests`, (table) => {
      table.renameColumn('document', 'document_that_nobody_finds')
    })
  })
  afterAll(async () => {
    await app?.close()
    await database?.close()
  })

  it('has a list that fails', async () => {
    expect(await get('/projects/shop/change-requests')).toBe(500)
  })

  it.each(paths)('returns the same for GET %s', async (path) => {
    const answered = await get(path)
    expect(answered).toEqual(wholes.get(path))
    expect(typeof answered).toBe('object')
  })

  it('has the content of a search: flags by their lowest change, segments by change, current names', async () => {
    const { changeRequests, total } = await get('/search/change-requests')
    const createdBy = { id: 2, username: 'Ben Ode', imageUrl: expect.any(String) }
    expect(total).toBe(2)
    expect(changeRequests[1]).toEqual({
      id: 1,
      environment: 'production',
      project: 'shop',
      createdBy,
      createdAt: now,
      features: ['zebra', 'apple'],
      segments: ['Beta, as it is called now', 'Segment #9'],
      state: 'In review',
    })
    expect(changeRequests[0]).toMatchObject({ state: 'Draft', features: [], segments: ['Segment 5'] })
    expect(await get('/projects/shop/change-requests/actionable')).toEqual({ total: 1 })
  })
})
