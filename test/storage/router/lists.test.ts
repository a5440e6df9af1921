import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../../src'
import { subjectsOf } from '../../../src/domain/content/grouping'
import { HostFlags } from '../../kernel/support/flags'
import { type OpenDatabase, postgres } from '../../support/databases'
import { recordStatements } from '../../support/databases/recorded-statements'
import { changeRequest, noon, write } from '../fixtures'

const key = 'key-of-ann-0123456789'
const user = { id: 7, username: 'ann' }
const grants = ['READ', 'APPROVE', 'APPLY'].map((name) => ({ permission: `${name}_CHANGE_REQUEST` as const }))

describe('lists of change requests on Postgres', () => {
  const { statements, afterCreate } = recordStatements()
  let open: OpenDatabase
  let app: express.Express
  beforeAll(async () => {
    open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    const authenticate = apiKeys([{ key, user, grants }])
    const options = { storage: open.storage, authenticate, flags: new HostFlags(), logger: false } as const
    app = express().use(createChangeRequestRouter(options))
  })
  afterAll(() => open.close())

  const get = (path: string) => supertest(app).get(`/api/admin/${path}`).set('Authorization', key).expect(200)

  /** The tables that each statement of the request reads. */
  async function tablesOf(path: string): Promise<string[][]> {
    statements.length = 0
    await get(path)
    return statements.map(({ text }) => [...new Set(text.match(/ffcr_\w+/g))].sort())
  }

  it('need the same few statements, however many change requests there are', async () => {
    const store = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, index) => {
          const id = from + index
          return open.storage.commit(
            write(changeRequest(id, { state: id % 2 ? 'In review' : 'Approved', project: `p${id % 3}` })),
          )
        }),
      )
    const read = async () => [
      await tablesOf('projects/p1/change-requests/actionable'),
      await tablesOf('search/change-requests'),
    ]
    await store(1, 5)
    await read()
    const few = await read()
    await store(5, 60)

    expect(await read()).toEqual(few)
    expect(few).toEqual([
      // All that the caller can approve or apply, without those with open objections.
      [['ffcr_change_request_counts'], ['ffcr_change_request_subjects', 'ffcr_change_requests']],
      [['ffcr_change_requests', 'ffcr_event_counts'], ['ffcr_change_request_counts'], ['ffcr_change_requests']],
    ])
    // Of 20, the caller created one.
    expect((await get('projects/p1/change-requests/actionable')).body).toEqual({ total: 19 })
    expect((await get('search/change-requests')).body.total).toBe(59)
  })

  it('of the inbox need at most five, with any filter and whatever the changes affect', async () => {
    const person = { id: 7, username: 'ann', imageUrl: null }
    const archive = { action: 'archiveFeature', feature: 'checkout', payload: {} } as const
    for (let id = 100; id < 130; id += 1) {
      const changes = [{ ...archive, id, createdBy: person, createdAt: noon, base: { archived: false } }]
      const state = (['In review', 'Approved', 'Draft', 'Scheduled'] as const)[id % 4] ?? 'Draft'
      const place = { project: `p${id % 5}`, environment: `e${id % 7}`, author: id % 2 ? 7 : id }
      const stored = changeRequest(id, { state, changes, ...place, title: 'Everywhere', requestedApprovers: [7] })
      await open.storage.commit(write(stored, { subjects: subjectsOf(stored) }))
    }
    const filters = [
      '',
      'project=p1',
      'environment=e1',
      'state=Approved',
      'author=7',
      'feature=checkout',
      'requested=me',
      'afterReview=open',
    ]
    const more = ['query=every', 'query=%23101', 'order=waiting', 'feature=checkout&author=7&query=every&requested=me']
    for (const needs of ['me', 'mine', 'all']) {
      for (const filter of [...filters, ...more]) {
        const read = await tablesOf(`reviews?needs=${needs}&limit=10&${filter}`)
        expect([needs, filter, read.length <= 5]).toEqual([needs, filter, true])
      }
    }
    const { reviews, totals } = (await get('reviews?needs=me&limit=10')).body
    expect([reviews.length > 0, totals.me.count > 0, totals.all.atLeast]).toEqual([true, true, false])
  })
})
