import type { Names } from '../../src/storage/knex/database'
import { latestVersion, metaTable, migrations } from '../../src/storage/knex/migrations'
import { type OpenDatabase, postgres, sqlite } from '../support/databases'
import { changeRequest, idsOf, write } from './review-fixtures'

const all = { offset: 0, limit: 10 }
const names: Names = { table: (name) => `"ffcr_${name}"`, index: (name) => `"ffcr_${name}"` }

describe.each([sqlite, postgres])('migrate() on a $name store of schema version 1', (database) => {
  let opened: OpenDatabase

  beforeEach(async () => {
    opened = await database.open({ migrate: false })
    const { knex } = opened
    const first = migrations(names)[0]
    const statements = database === sqlite ? first?.sqlite : first?.postgres
    for (const text of [metaTable(names), ...(statements ?? [])]) await knex.raw(text)
    await knex('ffcr_meta').insert({ name: 'schema_version', value: 1 })
  })
  afterEach(() => opened.close())

  function stored(id: number, changes: readonly object[]) {
    const createdBy = { id, username: null, imageUrl: null }
    const document = { ...changeRequest(id), createdBy, changes }
    return opened.knex('ffcr_change_requests').insert({
      id,
      project: 'shop',
      environment: 'production',
      created_by: id,
      state: 'Approved',
      open: database === sqlite ? 1 : true,
      version: 3,
      created_at: document.createdAt,
      document: JSON.stringify(document),
    })
  }

  it('makes what is stored findable by flag and segment, and changes no change request', async () => {
    await stored(1, [
      { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } },
      { action: 'addStrategy', feature: 'checkout', payload: { name: 'it\'s \u2713 "quoted"' } },
      { action: 'deleteSegment', feature: null, payload: { id: 4 } },
    ])
    await stored(2, [{ action: 'updateSegment', feature: null, payload: { id: 41, name: 'vip', constraints: [] } }])
    await stored(3, [])
    const { storage, knex } = opened
    const before = await knex('ffcr_change_requests').orderBy('id')
    await storage.migrate()
    expect(await knex('ffcr_change_requests').orderBy('id')).toEqual(before)
    const list = (subject: string) => idsOf(storage.list({ viewer: null, subject }, all))
    expect(await list('feature:checkout')).toEqual([1])
    expect(await list('segment:4')).toEqual([1])
    expect(await list('segment:41')).toEqual([2])
    expect(await knex('ffcr_change_request_subjects')).toHaveLength(3)
    expect(await storage.health()).toMatchObject({ schemaVersion: latestVersion })
    expect(await storage.settings('shop')).toEqual([{ environment: 'production', settings: null, version: 0 }])
  })

  it('may be repeated, and called by many at once', async () => {
    await stored(1, [{ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }])
    const { storage } = opened
    await Promise.all(Array.from({ length: 5 }, () => storage.migrate()))
    await storage.migrate()
    const next = write({ ...changeRequest(1) }, { expectedVersion: 3, subjects: ['feature:cart'] })
    expect(await storage.commit(next)).toBe(true)
    await storage.migrate()
    expect(await idsOf(storage.list({ viewer: null, subject: 'feature:checkout' }, all))).toEqual([])
    expect(await idsOf(storage.list({ viewer: null, subject: 'feature:cart' }, all))).toEqual([1])
  })
})
