import { type ChangeRequestRouterOptions, memoryStorage, type Storage, type User } from '../../../src'
import { sampleChange, storedClosed } from '../../../src/testing/samples'
import { people, startApp, type TestApp } from '../../support/app'

const path = '/api/admin/projects/shop/change-requests'

/** Each fills a page. */
const large = (environment = 'production') => ({
  state: 'In review' as const,
  environment,
  userId: people.ann.user.id,
  changes: [sampleChange(1, { note: 'x'.repeat(800_000) })],
})

/** Fault T48: lists are read page by page, and so are the hooks called. */
describe('a list of several pages', () => {
  let app: TestApp | undefined
  let storage: Storage
  let asked: number
  let logged: unknown[]

  beforeEach(async () => {
    storage = memoryStorage()
    asked = 0
    logged = []
  })
  afterEach(() => app?.close())

  /** A user directory that fails at the n-th call. */
  async function start(failing = Number.POSITIVE_INFINITY, options: Partial<ChangeRequestRouterOptions> = {}) {
    const find = (ids: readonly number[]): User[] => {
      asked += 1
      if (asked === failing) throw new Error('The directory is gone.')
      return ids.map((id) => ({ id, username: `user-${id}`, email: `user-${id}@example.com` }))
    }
    const logger = { debug() {}, info() {}, warn() {}, error: (details: unknown) => void logged.push(details) }
    app = await startApp({ storage, users: { find, reviewers: () => [] }, logger, ...options })
  }

  const ask = (below = '', method = 'GET') =>
    fetch(`http://127.0.0.1:${app?.port}${path}${below}`, { method, headers: { Authorization: people.ann.key } })

  const idsOf = async (response: Response) => ((await response.json()) as { id: number }[]).map(({ id }) => id)

  it('is one JSON text, and calls the hooks once per page', async () => {
    for (let count = 0; count < 3; count += 1) await storedClosed(storage, large())
    await start()
    const response = await ask()
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    expect(await idsOf(response)).toEqual([3, 2, 1])
    expect(asked).toBe(3)
    const head = await ask('', 'HEAD')
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ])
  })

  it('closes the connection if a hook fails later, so that a partial list does not look complete', async () => {
    for (let count = 0; count < 3; count += 1) await storedClosed(storage, large())
    await start(2)
    const response = await ask()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(logged).toEqual([expect.objectContaining({ err: expect.any(Error), method: 'GET' })])
  })

  it('omits disabled environments, even if a page is empty', async () => {
    const environments = ['off', 'production', 'off', 'off', 'production', 'off']
    for (const environment of environments) await storedClosed(storage, large(environment))
    const settings = { changeRequestsEnabled: false, requiredApprovals: 1 }
    await storage.commitSettings({ project: 'shop', environment: 'off', settings, expectedVersion: 0, events: [] })
    await start()
    expect(await idsOf(await ask('/pending'))).toEqual([5, 2])
  })
})
