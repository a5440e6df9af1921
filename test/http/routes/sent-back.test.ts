import { apiKeys, type FlagGateway, type FlagState, memoryStorage, type Storage } from '../../../src'
import { payloads } from '../../capabilities/proposals/fixtures/payloads'
import { startApp, type TestApp } from '../../support/app'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client without types reads them.
type Json = any

const admin = [{ permission: 'ADMIN' }]
const callers = {
  ann: { key: 'key-of-ann-0123456789', user: { id: 1, username: 'ann' }, grants: admin },
  ben: { key: 'key-of-ben-0123456789', user: { id: 2, username: 'ben', email: 'ben@example.com' }, grants: admin },
}
const people = [callers.ann.user, { ...callers.ben.user, name: 'Ben Ode' }]

/** All properties of an action, as submitted; an operator that is not known is accepted only if the target has it. */
const submitted = Object.entries(payloads).flatMap(([action, { accepted }]) =>
  accepted
    .filter((payload) => !JSON.stringify(payload ?? null).includes('A1_LATER'))
    .map((payload) => ({ action, feature: 'checkout', payload })),
)
const strategyIds = submitted.flatMap(({ payload }) => {
  const named = (Array.isArray(payload) ? payload : [payload]) as Json[]
  return named.flatMap((one) => (typeof one?.id === 'string' ? [one.id as string] : []))
})

/** Knows all targets of the changes; with `gone` none. */
function flagGateway(gone = false): FlagGateway {
  return {
    async current({ features, segments }): Promise<FlagState> {
      if (gone) return { features: new Map(), segments: new Map() }
      const strategies = strategyIds.map((id) => ({ id, name: 'default', disabled: false }))
      const state = { archived: false, enabled: true, strategies, variants: [] }
      return {
        features: new Map(features.map((name) => [name, state])),
        segments: new Map(segments.map((id) => [id, { name: `segment ${id}`, constraints: [] }])),
      }
    },
    apply: async () => [],
  }
}

/** The changes of a response as the page sends them: with all properties, under the name of their flag. */
function changesOf({ features, segments }: Json): Json[] {
  const ofFlags = features.flatMap(({ name, changes }: Json) => changes.map((one: Json) => ({ ...one, feature: name })))
  return [...ofFlags, ...segments.map((one: Json) => ({ ...one, feature: null }))]
}

const withoutSnapshot = ({ action, payload }: Json) => {
  const { snapshot: _, ...rest } = payload
  return { action, payload: Array.isArray(payload) ? payload : rest }
}

describe.each([{ gone: false }, { gone: true }])('a response can be sent back; missing targets: $gone;', ({ gone }) => {
  let storage: Storage
  let app: TestApp
  let places = 0

  beforeAll(async () => {
    storage = memoryStorage()
    app = await startApp({
      storage,
      authenticate: apiKeys(Object.values(callers)),
      users: { find: (ids) => people.filter(({ id }) => ids.includes(id)), reviewers: () => people },
      flags: flagGateway(gone),
      limits: { bodyBytes: 1e6, changesPerRequest: 500, changesPerChangeRequest: 5000 },
    })
  })

  afterAll(() => app.close())

  async function send(method: string, path: string, body?: unknown, who: keyof typeof callers = 'ann') {
    const answer = await fetch(`http://127.0.0.1:${app.port}/api/admin/projects/shop/${path}`, {
      method,
      headers: { Authorization: callers[who].key, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as Json }
  }

  async function granted(...sent: Parameters<typeof send>): Promise<Json> {
    const { status, body } = await send(...sent)
    if (status >= 300) throw new Error(`${sent[0]} ${sent[1]} answered ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** In a separate environment, so that it is a separate change request. */
  const propose = (body: unknown) => {
    places += 1
    return granted('POST', `environments/e${places}/change-requests`, body)
  }

  const move = (id: number, state: string, who: keyof typeof callers = 'ann') =>
    granted('PUT', `change-requests/${id}/state`, { state }, who)

  /** The change request as each route returns it. */
  async function answers(id: number): Promise<Json[]> {
    const lists = ['change-requests', 'change-requests/pending', 'change-requests/pending/checkout']
    const listed = await Promise.all(lists.map((path) => granted('GET', path)))
    const found = listed.flatMap((list) => list.filter((one: Json) => one.id === id))
    return [await granted('GET', `change-requests/${id}`), ...found]
  }

  async function expectBack(answer: Json): Promise<void> {
    const changes = changesOf(answer)
    const again = await propose(changes)
    expect(changesOf(again).map(withoutSnapshot)).toEqual(changes.map(withoutSnapshot))
    expect(JSON.stringify(again)).not.toContain('"snapshot"')
  }

  it('changes of every action, from every response of an open change request', async () => {
    const first = await propose(submitted)
    expect(changesOf(first)).toHaveLength(submitted.length)
    const found = await answers(first.id)
    expect(found).toHaveLength(4)
    for (const answer of [first, ...found]) {
      expect(changesOf(answer).some(({ conflict }) => conflict !== undefined)).toBe(gone)
      await expectBack(answer)
    }
  })

  it('each change as its own replacement', async () => {
    const { id, ...answer } = await propose(submitted)
    for (const change of changesOf(answer)) {
      const edited = await granted('PUT', `change-requests/${id}/changes/${change.id}`, change)
      const [last] = changesOf(edited).sort((one, other) => other.id - one.id)
      expect(withoutSnapshot(last)).toEqual(withoutSnapshot(change))
    }
  })

  it.each(gone ? ['Cancelled', 'Rejected'] : ['Applied', 'Cancelled', 'Rejected'])(
    'changes of what is %s, with the snapshots that they came with',
    async (state) => {
      const { id } = await propose(submitted)
      await move(id, 'In review')
      if (state === 'Applied') await move(id, 'Approved', 'ben')
      await move(id, state, state === 'Cancelled' ? 'ann' : 'ben')
      const found = await answers(id)
      expect(found).toHaveLength(2)
      for (const answer of found) {
        const snapshots = changesOf(answer).filter(({ payload }) => payload.snapshot !== undefined)
        expect(snapshots.length > 10).toBe(!gone)
        await expectBack(answer)
      }
    },
  )
})
