import { apiKeys, memoryStorage } from '../../../src'
import { enable, noon, startApp, type TestApp } from '../../support/app'

const names = ['ann', 'ben', 'cleo'] as const
type Name = (typeof names)[number]
const keyOf = (name: Name) => `key-of-${name}-0123456789`
const keys = names.map((username, index) => ({
  key: keyOf(username),
  user: { id: index + 1, username },
  grants: (['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const).map((permission) => ({
    ...{ permission, project: 'shop', environment: 'production' },
  })),
}))
const minutes = (count: number) => new Date(Date.parse(noon) + count * 60_000).toISOString()

/** Ben approves at noon; approvals count for an hour. */
describe('approvalsExpireAfterMs', () => {
  let app: TestApp
  let now = noon
  let id = 0

  beforeAll(async () => {
    app = await startApp({
      storage: memoryStorage(),
      authenticate: apiKeys(keys),
      recordOnly: true,
      schedule: 'elsewhere',
      approvalsExpireAfterMs: 3_600_000,
      clock: () => new Date(now),
    })
  })
  beforeEach(async () => {
    now = noon
    id = (await app.propose(enable(), { key: keyOf('ann') })).body.id
    await move('ann', { state: 'In review' })
    await move('ben', { state: 'Approved' })
  })
  afterEach(() => move('ann', { state: 'Cancelled' }))
  afterAll(() => app.close())

  async function send(method: string, path: string, name: Name, body?: object) {
    const response = await fetch(`http://127.0.0.1:${app.port}/api/admin/${path}`, {
      method,
      headers: { Authorization: keyOf(name), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the tests assert what the body holds.
    return { status: response.status, body: (await response.json()) as any }
  }
  const move = (name: Name, body: object) => send('PUT', `projects/shop/change-requests/${id}/state`, name, body)
  const review = async () => (await send('GET', `projects/shop/change-requests/${id}/review`, 'ben')).body

  it('shows in the review when approvals expire, and those that have expired', async () => {
    const before = await review()
    expect(before.requirements[0]).toMatchObject({ given: 1, expired: 0, expiresAt: minutes(60) })
    now = minutes(60)
    const after = await review()
    expect(after.requirements[0]).toMatchObject({ given: 0, expired: 1, expiresAt: null, approvedBy: [] })
    expect(after.votes.map(({ current }: { readonly current: boolean }) => current)).toEqual([false])
    expect(after.voidedApprovals).toEqual([
      { by: expect.objectContaining({ id: 2 }), at: minutes(60), cause: 'expired', causedBy: null },
    ])
    expect(after.changeRequest.approvals).toEqual(before.changeRequest.approvals)
  })
})
