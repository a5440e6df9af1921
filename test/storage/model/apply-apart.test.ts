import {
  type ApplicableChange,
  type ApplyContext,
  ChangeRequestError,
  type FlagGateway,
  memoryStorage,
  type Storage,
} from '../../../src/index'
import { postgres } from '../../support/databases'
import { inProcess, type Method } from './support/callers'
import { Clock, eventTypes, Flags, openRouter } from './support/hosts'
import { breaches } from './support/invariants'
import { approved, changeIds, enable, ok, propose, shop, tally, to } from './support/walks'

const stores = [
  { name: 'memory', open: async () => ({ storage: memoryStorage(), close: async () => {} }) },
  { name: 'Postgres', open: () => postgres.open() },
] as const

const timeout = 60_000

/** Remote flags. The process that calls them can die before or after they have applied the changes. */
class FarFlags extends Flags {
  /** How the next apply fails. */
  next: 'dies before' | 'dies after' | 'loses the response' | 'hangs' | null = null
  letGo = () => {}
  called: Promise<void>
  #call = () => {}

  constructor() {
    super()
    this.called = new Promise((resolve) => {
      this.#call = resolve
    })
  }

  override async apply(changes: readonly ApplicableChange[], context: ApplyContext) {
    const { next } = this
    this.next = null
    if (next === 'dies after' || next === 'loses the response') this.carryOut(changes, context)
    this.#call()
    if (next === 'loses the response') throw Object.assign(new Error('socket hang up'), { code: 'EOTHER' })
    if (next === 'dies before' || next === 'dies after') await new Promise(() => {})
    if (next === 'hangs') {
      await new Promise<void>((resolve) => {
        this.letGo = resolve
      })
    }
    return super.apply(changes, context)
  }
}

describe.each(stores)('a flag gateway without a shared transaction, on $name', ({ open }) => {
  let storage: Storage
  let close: () => unknown
  let clock: Clock
  let flags: FarFlags
  /** A new process of the host each time. */
  const process = (gateway: FlagGateway = flags) =>
    inProcess(openRouter(storage, { flags: gateway, clock: clock.now, limits: { applyTimeoutMs: timeout } }))
  const stored = async () => (await storage.find({ project: 'shop' }, 1))?.changeRequest
  const applied = async () => (await eventTypes(storage)).filter((type) => type === 'change-request-applied').length

  beforeEach(async () => {
    const opened = await open()
    storage = opened.storage
    close = () => opened.close()
    clock = new Clock()
    flags = new FarFlags()
  })
  afterEach(() => close())

  it('stores its intent first, and until it ends rejects every other write in every process', async () => {
    const answer = await approved(process())
    const [change = 0] = changeIds(answer)
    flags.next = 'hangs'
    const applying = to(process(), 'ben', 'Applied')
    await flags.called
    expect((await stored())?.applying).toMatchObject({
      startedAt: clock.now().toISOString(),
      by: { person: { id: 2 } },
    })
    const other = process()
    const own = `${shop}/change-requests/1`
    const writes: readonly (readonly ['ann' | 'dora', Method, string, unknown?])[] = [
      ['dora', 'PUT', `${own}/state`, { state: 'Applied' }],
      ['dora', 'PUT', `${own}/state`, { state: 'Cancelled' }],
      ['dora', 'PUT', `${own}/state`, { state: 'Approved' }],
      ['ann', 'PUT', `${own}/changes/${change}`, enable('search')],
      ['ann', 'DELETE', `${own}/changes/${change}`],
      ['ann', 'POST', `${shop}/environments/production/change-requests`, enable('search')],
      ['ann', 'PUT', `${own}/title`, { title: 'Sale' }],
      ['ann', 'POST', `${own}/comments`, { text: 'Stop!' }],
      ['ann', 'PUT', `${own}/approvers`, { reviewers: [2] }],
    ]
    const answers = await Promise.all(writes.map(([who, method, path, body]) => other(who, method, path, { body })))
    expect(tally(answers)).toEqual({ '409 ConflictError': writes.length })
    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(writes.map(() => '1'))
    const { status, body } = await other('ann', 'GET', own)
    expect([status, body.state]).toEqual([200, 'Approved'])
    flags.letGo()
    expect((await applying).body.state).toBe('Applied')
    expect((await stored())?.applying).toBeNull()
    expect(await breaches(storage, flags)).toEqual([])
  })

  it('finds out that the apply succeeded before its process died, and records it once', async () => {
    await approved(process())
    flags.next = 'dies after'
    void to(process(), 'ben', 'Applied')
    await flags.called
    expect((await to(process(), 'dora', 'Applied')).headers['retry-after']).toBe('1')
    clock.forward(timeout)
    const answers = [await to(process(), 'dora', 'Applied'), await to(process(), 'dora', 'Applied')]
    expect(answers.map(({ status, name }) => [status, name])).toEqual([
      [200, undefined],
      [409, 'ConflictError'],
    ])
    expect(answers[1]?.body.message).toBe('The change request is already Applied.')
    const { state, applying } = (await stored()) ?? {}
    expect([state, applying, flags.times(1), await applied()]).toEqual(['Applied', null, 1, 1])
    const events = (await eventTypes(storage)).slice(-2)
    expect(events).toEqual(['feature-environment-enabled', 'change-request-applied'])
    expect(await breaches(storage, flags)).toEqual([])
  })

  it('withdraws an attempt that was not applied, and applies again, once', async () => {
    await approved(process())
    flags.next = 'dies before'
    void to(process(), 'ben', 'Applied')
    await flags.called
    clock.forward(timeout - 1)
    expect((await to(process(), 'dora', 'Applied')).status).toBe(409)
    clock.forward(1)
    const answers = await Promise.all([process(), process(), process()].map((send) => to(send, 'dora', 'Applied')))
    expect(tally(answers)).toEqual({ '200': 1, '409 ConflictError': 2 })
    expect([flags.times(1), await applied()]).toEqual([1, 1])
    expect(await breaches(storage, flags)).toEqual([])
  })

  it('returns 409 with a hint when the gateway does not know the result of an attempt', async () => {
    await approved(process())
    flags.next = 'dies before'
    void to(process(), 'ben', 'Applied')
    await flags.called
    clock.forward(timeout)
    const { current, apply } = flags
    const silent = process({ current: current.bind(flags), apply: apply.bind(flags) })
    const answer = await to(silent, 'ben', 'Applied')
    expect([answer.status, answer.name]).toEqual([409, 'ConflictError'])
    expect(answer.body.message).toMatch(/being applied \(started at .* by ben@example.com.*settle/)
    expect([(await stored())?.state, flags.times(1)]).toEqual(['Approved', 0])
  })

  it('trusts the gateway, not the broken connection', async () => {
    await approved(process())
    flags.next = 'loses the response'
    expect((await ok(to(process(), 'ben', 'Applied'))).body.state).toBe('Applied')
    expect([flags.times(1), await applied()]).toEqual([1, 1])
  })

  it.each([
    { what: 'a ConflictError', fails: 'conflict', status: 409, message: 'The flags have moved on.' },
    { what: 'any other error', fails: 'error', status: 500, message: 'The flag gateway failed; nothing was applied.' },
  ] as const)('withdraws its intent after $what of the gateway: $status', async ({ fails, status, message }) => {
    await approved(process())
    flags.fails = fails
    const answer = await to(process(), 'ben', 'Applied')
    expect([answer.status, answer.body.message]).toEqual([status, message])
    const { state, applying } = (await stored()) ?? {}
    expect([state, applying, flags.times(1), await applied()]).toEqual(['Approved', null, 0, 0])
    await ok(to(process(), 'ben', 'Applied'))
    expect(await breaches(storage, flags)).toEqual([])
  })

  it.each(['ECONNREFUSED', '40001', '23505'])(
    'does not take %s of the gateway for a failure of the database',
    async (code) => {
      await approved(process())
      let calls = 0
      const broken = {
        current: flags.current.bind(flags),
        async apply() {
          calls += 1
          throw Object.assign(new Error('secret'), { code })
        },
        outcome: flags.outcome.bind(flags),
      }
      const answer = await to(process(broken), 'ben', 'Applied')
      expect([answer.status, answer.body.message, calls]).toEqual([
        500,
        'The flag gateway failed; nothing was applied.',
        1,
      ])
    },
  )

  it('keeps its intent if the result of a failed call is unknown: nothing is applied twice', async () => {
    await approved(process())
    let calls = 0
    const mute = {
      current: flags.current.bind(flags),
      async apply() {
        calls += 1
        throw new Error('socket hang up')
      },
    }
    const answer = await to(process(mute), 'ben', 'Applied')
    expect([answer.status, answer.body.message]).toEqual([
      500,
      expect.stringMatching(/it is unknown whether the changes were applied.*until an operator of this server ends/),
    ])
    clock.forward(timeout)
    expect([(await to(process(mute), 'ben', 'Applied')).status, calls]).toEqual([409, 1])
    await ok(to(process(), 'ben', 'Applied'))
    expect([flags.times(1), await applied()]).toEqual([1, 1])
  })

  it('blocks no other call while a gateway is slow, not even in the same process', async () => {
    await approved(process())
    const busy = process()
    flags.next = 'hangs'
    const applying = to(busy, 'ben', 'Applied')
    await flags.called
    expect((await busy('ann', 'POST', `${shop}/change-requests/1/comments`, { body: { text: 'Well?' } })).status).toBe(
      409,
    )
    flags.letGo()
    expect((await applying).body.state).toBe('Applied')
  })

  it('returns the error of the gateway even if the gateway does not report outcomes', async () => {
    await approved(process())
    const refusing = {
      current: flags.current.bind(flags),
      apply: async () => {
        throw new ChangeRequestError('ConflictError', 'Not today.')
      },
    }
    expect((await to(process(refusing), 'ben', 'Applied')).body.message).toBe('Not today.')
    expect((await stored())?.applying).toBeNull()
  })

  it('returns 500 for an invalid event of the gateway', async () => {
    await approved(process())
    const careless = {
      current: flags.current.bind(flags),
      apply: async () => [{ type: 'no-such-type' as never }],
      outcome: flags.outcome.bind(flags),
    }
    const answer = await to(process(careless), 'ben', 'Applied')
    expect([answer.status, answer.name]).toEqual([500, 'UnknownError'])
  })

  it('of 50 concurrent applies in two processes one gets 200 and 49 are rejected; the gateway is called once', async () => {
    await approved(process())
    const both = [process(), process()]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => to(both[index % 2] as (typeof both)[0], 'ben', 'Applied')),
    )
    expect(tally(answers)).toEqual({ '200': 1, '409 ConflictError': 49 })
    expect([flags.times(1), await applied()]).toEqual([1, 1])
    expect((await propose(process())).body.id).not.toBe(1)
    expect(await breaches(storage, flags)).toEqual([])
  })
})
