import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../../src'
import { type OpenDatabase, postgres } from '../../support/databases'
import { recordStatements } from '../../support/databases/recorded-statements'
import { changeRequest, write } from '../fixtures'

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
    app = express().use(createChangeRequestRouter({ storage: open.storage, authenticate, logger: false }))
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
    await store(1, 4)
    await read()
    const few = await read()
    await store(4, 60)

    expect(await read()).toEqual(few)
    expect(few).toEqual([
      [['ffcr_change_request_subjects', 'ffcr_change_requests']],
      [['ffcr_change_requests', 'ffcr_event_counts'], ['ffcr_change_request_counts'], ['ffcr_change_requests']],
    ])
    // Of 20, the caller created one.
    expect((await get('projects/p1/change-requests/actionable')).body).toEqual({ total: 19 })
    expect((await get('search/change-requests')).body.total).toBe(59)
  })
})
