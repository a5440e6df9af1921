import { type FlagGateway, type Logger, memoryStorage, type Storage } from '../../../src'
import { inProcess } from '../../storage/model/support/callers'
import { eventTypes, openRouter } from '../../storage/model/support/hosts'
import { approved, enable, ok, reviewed, shop, to } from '../../storage/model/support/walks'
import { HostFlags } from '../support/flags'

const own = `${shop}/change-requests/1`

function recorder() {
  const lines: { level: string; text: string; err: unknown }[] = []
  const at = (level: string) => (facts: object, text: string) =>
    void lines.push({ level, text, err: (facts as { err?: unknown }).err })
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { lines, logger }
}

describe('a flag gateway that alters what it is given', () => {
  it.each(['succeeds', 'fails'])('and %s leaves the stored change request as it was', async (end) => {
    const storage = memoryStorage()
    const flags = new HostFlags()
    flags.apply = async (changes) => {
      for (const { payload } of changes) Object.assign(payload as object, { enabled: false, meddled: true })
      flags.strategies.push({ id: 'meddled', name: 'default', disabled: true })
      if (end === 'fails') throw new Error('out of order')
      return []
    }
    const send = inProcess(openRouter(storage, { flags }))
    const update = { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1' } }
    await approved(send, [enable(), update])
    const before = await storage.find({ project: 'shop' }, 1)
    expect((await to(send, 'ben', 'Applied')).status).toBe(end === 'fails' ? 500 : 200)
    const after = await storage.find({ project: 'shop' }, 1)
    expect(after?.changeRequest.changes.map(({ payload }) => payload)).toEqual(
      before?.changeRequest.changes.map(({ payload }) => payload),
    )
  })

  it('keeps snapshots of what was, also where its answers are its own objects', async () => {
    const storage = memoryStorage()
    const flags = new HostFlags()
    const strategy = { id: 's1', name: 'default', disabled: false, title: 'before' }
    flags.strategies = [strategy]
    flags.apply = async () => {
      strategy.title = 'after'
      return []
    }
    const send = inProcess(openRouter(storage, { flags }))
    await approved(send, [{ action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'after' } }])
    const { body } = await ok(to(send, 'ben', 'Applied'))
    expect(body.features[0].changes[0].payload.snapshot.title).toBe('before')
  })
})

describe('a flag gateway that answers something else than it promises', () => {
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['nothing', undefined, /flags.current answered undefined as an answer; it must be an object/],
    [
      'an object of features',
      { features: {}, segments: new Map() },
      /answered an object as features; it must be a Map/,
    ],
    ['no segments', { features: new Map() }, /answered undefined as segments; it must be a Map/],
    [
      'a flag without booleans',
      { features: new Map([['checkout', { archived: 0, enabled: 1 }]]), segments: new Map() },
      /answered an object as the flag "checkout"; it must be an object with the booleans/,
    ],
    [
      'strategies without ids',
      { features: new Map([['checkout', { archived: false, enabled: true, strategies: [{}] }]]), segments: new Map() },
      /as the strategies of "checkout"; it must be a list of objects with an id/,
    ],
    [
      'a segment without a name',
      { features: new Map(), segments: new Map([[4, {}]]) },
      /an object as the segment "4"; it must be an object with a name/,
    ],
  ]

  it.each(wrong)(
    'from current, such as %s: 500, and the log says what came and what was expected',
    async (_, answer, said) => {
      const { lines, logger } = recorder()
      const flags = new HostFlags()
      const send = inProcess(openRouter(memoryStorage(), { flags, logger }))
      await reviewed(send)
      flags.instead = async () => answer as never
      const read = await send('ben', 'GET', own)
      expect([read.status, read.name]).toEqual([500, 'UnknownError'])
      expect(lines.at(-1)?.text).toMatch(said)
      expect(JSON.stringify(read.body)).not.toContain('flags.current')
    },
  )

  it.each([undefined, {}, [undefined], 'done'])('from apply, such as %p: 500, and the log says so', async (answer) => {
    const { lines, logger } = recorder()
    const storage = memoryStorage()
    const flags = new HostFlags()
    flags.apply = async () => answer as never
    const send = inProcess(openRouter(storage, { flags, logger }))
    await approved(send)
    expect((await to(send, 'ben', 'Applied')).status).toBe(500)
    expect(String(lines.at(-1)?.err)).toMatch(/flags.apply answered .* it must be a list of flag events, \[\] for none/)
    // The gateway says by outcome() that nothing was carried out.
    expect((await storage.find({ project: 'shop' }, 1))?.changeRequest.applying).toBeNull()
  })
})

describe('an application that broke off, of a gateway that cannot tell its outcome', () => {
  let storage: Storage
  let now: number

  beforeEach(() => {
    storage = memoryStorage()
    now = Date.parse('2026-03-04T12:00:00.000Z')
  })

  const clock = () => new Date(now)
  const mute = (): FlagGateway => {
    const flags = new HostFlags()
    return {
      current: flags.current.bind(flags),
      apply: async () => {
        throw new Error('socket hang up')
      },
    }
  }
  const open = (options = {}) => openRouter(storage, { flags: mute(), clock, ...options })

  async function broken() {
    const router = open()
    const send = inProcess(router)
    await approved(send)
    expect((await to(send, 'ben', 'Applied')).status).toBe(500)
    return { router, send }
  }

  it('is warned of at construction', () => {
    const { lines, logger } = recorder()
    open({ logger })
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', text: expect.stringContaining('outcome()') })])
    openRouter(storage, { flags: new HostFlags(), logger })
    openRouter(storage, { flags: null, logger })
    expect(lines).toHaveLength(1)
  })

  it('is no dead end: settled as not applied, everything goes on as before', async () => {
    const { router, send } = await broken()
    now += 60_000
    await router.settle({ project: 'shop', id: 1, outcome: 'not-applied' })
    await ok(send('ann', 'POST', `${shop}/environments/production/change-requests`, { body: enable('search') }))
    expect((await eventTypes(storage)).at(-1)).toBe('change-added')
  })

  it('settled as applied, it stands in the log as any application, in the name of who began it', async () => {
    const { router, send } = await broken()
    now += 60_000
    const events = [{ type: 'feature-environment-enabled', featureName: 'checkout' }] as const
    await router.settle({ project: 'shop', id: 1, outcome: 'applied', events })
    expect((await send('ann', 'GET', own)).body.state).toBe('Applied')
    const { json } = await storage.eventPage({}, { before: Number.MAX_SAFE_INTEGER }, 2, true)
    expect(JSON.parse(`[${Buffer.from(json)}]`)).toEqual([
      expect.objectContaining({ type: 'change-request-applied', createdBy: 'ben@example.com', createdByUserId: 2 }),
      expect.objectContaining({ type: 'feature-environment-enabled', createdByUserId: 2, groupType: 'change-request' }),
    ])
  })

  it('is settled before its time only by force', async () => {
    const { router } = await broken()
    const settlement = { project: 'shop', id: 1, outcome: 'not-applied' } as const
    await expect(router.settle(settlement)).rejects.toThrow(/may still be under way/)
    await router.settle({ ...settlement, force: true })
    await expect(router.settle(settlement)).rejects.toThrow(/there is nothing to settle/)
  })

  it('is settled only where it is, and as one of two things', async () => {
    const { router } = await broken()
    await expect(router.settle({ project: 'blog', id: 1, outcome: 'applied' })).rejects.toThrow(/no change request 1/)
    await expect(router.settle({ project: 'shop', id: 1, outcome: 'maybe' as never })).rejects.toThrow(TypeError)
    const events = [{ type: 'no-such-type' as never }]
    const wrong = router.settle({ project: 'shop', id: 1, outcome: 'applied', events, force: true })
    await expect(wrong).rejects.toThrow(/no event/)
  })
})

/** Who may not is told so first, then who decides on another revision, and only then what the state is (11.4). */
describe('while an application is under way', () => {
  it.each(['Applied', 'Cancelled', 'Approved', 'Rejected', 'In review'] as const)(
    'PUT state %s: 403, then 412, then 409',
    async (state) => {
      const storage = memoryStorage()
      const flags = new HostFlags()
      flags.apply = () => new Promise(() => {})
      const send = inProcess(openRouter(storage, { flags, clock: () => new Date('2026-03-04T12:00:00.000Z') }))
      await approved(send)
      void to(send, 'ben', 'Applied')
      while ((await storage.find({ project: 'shop' }, 1))?.changeRequest.applying == null) {
        await new Promise(setImmediate)
      }
      const able = { Applied: 'ben', Cancelled: 'ann', Approved: 'dora', Rejected: 'dora', 'In review': 'ann' } as const
      const unable = { Applied: null, Cancelled: 'ben', Approved: 'ann', Rejected: 'ann', 'In review': 'ben' } as const
      const stale = { 'if-match': '"1-1"' }
      const stranger = unable[state]
      if (stranger !== null) expect((await to(send, stranger, state, 1, stale)).status).toBe(403)
      expect((await to(send, able[state], state, 1, stale)).status).toBe(412)
      const answer = await to(send, able[state], state)
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('being applied')])
    },
  )
})
