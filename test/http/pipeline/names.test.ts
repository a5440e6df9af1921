import { createHash } from 'node:crypto'
import { type Actor, apiKeys, memoryStorage, type User } from '../../../src'
import { enable, startApp, type TestApp } from '../../support/app'

const ann = { key: 'key-of-ann-0123456789', user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const keyOfBen = 'key-of-ben-0123456789'

const avatar = (of: string) =>
  `https://gravatar.com/avatar/${createHash('sha256').update(of).digest('hex')}?s=42&d=retro&r=g`

const project = '/projects/shop'
const requests = `${project}/change-requests`

/** Sends requests, by default as Ann, and returns the responses. */
function sender({ port }: TestApp) {
  return async (method: string, path: string, body?: object, Authorization = ann.key) => {
    const headers = { Authorization, 'Content-Type': 'application/json' }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`http://127.0.0.1:${port}/api/admin${path}`, sent)
    const text = await answer.text()
    expect([path, text, answer.status < 300]).toEqual([path, text, true])
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** The data of the host about Ben: the display name, the creator of events, the gravatar, the e-mail of a reviewer. */
type Row = readonly [user: Partial<User>, shown: string, signature: string, pictured: string, email: string]

const rows: readonly Row[] = [
  [
    { name: 'Ben Ode', email: 'Ben@Example.com', username: 'ben' },
    'Ben Ode',
    'Ben@Example.com',
    'ben@example.com',
    'Ben@Example.com',
  ],
  [{ name: null, email: 'b@example.com', username: 'ben' }, ...Array(4).fill('b@example.com')] as unknown as Row,
  [{ name: ' ', email: 'b@example.com' }, ...Array(4).fill('b@example.com')] as unknown as Row,
  [{ name: '', email: '', username: 'ben' }, 'ben', 'ben', 'ben', ''],
  [{ email: null, username: 'ben' }, 'ben', 'ben', 'ben', ''],
  [{ email: '\t ', username: 'ben', imageUrl: '' }, 'ben', 'ben', 'ben', ''],
  [{ name: 'Ben Ode', email: '', username: 'ben' }, 'Ben Ode', 'ben', 'ben', ''],
  [{ name: 'Ben Ode', email: '', username: ' ' }, 'Ben Ode', 'unknown', '2', ''],
]

describe.each(rows)('a person %j', (user, shown, signature, pictured, email) => {
  const ben: User = { id: 2, ...user }
  const imageUrl = avatar(pictured)

  it.each([
    ['as the directory describes them', { find: () => [ann.user, ben], reviewers: () => [ben] }],
    ['as stored with what they did', null],
  ])('has the same name in votes, comments, changes and among reviewers, %s', async (_, users) => {
    const app = await startApp({
      storage: memoryStorage(),
      authenticate: apiKeys([ann, { key: keyOfBen, user: ben as Actor, grants: ann.grants }]),
      users,
    })
    const send = sender(app)
    try {
      const { id } = await send('POST', `${project}/environments/production/change-requests`, enable())
      await send('PUT', `${requests}/${id}/state`, { state: 'In review' })
      if (users !== null) await send('PUT', `${requests}/${id}/approvers`, { reviewers: [2] })
      const body = { state: 'Approved', comment: 'Go.' }
      const answer = await send('PUT', `${requests}/${id}/state`, body, keyOfBen)
      expect(answer.approvals[0].createdBy).toEqual({ id: 2, username: shown, imageUrl })
      expect(answer.comments[0].createdBy).toEqual({ id: 2, username: shown, imageUrl })
      const reviewer = { id: 2, username: shown, name: user.name?.trim() || null, imageUrl, email }
      const expected = { reviewers: users === null ? [] : [reviewer] }
      expect(await send('GET', `${requests}/${id}/approvers`)).toEqual(expected)
      expect(await send('GET', `${requests}/available-reviewers/production`)).toEqual(expected)

      const own = await send('POST', `${project}/environments/moon/change-requests`, enable(), keyOfBen)
      expect(own.createdBy).toEqual({ id: 2, username: shown, imageUrl })
      expect(own.features[0].changes[0].createdBy).toEqual({ id: 2, username: shown, imageUrl })
      const { events } = await send('GET', '/search/events?createdBy=IS:2')
      expect(new Set(events.map(({ createdBy }: { createdBy: string }) => createdBy))).toEqual(new Set([signature]))
      const creators = await send('GET', '/event-creators')
      const fullName = users === null ? undefined : user.name?.trim()
      expect(creators).toContainEqual({ id: 2, name: fullName || signature })
    } finally {
      await app.close()
    }
  })
})

describe('a person without a name', () => {
  it('is unknown where a name is required, the same in votes and among reviewers', async () => {
    const nobody = { id: 2, name: '', email: '', username: '' }
    const app = await startApp({
      storage: memoryStorage(),
      authenticate: apiKeys([ann, { key: keyOfBen, user: nobody, grants: ann.grants }]),
      users: { find: () => [nobody], reviewers: () => [nobody] },
      gravatar: false,
    })
    const send = sender(app)
    try {
      const { body } = await app.propose(enable())
      await send('PUT', `${requests}/${body.id}/state`, { state: 'In review' })
      const vote = { state: 'Approved', comment: 'Go.' }
      const answer = await send('PUT', `${requests}/${body.id}/state`, vote, keyOfBen)
      expect(answer.approvals[0].createdBy).toEqual({ id: 2, username: 'unknown' })
      expect(answer.comments[0].createdBy).toEqual({ id: 2, username: null, imageUrl: null })
      const { reviewers } = await send('GET', `${requests}/available-reviewers/production`)
      expect(reviewers).toEqual([{ id: 2, username: 'unknown', name: null, email: '', imageUrl: null }])
    } finally {
      await app.close()
    }
  })
})

describe('GET /api/admin/event-creators', () => {
  it('treats an empty name as missing, in the log and in the directory', async () => {
    const users: User[] = [
      { id: 2, name: '', email: '', username: 'ben' },
      { id: 3, name: ' ', email: 'cleo@example.com', username: '' },
      { id: 4 },
    ]
    const app = await startApp({ storage: memoryStorage(), users: { find: () => users, reviewers: () => [] } })
    try {
      for (const { id } of users) {
        await app.router.events.record({ type: 'user-updated', createdBy: '', createdByUserId: id })
      }
      expect(await sender(app)('GET', '/event-creators')).toEqual([
        { id: 2, name: 'ben' },
        { id: 3, name: 'cleo@example.com' },
        { id: 4, name: 'unknown' },
      ])
    } finally {
      await app.close()
    }
  })
})
