import { apiKeys, memoryStorage, type Permission, type User } from '../../../src'
import { enable, startApp, type TestApp } from '../../support/app'

const permissionsOf = {
  author: ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'],
  admin: ['ADMIN'],
  creator: ['CREATE_CHANGE_REQUEST'],
  approver: ['APPROVE_CHANGE_REQUEST'],
  applier: ['APPLY_CHANGE_REQUEST'],
  reader: ['READ_CHANGE_REQUEST'],
  stranger: [],
  machine: ['ADMIN'],
} as const satisfies Record<string, readonly Permission[]>
type Role = keyof typeof permissionsOf
const roles = Object.keys(permissionsOf) as Role[]

const placeOf = (permission: Permission) => {
  if (permission === 'ADMIN') return {}
  return permission === 'READ_CHANGE_REQUEST' ? { project: 'shop' } : { project: 'shop', environment: 'production' }
}
const keys = roles.map((role, index) => ({
  key: `key-of-${role}-0123456789`,
  user: { id: role === 'machine' ? null : index + 1, username: role },
  grants: permissionsOf[role].map((permission) => ({ permission, ...placeOf(permission) })),
}))
const keyOf = (role: Role) => `key-of-${role}-0123456789`
const reviewers: User[] = [
  { id: 2, username: 'admin' },
  { id: 4, username: 'approver' },
]

/** P stands for PermissionError, D for OperationDeniedError. */
const table: readonly { on: string; author: string[]; anyone: string[] }[] = [
  {
    on: 'In review',
    //        author  admin  creator  approver  applier  reader   stranger machine
    author: ['204', '204', '403 D', '403 P', '403 P', '403 P', '403 P', '403 D'],
    anyone: ['204', '204', '204', '204', '403 P', '403 P', '403 P', '403 D'],
  },
  {
    on: 'Draft',
    author: ['204', '404', '404', '404', '404', '404', '403 P', '404'],
    anyone: ['204', '404', '404', '404', '404', '404', '403 P', '404'],
  },
  {
    on: 'Cancelled',
    author: ['409', '409', '403 D', '403 P', '403 P', '403 P', '403 P', '403 D'],
    anyone: ['409', '409', '409', '409', '403 P', '403 P', '403 P', '403 D'],
  },
]

const bodies = {
  title: (role: Role) => ({ title: `by ${role}` }),
  approvers: (role: Role) => ({ reviewers: role === 'author' ? [2] : [2, 4] }),
}

describe.each(['author', 'anyone'] as const)('editDetails: %s', (editDetails) => {
  let app: TestApp

  beforeAll(async () => {
    const asked = {
      find: (ids: readonly number[]) => reviewers.filter(({ id }) => ids.includes(id)),
      reviewers: () => reviewers,
    }
    app = await startApp({ storage: memoryStorage(), authenticate: apiKeys(keys), users: asked, editDetails })
  })

  afterAll(() => app.close())

  async function send(method: string, path: string, role: Role, body?: object) {
    const answer = await fetch(`http://127.0.0.1:${app.port}/api/admin/projects/shop/change-requests/${path}`, {
      method,
      headers: { Authorization: keyOf(role), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async function make(state: string): Promise<number> {
    const { body } = await app.propose(enable(), { key: keyOf('author') })
    if (state !== 'Draft') await send('PUT', `${body.id}/state`, 'author', { state: 'In review' })
    if (state === 'Cancelled') await send('PUT', `${body.id}/state`, 'author', { state })
    return body.id
  }

  describe.each(table)('while it is $on', ({ on, ...expected }) => {
    it.each(['title', 'approvers'] as const)('the %s', async (what) => {
      const id = await make(on)
      const before = await send('GET', `${id}`, 'author')
      const seen: string[] = []
      for (const role of roles) {
        const { status, body } = await send('PUT', `${id}/${what}`, role, bodies[what](role))
        seen.push(`${status}${status === 403 ? (body.name === 'PermissionError' ? ' P' : ' D') : ''}`)
        if (what === 'title' && status === 204) {
          expect((await send('GET', `${id}`, 'author')).body.title).toBe(`by ${role}`)
        }
      }
      expect(seen).toEqual(expected[editDetails])
      const after = await send('GET', `${id}`, 'author')
      expect([after.body.approvals, after.body.state]).toEqual([before.body.approvals, on])
      if (on !== 'Cancelled') await send('PUT', `${id}/state`, 'author', { state: 'Cancelled' })
    })
  })

  it('allows editing, sending to review and cancelling only to the author', async () => {
    const id = await make('In review')
    const { body } = await send('GET', `${id}`, 'author')
    const change = `${id}/changes/${body.features[0].changes[0].id}`
    const seen = [
      (await send('PUT', change, 'creator', enable('search'))).body.name,
      (await send('DELETE', change, 'creator')).body.name,
      (await send('PUT', `${id}/state`, 'creator', { state: 'Cancelled' })).body.name,
    ]
    expect(seen).toEqual(Array(3).fill('OperationDeniedError'))
    await send('PUT', `${id}/state`, 'author', { state: 'Cancelled' })
  })
})

describe('PUT .../approvers', () => {
  const allowed = new Set([1, 2, 3])
  const people = [1, 2, 3, 4].map((id): User => ({ id, username: `user${id}` }))
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({
      storage: memoryStorage(),
      authenticate: ({ headers }) => ({ id: Number(headers.authorization) }),
      authorize: () => true,
      requiredApprovals: 2,
      users: {
        find: (ids) => people.filter(({ id }) => ids.includes(id)),
        reviewers: () => people.filter(({ id }) => allowed.has(id)),
      },
    })
  })

  afterAll(() => app.close())

  const send = (path: string, body: object, who = '1') =>
    fetch(`http://127.0.0.1:${app.port}/api/admin/projects/shop/change-requests/${path}`, {
      method: 'PUT',
      headers: { Authorization: who, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('accepts as approvers only requested users and those who have approved, even if they can no longer approve', async () => {
    const { id } = (await app.propose(enable(), { key: '1' })).body
    await send(`${id}/state`, { state: 'In review' })
    expect((await send(`${id}/approvers`, { reviewers: [2] })).status).toBe(204)
    expect((await send(`${id}/state`, { state: 'Approved' }, '3')).status).toBe(200)
    allowed.clear()
    allowed.add(1)
    const seen = []
    for (const reviewers of [[2], [2, 3], [2, 3, 1], [3, 4], [5]]) {
      seen.push((await send(`${id}/approvers`, { reviewers })).status)
    }
    expect(seen).toEqual([204, 204, 204, 400, 400])
  })
})
