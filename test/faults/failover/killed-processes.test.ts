import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'
import { nightly } from '../../support/nightly'
import { type FailoverApp, startFailoverApp } from '../support/failover-app'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres'
import { mark, type Server, startServer, until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

const durationMs = 5 * 60_000
const killEveryMs = 10_000
const processes = 3
const callersPerProcess = 50
const perChangeRequest = 50

/** @see reliability P3 */
nightly('three processes on one Postgres, of which one is killed every 10 s', () => {
  let postgres: OwnPostgres
  let follower: FailoverApp
  const servers: Server[] = []

  beforeAll(async () => {
    postgres = await startOwnPostgres()
    follower = await startFailoverApp(postgres.url)
    await follower.router.migrate()
    for (let index = 0; index < processes; index += 1) servers.push(await start())
  })

  afterAll(async () => {
    for (const server of servers) await server.kill()
    await follower?.close()
    await postgres?.end()
  })

  const start = () => startServer({ knex: { client: 'pg', connection: postgres.url }, storage: longTimeoutStorage })

  it('lose and double nothing, and a follower sees each event once, in order', async () => {
    const acknowledged: string[] = []
    const surprises: string[] = []
    let isEnded = false

    /** True for a 200; the process may have been killed before it answered. */
    async function propose(flag: string, user: number, round: number, server: Server): Promise<boolean> {
      const path = `/api/admin/projects/shop/environments/${Math.floor(round / perChangeRequest)}/change-requests`
      const headers = { 'Content-Type': 'application/json', 'x-user': String(user), 'Idempotency-Key': flag }
      const request = { method: 'POST', headers, body: JSON.stringify(mark(flag)) }
      const answer = await fetch(`${server.url}${path}`, request).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer !== undefined && text !== undefined && ![200, 503].includes(answer.status)) surprises.push(text)
      return answer?.status === 200 && text !== undefined
    }

    async function call(caller: number): Promise<void> {
      for (let round = 0; !isEnded; round += 1) {
        const flag = randomUUID()
        for (let attempt = 0; ; attempt += 1) {
          const server = servers[(caller + attempt) % processes] as Server
          if (await propose(flag, caller + 1, round, server)) break
          await setTimeout(20)
        }
        acknowledged.push(flag)
      }
    }

    const seen: number[] = []
    const leaving = new AbortController()
    const following = (async () => {
      for await (const { id } of follower.router.events.follow({ after: 0, signal: leaving.signal })) seen.push(id)
    })()
    const calling = Promise.all(Array.from({ length: processes * callersPerProcess }, (_, caller) => call(caller)))
    for (let kills = 0; kills < durationMs / killEveryMs; kills += 1) {
      await setTimeout(killEveryMs)
      await servers[kills % processes]?.kill()
      servers[kills % processes] = await start()
    }
    isEnded = true
    await calling

    expect(surprises).toEqual([])
    const store = await readStore({ client: 'pg', connection: postgres.url })
    expect(flaws(store)).toEqual([])
    expect(flags(store).sort()).toEqual([...acknowledged].sort())
    await until(() => seen.length >= store.events.length)
    expect(seen).toEqual(store.events.map(({ id }) => id))
    leaving.abort()
    await following
    console.log(`${acknowledged.length} proposals acknowledged, ${durationMs / killEveryMs} processes killed`)
  })
})
