import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'
import { type EventFixture, type Reader, startEventFixture } from './support/readers-fixture'

const names = [
  { id: -1337, name: 'unleash_system_user' },
  { id: -42, name: 'unleash_admin_token' },
  { id: 1, name: 'ann@example.com' },
  { id: 2, name: 'Old Ben' },
]

describe('GET /api/admin/event-creators', () => {
  let app: EventFixture

  beforeAll(async () => {
    app = await startEventFixture()
  })

  afterAll(() => app.close())

  it('returns the creators of events by id, with the name in their newest event', async () => {
    const { status, headers, body } = await app.get('/event-creators')
    expect([status, body]).toEqual([200, names])
    expect(violations('event-creators', body)).toEqual([])
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  })

  it.each<[Reader, readonly object[]]>([
    ['admin', names],
    ['auditor', names],
    ['ofShop', names.slice(2)],
    ['adminOfShop', names.slice(2)],
    ['ofShopAndBlog', names.slice(2)],
    ['ofWiki', []],
    ['ofShopInProduction', []],
    ['authorInShop', []],
    ['nobody', []],
  ])('shows %s the creators of readable events', async (reader, expected) => {
    const { status, body } = await app.get('/event-creators', reader)
    expect([status, body]).toEqual([200, expected])
  })
})

describe('GET /api/admin/event-creators with a directory of users', () => {
  it('is 503 when the directory fails', async () => {
    let fails = false
    const users = {
      find: () => {
        if (fails) throw new Error('out of order')
        return []
      },
      reviewers: () => [],
    }
    const app = await startEventFixture({ users })
    try {
      fails = true
      const path = '/api/admin/event-creators'
      const answer = await sendRaw(app.port, { method: 'GET', path, headers: { Authorization: 'admin' } })
      expectRefusal(answer, 503, 'UnavailableError')
      expect(answer.text).not.toContain('out of order')
    } finally {
      await app.close()
    }
  })
})
