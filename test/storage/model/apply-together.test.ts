import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { inProcess, type Send } from './support/callers'
import { eventTypes, openRouter } from './support/hosts'
import { approved, enable, FlagTable, ok, tally, to } from './support/walks'

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

describe('a gateway that ignores the transaction that it shares, on SQLite, whose pool has one connection', () => {})
