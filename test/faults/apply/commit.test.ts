import { enable, startApp, type TestApp } from '../../support/app'
import { databases, type OpenDatabase } from '../../support/databases'
import { flaws, readStore } from '../support/store'

const nothing = { requests: [], events: [], counts: [] }

/** Make the insert of each change-added event fail. */
const refusingEvents = {
  SQLite: [
    `create trigger trap before insert on ffcr_events when new.type = 'change-added'
     begin select raise(abort, 'trap'); end`,
  ],
  Postgres: [
    `create function trap() returns trigger language plpgsql as $$ begin raise 'trap'; end $$`,
    `create trigger trap before insert on ffcr_events for each row when (new.type = 'change-added')
     execute function trap()`,
  ],
}

/** Let each statement through, and make COMMIT fail. */
const refusingCommits = {
  SQLite: [
    'create table land (id integer primary key)',
    'create table trap (id integer references land (id) deferrable initially deferred)',
    'create trigger trap after insert on ffcr_events begin insert into trap values (new.id); end',
  ],
  Postgres: [
    `create function trap() returns trigger language plpgsql as $$ begin raise 'trap'; end $$`,
    `create constraint trigger trap after insert on ffcr_events deferrable initially deferred
     for each row execute function trap()`,
  ],
}

describe.each(databases)('a commit that the database rejects, on $name', ({ name, open }) => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await open()
    app = await startApp({ storage: database.storage })
  })

  afterEach(async () => {
    await app.close()
    await database.close()
  })

  async function set(trap: readonly string[]) {
    for (const text of trap) await database.knex.raw(text)
  }

  it.each([
    ['at an event', refusingEvents],
    ['at COMMIT', refusingCommits],
  ])('%s stores neither change nor event, and returns 500', async (_, traps) => {
    await set(traps[name])
    const answer = await app.propose([enable('checkout'), enable('search')])
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('trap')
    expect(await readStore(database.place.knex)).toEqual(nothing)
  })

  it.each([
    ['at an event', refusingEvents],
    ['at COMMIT', refusingCommits],
  ])('%s leaves a change request unchanged', async (_, traps) => {
    await app.propose(enable('checkout')).expect(200)
    const before = await readStore(database.place.knex)
    await set(traps[name])
    await app.propose(enable('search')).expect(500)
    expect(await readStore(database.place.knex)).toEqual(before)
    expect(flaws(before)).toEqual([])
  })

  it('does not fail the writes that share its transaction', async () => {
    await set(refusingEvents[name])
    const event = { type: 'feature-created', createdBy: 'ann@example.com' } as const
    const [refused, ...others] = await Promise.allSettled([
      app.propose(enable('checkout')),
      app.router.events.record({ ...event, project: 'shop' }),
      app.router.events.record({ ...event, project: 'shop' }),
    ])
    expect(refused).toMatchObject({ status: 'fulfilled', value: { status: 500 } })
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    const store = await readStore(database.place.knex)
    expect(store.events.map(({ type }) => type)).toEqual(['feature-created', 'feature-created'])
    expect(flaws(store)).toEqual([])
  })
})
