import { digestsOf, keepSeen, readSeen, type Seen } from '../../../src/page/app/core/tools/seen'

const place = (id: number) => ({ project: 'default', id })
const seen = (id: number, size = 1): Seen => ({
  at: '2026-11-20T11:05:30.112Z',
  changes: Object.fromEntries(Array.from({ length: size }, (_, at) => [id + at, 'a'.repeat(16)])),
  viewed: {},
})

describe('what a user has seen of change requests', () => {
  let items: Map<string, string>

  beforeEach(() => {
    items = new Map()
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    }
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'localStorage')
  })

  it('is kept for this user alone', () => {
    keepSeen(1, place(7), seen(7))
    expect(readSeen(1, place(7))).toEqual(seen(7))
    expect([readSeen(2, place(7)), readSeen(1, place(8))]).toEqual([undefined, undefined])
    expect([...items.keys()]).toEqual(['ecr-seen:1'])
  })

  it('is kept for the last 100 change requests with at most 200,000 characters; the oldest are dropped', () => {
    for (let id = 1; id <= 101; id++) keepSeen(1, place(id), seen(id))
    expect([1, 2, 101].map((id) => readSeen(1, place(id)) !== undefined)).toEqual([false, true, true])
    keepSeen(1, place(2), seen(2))
    for (let id = 200; id < 230; id++) keepSeen(1, place(id), seen(id, 500))
    expect([...items.values()].join('').length).toBeLessThanOrEqual(200_000)
    expect([2, 229].map((id) => readSeen(1, place(id)) !== undefined)).toEqual([false, true])
    keepSeen(1, place(300), seen(300, 10_000))
    expect([229, 300].map((id) => readSeen(1, place(id)))).toEqual([undefined, undefined])
  })

  it.each(['{', '{"a":1}', 'null', '[null]'])('is empty if the storage has %s', (text) => {
    items.set('ecr-seen:1', text)
    expect(readSeen(1, place(7))).toBeUndefined()
    keepSeen(1, place(7), seen(7))
    expect(readSeen(1, place(7))).toEqual(seen(7))
  })

  it('has short digests', () => {
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
    expect(digestsOf({ changes: [{ id: 7, digest }] as never })).toEqual({ 7: '0123456789abcdef' })
  })
})
