import { databases, type OpenDatabase, postgres } from '../../support/databases'
import { servers } from '../../support/databases/handles'
import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { Gate } from '../support/gate'
import { mark, propose, startServer, until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

const changes = [mark('checkout'), mark('search')]
/** The first are those of the databases. */
const kinds = isNightly ? servers : servers.slice(0, databases.length)

describe.each(kinds)('a process that dies in a commit, on $title', (kind) => {
  const notYet = kind.name === 'SQLite' ? ['before the events', 'before COMMIT'] : ['before COMMIT']

  it.each(notYet)('stores nothing when it dies %s', async (point) => {
    await dieAt(kind, point, async (database) => {
      expect(await readStore(database.place.knex)).toEqual({ requests: [], events: [], counts: [] })
      await expectConsistent(database.storage)
    })
  })

  it.each(['after COMMIT', 'before the response'])('stores everything when it dies %s', async (point) => {
    await dieAt(kind, point, async (database) => {
      const store = await readStore(database.place.knex)
      expect(flags(store)).toEqual(['checkout', 'search'])
      expect(store.events.map(({ type }) => type)).toEqual(['change-request-created', 'change-added', 'change-added'])
      expect(flaws(store)).toEqual([])
      const next = await startServer({ ...database.place, ...kind.opened })
      expect((await propose(next, mark('third'))).status).toBe(200)
      expect(flags(await readStore(database.place.knex))).toEqual(['checkout', 'search', 'third'])
      await expectConsistent(database.storage)
      await next.kill()
    })
  })
})

describe('a process that dies while the server of Postgres runs its commit', () => {
  it('stores the change with its events', async () => {
    const database = await postgres.open()
    const gate = await Gate.build(database, 'shop')
    const server = await startServer(database.place)
    try {
      await gate.close()
      const answer = propose(server, changes).catch(() => 'gone')
      await until(async () => (await gate.waiting()) === 1)
      await server.kill()
      expect(await answer).toBe('gone')
      expect(flags(await readStore(database.place.knex))).toEqual([])
      await gate.open()
      await until(async () => flags(await readStore(database.place.knex)).length > 0)
      const store = await readStore(database.place.knex)
      expect(flags(store)).toEqual(['checkout', 'search'])
      expect(flaws(store)).toEqual([])
      await expectConsistent(database.storage)
    } finally {
      await gate.open()
      await server.kill()
      await database.close()
    }
  })
})

/** Kills a server at this point of its first commit, and passes its database to `look`. */
async function dieAt(kind: (typeof servers)[number], point: string, look: (database: OpenDatabase) => Promise<void>) {
  const database = await kind.open({ migrate: false })
  const mortal = await startServer({ ...database.place, ...kind.opened, point })
  try {
    await expect(propose(mortal, changes)).rejects.toThrow('fetch failed')
    await mortal.gone()
    expect(mortal.ended()).toBe('SIGKILL')
    await look(database)
  } finally {
    await mortal.kill()
    await database.close()
  }
}
