import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Limits } from '../../../src'
import { databases, type OpenDatabase } from '../../support/databases'
import { numberOf, openSource, type Source } from '../../support/events/event-source'
import { type WriterTask, writeEvents } from '../../support/events/event-writers'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { seeded, until } from '../support/server'

/** A follower that reconnects at random does so every few hundred. */
const total = 1_000 * runs(6)
const writers = 8

describe.each(databases)(`${writers} writers that wait before their commit, in two processes on $name`, ({ open }) => {
  let database: OpenDatabase
  let processes: FollowServer[]

  beforeAll(async () => {
    database = await open({ pool: { min: 0, max: 10 } })
    processes = await Promise.all([startProcess(database), startProcess(database, { followMs: 1_500 })])
  })

  afterAll(async () => {
    for (const { child } of processes ?? []) await kill(child)
    await database?.close()
  })

  it(`each follower sees every event once, in order, when it reconnects and when its process dies (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const [dying, lasting] = processes as [FollowServer, FollowServer]
    const followers = {
      'stays where it is': new Follower([lasting], ''),
      'is at the process that dies': new Follower([dying, lasting], ''),
      'reconnects at random': new Follower([dying, lasting], '', () => 1 + Math.floor(random() * 400)),
      'reconnects at random, with a filter': new Follower(
        [lasting],
        '?project=blog',
        () => 1 + Math.floor(random() * 40),
      ),
    }
    const all = Object.values(followers)
    const half = { writers: writers / 2, events: total / writers }
    const writing = Promise.all([
      writeEvents(database, { ...half, label: 'here' }, random),
      lasting.write({ ...half, label: 'there' }),
    ])
    await Promise.race([until(() => all.every(({ seen }) => seen.length > total / 50)), writing])
    await kill(dying.child)
    await writing

    const events = await stored(database)
    expect(events.length).toBe(total)
    const expected = events.map(({ id }) => id)
    const ofBlog = events.filter(({ project }) => project === 'blog').map(({ id }) => id)
    await until(() => all.every(({ position }) => position >= (expected.at(-1) ?? 0)))
    for (const follower of all) await follower.end()

    const { 'reconnects at random, with a filter': filtered, ...others } = followers
    for (const [name, { seen }] of Object.entries(others))
      expect([name, differences(seen, expected)]).toEqual([name, none])
    expect(differences(filtered.seen, ofBlog)).toEqual(none)
    expect(followers['is at the process that dies'].connections).toBeGreaterThan(1)
    for (const { connections } of [followers['reconnects at random'], filtered]) expect(connections).toBeGreaterThan(10)
    await expectConsistent(database.storage)
  })
})

const none = { missed: [], repeated: [], inOrder: true }

/** A short report, even if thousands are missing. */
function differences(seen: readonly number[], expected: readonly number[]) {
  const had = new Set(seen)
  const before = new Set<number>()
  return {
    missed: expected.filter((id) => !had.has(id)).slice(0, 20),
    repeated: seen.filter((id) => before.size === before.add(id).size).slice(0, 20),
    inOrder: seen.every((id, index) => index === 0 || id > (seen[index - 1] ?? 0)),
  }
}

async function stored({ knex, storage }: OpenDatabase): Promise<{ id: number; project: string }[]> {
  const { lastId } = await storage.eventHead({})
  const rows = await knex('ffcr_events').select('id', 'project').where('id', '<=', lastId).orderBy('id')
  return rows.map(({ id, project }) => ({ id: Number(id), project }))
}

interface FollowServer {
  readonly child: ChildProcess
  readonly url: string
  write(task: WriterTask): Promise<void>
}

/** A server in a separate process, which also writes on request. */
async function startProcess({ place }: OpenDatabase, limits: Partial<Limits> = {}): Promise<FollowServer> {
  const execArgv = ['--require', join(__dirname, '../../support/processes/processes-register.js')]
  const child = fork(
    join(__dirname, '../../support/events/follow-server.ts'),
    [JSON.stringify(place), JSON.stringify(limits)],
    {
      execArgv,
    },
  )
  const [port] = await once(child, 'message')
  return {
    child,
    url: `http://127.0.0.1:${port}/api/admin/events`,
    async write(task) {
      const answered = once(child, 'message')
      child.send(task)
      const [answer] = await answered
      if (answer !== 'done') throw new Error(answer)
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** A client that reconnects with the last id that it received when its stream ends or when it leaves. */
class Follower {
  readonly seen: number[] = []
  connections = 0
  #lastEventId = '0'
  #ended = false
  #source: Source | undefined
  readonly #running: Promise<void>

  constructor(servers: readonly FollowServer[], query: string, maxEvents?: () => number) {
    this.#running = this.#run(servers, query, maxEvents)
  }

  /** The id of the last event that it has received. */
  get position(): number {
    return numberOf(this.#source?.lastEventId() || this.#lastEventId)
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#source?.leave()
    await this.#running
  }

  async #run(servers: readonly FollowServer[], query: string, maxEvents?: () => number): Promise<void> {
    const isPermanent = maxEvents === undefined
    for (let round = 0; !this.#ended; round += 1) {
      const living = servers.filter(({ child }) => child.exitCode === null && child.signalCode === null)
      // A follower that never leaves uses the first server as long as that one lives.
      const { url = '' } = living[isPermanent ? 0 : round % living.length] ?? {}
      // A process may die before it answers.
      await this.#follow(`${url}${query}`, maxEvents?.()).catch(() => setTimeout(5))
    }
  }

  async #follow(url: string, maxEvents = Number.POSITIVE_INFINITY): Promise<void> {
    let left = maxEvents
    const source = await openSource(url, {
      headers: { 'Last-Event-ID': this.#lastEventId },
      onMessage: ({ lastEventId }) => {
        this.seen.push(numberOf(lastEventId))
        left -= 1
        if (left <= 0) source.leave()
      },
    })
    this.connections += 1
    this.#source = source
    if (this.#ended) source.leave()
    await source.ended
    this.#lastEventId = source.lastEventId() || this.#lastEventId
  }
}
