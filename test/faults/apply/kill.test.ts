import { servers } from '../../support/databases/handles'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { mark, propose, type Server, seeded, startServer, until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

const kills = runs(2)
const clients = 8
const users = 6

describe.each(servers)('a 2xx response of a process that is killed at any moment, on $title', ({ open, opened }) => {
  it(`means that the changes are stored, each with its event (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const database = await open({ migrate: false })
    const acknowledged = new Set<string>()
    const config = { ...database.place, ...opened }
    let server = await startServer(config)
    try {
      for (let round = 1; round <= kills; round += 1) {
        const load = Array.from({ length: clients }, (_, client) => post(server, { round, client }, acknowledged))
        const enough = acknowledged.size + 1 + Math.floor(200 * random())
        await until(() => acknowledged.size >= enough)
        expect(server.ended()).toBeUndefined()
        await server.kill()
        await Promise.all(load)
        server = await startServer(config)
        const store = await readStore(database.place.knex)
        expect(flaws(store)).toEqual([])
        const stored = new Set(flags(store))
        expect([...acknowledged].filter((flag) => !stored.has(flag))).toEqual([])
        await expectConsistent(database.storage)
      }
      expect(acknowledged.size).toBeGreaterThan(kills)
      expect((await propose(server, mark('after-all'))).status).toBe(200)
    } finally {
      await server.kill()
      await database.close()
    }
  })
})

/** POSTs single changes and lists until the server is gone. Some clients share a change request. */
async function post(server: Server, { round, client }: { round: number; client: number }, acknowledged: Set<string>) {
  const place = { user: (client % users) + 1, environment: `round-${round}` }
  for (let count = 1; ; count += 1) {
    const names = Array.from({ length: (count % 4) + 1 }, (_, index) => `flag-${round}-${client}-${count}-${index}`)
    const changes = names.map(mark)
    const answer = await propose(server, changes.length === 1 ? changes[0] : changes, place).catch(() => undefined)
    if (answer === undefined) return
    if (answer.status === 200) for (const name of names) acknowledged.add(name)
    // A change request takes 500 changes; a client may use them up before the kill.
    else if (answer.status !== 400) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer().catch(() => undefined)
  }
}
