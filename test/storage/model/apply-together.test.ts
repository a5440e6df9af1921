import { ChangeRequestError } from '../../../src/index'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { inProcess, type Send } from './support/callers'
import { eventTypes, openRouter } from './support/hosts'
import { approved, enable, FlagTable, needApprovals, ok, reviewed, tally, to } from './support/walks'

const hosts = [
  { name: 'SQLite', database: sqlite, processes: 1 },
  { name: 'Postgres', database: postgres, processes: 1 },
  { name: 'Postgres, two processes', database: postgres, processes: 2 },
] as const

describe.each(hosts)('flags in the database of the change requests: $name', ({ database, processes }) => {
  let opened: OpenDatabase[]
  let flags: FlagTable
  let sends: Send[]
  let send: Send

  beforeEach(async () => {
    const first = await database.open()
    opened = [first, ...Array.from({ length: processes - 1 }, () => openAgain(first.place))]
    flags = new FlagTable(first.knex)
    await flags.create()
    sends = opened.map(({ storage, knex }, index) =>
      inProcess(openRouter(storage, { flags: index === 0 ? flags : new FlagTable(knex) })),
    )
    send = sends[0] as Send
  })
  afterEach(async () => {
    for (const { close } of opened.reverse()) await close()
  })

  const storage = () => (opened[0] as OpenDatabase).storage
  const atOnce = <Value>(count: number, make: (send: Send, index: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(sends[index % processes] as Send, index)))
  const present = async () => (await storage().find({ project: 'shop' }, 1))?.changeRequest

  it('50 concurrent applies: one 200, 49 rejected, one event, the flag is written once', async () => {
    await approved(send)
    const answers = await atOnce(50, (one, index) => to(one, index % 3 === 0 ? 'dora' : 'ben', 'Applied'))
    expect(tally(answers)).toEqual({ '200': 1, '409 ConflictError': 49 })
    expect(await flags.written()).toEqual({ on: ['checkout'], changes: ['checkout'] })
    expect((await eventTypes(storage())).slice(-3)).toEqual([
      'change-request-approved',
      'feature-environment-enabled',
      'change-request-applied',
    ])
  })

  it('20 concurrent approvals by two users with a minimum of three: two count, and it stays In review', async () => {
    await needApprovals(send, 3)
    await reviewed(send)
    const answers = await atOnce(20, (one, index) => to(one, index < 10 ? 'ben' : 'dora', 'Approved'))
    expect(tally(answers)).toEqual({ '200': 2, '409 ConflictError': 18 })
    const { state, approvals } = (await present()) ?? {}
    expect([state, approvals?.map(({ createdBy }) => createdBy.id).sort()]).toEqual(['In review', [2, 4]])
    const types = await eventTypes(storage())
    expect(types.filter((type) => type.startsWith('change-request-appro'))).toHaveLength(2)
    expect((await to(send, 'ben', 'Applied')).body.message).toContain('2 of 3')
  })

  it.each([
    {
      what: 'a ConflictError',
      error: () => new ChangeRequestError('ConflictError', 'Gone.'),
      status: 409,
      text: 'Gone.',
    },
    {
      what: 'any other error',
      error: () => new Error('secret'),
      status: 500,
      text: 'The flag gateway failed; nothing was applied.',
    },
    {
      what: 'a constraint error',
      error: () => Object.assign(new Error('secret'), { code: '23505' }),
      status: 500,
      text: 'The flag gateway failed',
    },
  ])(
    '$what of the gateway, after it wrote a row: $status, and everything is rolled back',
    async ({ error, status, text }) => {
      await approved(send, [enable(), enable('search')])
      const before = [await storage().find({ project: 'shop' }, 1), await eventTypes(storage()), await flags.written()]
      flags.midway = () => {
        throw error()
      }
      const answer = await to(send, 'ben', 'Applied')
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(text)])
      expect(JSON.stringify(answer.body)).not.toContain('secret')
      expect([
        await storage().find({ project: 'shop' }, 1),
        await eventTypes(storage()),
        await flags.written(),
      ]).toEqual(before)
      flags.midway = null
      await ok(to(send, 'ben', 'Applied'))
      expect(await flags.written()).toEqual({ on: ['checkout', 'search'], changes: ['checkout', 'search'] })
    },
  )

  it('the flags are read again in the transaction: nothing is applied if they changed after the check', async () => {
    await approved(send)
    const { current } = flags
    flags.current = async (subjects, options) => {
      const state = await current.call(flags, subjects, options)
      if (options !== undefined)
        for (const feature of state.features.values()) Object.assign(feature, { strategies: [] })
      return state
    }
    const answer = await to(send, 'ben', 'Applied')
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringContaining('no longer match what would be applied'),
    ])
    expect([await flags.written(), (await present())?.state]).toEqual([{ on: [], changes: [] }, 'Approved'])
  })

  it('a commit that fails after the gateway wrote rolls the flags back, and is no success', async () => {
    await approved(send)
    const [{ knex }] = opened as [OpenDatabase]
    const deferred = 'references host_flags (name) deferrable initially deferred'
    await knex.raw(`create table host_uses (flag varchar(255) ${deferred})`)
    if (database === sqlite) await knex.raw('pragma foreign_keys = on')
    flags.midway = async (transaction) => {
      await transaction('host_uses').insert({ flag: 'missing' })
    }
    expect((await to(send, 'ben', 'Applied')).status).toBe(500)
    expect((await present())?.state).toBe('Approved')
    expect(await flags.written()).toEqual({ on: [], changes: [] })
    expect((await eventTypes(storage())).at(-1)).toBe('change-request-approved')
  })

  it('a storage that fails after the gateway wrote rolls the flags back', async () => {
    await approved(send)
    const [{ storage: real }] = opened as [OpenDatabase]
    const broken: typeof real = {
      ...real,
      transaction: (work) =>
        real.transaction((transaction, inside) =>
          work(transaction, {
            ...inside,
            async commit(write) {
              await inside.commit(write)
              throw new Error('The storage fails after its last statement.')
            },
          }),
        ),
    }
    const failing = inProcess(openRouter(broken, { flags }))
    expect((await to(failing, 'ben', 'Applied')).status).toBe(500)
    expect((await present())?.state).toBe('Approved')
    expect(await flags.written()).toEqual({ on: [], changes: [] })
    expect((await eventTypes(storage())).at(-1)).toBe('change-request-approved')
    await ok(to(send, 'ben', 'Applied'))
  })

  it('an invalid event of the gateway is 500, and rolls everything back', async () => {
    await approved(send)
    const careless = new FlagTable((opened[0] as OpenDatabase).knex)
    const apply = careless.apply.bind(careless)
    careless.apply = async (changes, context) => {
      await apply(changes, context)
      return [{ type: 'no-such-type' as never }]
    }
    const answer = await to(inProcess(openRouter(storage(), { flags: careless })), 'ben', 'Applied')
    expect([answer.status, answer.name]).toEqual([500, 'UnknownError'])
    expect((await present())?.state).toBe('Approved')
    expect(await flags.written()).toEqual({ on: [], changes: [] })
  })

  it('never applies changes in the database that nobody approved', async () => {
    const [{ knex }] = opened as [OpenDatabase]
    for (const [id, alter] of Object.entries(alterations)) {
      await approved(send, [enable(), enable('search')])
      const row = await knex('ffcr_change_requests').where({ id }).first('document')
      const document = JSON.parse(row.document)
      document.changes = alter(document.changes)
      await knex('ffcr_change_requests')
        .where({ id })
        .update({ document: JSON.stringify(document) })
      const answer = await to(send, 'ben', 'Applied', Number(id))
      expect([answer.status, answer.body.message]).toEqual([
        409,
        expect.stringContaining('no longer match what would be applied'),
      ])
      await ok(to(send, 'ann', 'Cancelled', Number(id)))
    }
    expect(await flags.written()).toEqual({ on: [], changes: [] })
  })
})

interface StoredChange {
  readonly id: number
  readonly action: string
  readonly feature: string
  readonly payload: object
}

/** By the id of the change request. */
const alterations: { readonly [id: number]: (changes: [StoredChange, StoredChange]) => unknown[] } = {
  1: ([one, other]) => [{ ...one, payload: { enabled: false } }, other],
  2: ([one, other]) => [{ ...one, feature: 'search' }, other],
  3: ([one, other]) => [{ ...one, action: 'archiveFeature' }, other],
  4: ([one, other]) => [other, one],
  5: ([one]) => [one],
  6: ([one, other]) => [one, other, { ...other, id: other.id + 1000 }],
  7: ([one, other]) => [{ ...one, id: other.id + 1000 }, other],
}

describe('a gateway that ignores the transaction that it shares, on SQLite, whose pool has one connection', () => {
  it.each(['current', 'apply'] as const)(
    'in %s: the apply is aborted with the likely cause, and everything else continues',
    async (method) => {
      const opened = await sqlite.open()
      try {
        const flags = new FlagTable(opened.knex)
        await flags.create()
        const { current, apply } = flags
        let careless = true
        if (method === 'current')
          flags.current = (subjects, options) => current.call(flags, subjects, careless ? undefined : options)
        else {
          flags.apply = (changes, context) =>
            apply.call(flags, changes, careless ? { ...context, transaction: opened.knex } : context)
        }
        const lines: string[] = []
        const logger = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => void lines.push(text) }
        const send = inProcess(openRouter(opened.storage, { flags }))
        const limited = inProcess(openRouter(opened.storage, { flags, logger, limits: { hookTimeoutMs: 1_000 } }))
        await approved(send)
        const answer = await to(limited, 'ben', 'Applied')
        expect([answer.status, answer.name, answer.body.message]).toEqual([
          503,
          'UnavailableError',
          expect.stringContaining('Most likely it does not read and write through context.transaction'),
        ])
        expect(lines[0]).toMatch(/may have succeeded later: compare the flags with the change request/)
        const stored = await opened.storage.find({ project: 'shop' }, 1)
        expect(stored?.changeRequest.state).toBe('Approved')
        careless = false
        await ok(to(send, 'ben', 'Applied'))
      } finally {
        await opened.close()
      }
    },
  )
})
