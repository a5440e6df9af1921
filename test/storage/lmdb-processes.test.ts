import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { lmdbStorage } from '../../examples/custom-storage/lmdb-storage'
import type { Storage } from '../../src/ports/storage/storage'
import { allData, allEvents, eventsOf, key, listedIds, stored } from '../../src/testing/samples'
import type { LmdbTask } from '../support/processes/lmdb-worker'

const support = join(__dirname, '../support')
const execArgv = ['--require', join(support, 'processes/processes-register.js')]
const worker = join(support, 'processes/lmdb-worker.ts')
const processes = 4

let path: string
let storage: Storage

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
  storage = lmdbStorage({ path })
  await storage.migrate()
})
afterEach(async () => {
  await storage.close()
  rmSync(path, { recursive: true })
})

/** The result of each process. All start concurrently on a store that is open here as well. */
async function together(work: LmdbTask['work'], rounds: number): Promise<number[][]> {
  const children = Array.from({ length: processes }, (_, index) =>
    fork(worker, [JSON.stringify({ path, work, rounds, label: `process ${index}` })], { execArgv }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  return Promise.all(
    children.map(async (child) => {
      const answered = once(child, 'message')
      child.send('go')
      const [[answers]] = await Promise.all([answered, once(child, 'exit')])
      return answers
    }),
  )
}

/** The ids in the order in which they are read while the processes write, until all have ended. */
async function follow(writing: Promise<unknown>): Promise<number[]> {
  const seen: number[] = []
  let ended = false
  void writing.finally(() => {
    ended = true
  })
  for (;;) {
    const last = ended
    const page = await storage.eventPage({}, { after: seen.at(-1) ?? 0 }, 50)
    seen.push(...eventsOf(page).map(({ id }) => id))
    if (last && page.count === 0) return seen
    await new Promise(setImmediate)
  }
}

describe(`${processes} processes on one LMDB store`, () => {
  it('get each id once, and a follower in another process sees every event once, in the order of the ids', async () => {
    const writing = together('append', 25)
    const seen = await follow(writing)
    const ids = (await writing).flat()

    expect(new Set(ids).size).toBe(processes * 25)
    expect(new Set(await listedIds(storage, { viewer: key.userId }))).toEqual(new Set(ids))
    expect(seen).toEqual(Array.from({ length: processes * 50 }, (_, index) => index + 1))
    expect((await allEvents(storage)).map(({ id }) => id)).toEqual(seen)
    expect(await storage.eventHead({ projects: [key.project] })).toMatchObject({
      lastId: expect.any(Number),
      total: 100,
    })
  })

  it('create one open change request for each key', async () => {
    const made = await together('open', 25)

    const winners = Array.from({ length: 25 }, (_, round) => made.reduce((sum, own) => sum + (own[round] ?? 0), 0))
    expect(winners).toEqual(winners.map(() => 1))
    expect((await listedIds(storage, { viewer: 3 })).length).toBe(1)
  })

  it('lose no step of one change request, and log the steps in their order', async () => {
    await stored(storage)
    const versions = (await together('step', 25)).flat()

    const all = Array.from({ length: processes * 25 }, (_, index) => index + 2)
    expect(versions.sort((one, other) => one - other)).toEqual(all)
    expect(await allData(storage)).toEqual(all)
  })
})

describe('a process that has just read', () => {
  it('sees immediately what another one commits', async () => {
    const before = storage.projects()
    // The event loop does not run in between, so only the read itself can refresh the snapshot.
    const task: LmdbTask = { path, work: 'append', rounds: 1, label: 'other' }
    execFileSync(process.execPath, [...execArgv, worker, JSON.stringify(task)])
    const after = storage.projects()

    expect([await before, await after]).toEqual([[], [key.project]])
  })
})

describe('a commit that finds the disk full', () => {
  it('is rejected with the system error, keeps the data, and ends no process', async () => {
    const task: LmdbTask = { path, work: 'fill', rounds: 20, label: 'full' }
    const limited = `trap '' XFSZ; ulimit -f 4000; exec "$0" "$@"`
    const args = ['-c', limited, process.execPath, ...execArgv, worker, JSON.stringify(task)]
    const { status, stdout } = spawnSync('sh', args, { encoding: 'utf8' })
    const answers = stdout.trim().split('\n').map(Number)
    const stored = answers.filter((answer) => answer === 1).length

    expect(status).toBe(0)
    expect(answers).toHaveLength(20)
    expect([...new Set(answers)]).toEqual([1, -constants.errno.EIO])
    expect(await listedIds(storage, { viewer: key.userId })).toHaveLength(stored)
    expect((await storage.eventHead({})).total).toBe(stored)
  })
})

const strace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const where = strace ? describe : describe.skip

where(`a commit that returned${strace ? '' : ' (skipped: strace cannot be run here)'}`, () => {
  it('was synced to the disk before', () => {
    const trace = join(path, 'trace')
    const task: LmdbTask = { path, work: 'fill', rounds: 10, label: 'traced' }
    const watched = ['-f', '-e', 'trace=fdatasync,fsync,write', '-o', trace, process.execPath]
    execFileSync('strace', [...watched, ...execArgv, worker, JSON.stringify(task)])
    const rounds = readFileSync(trace, 'utf8').split(/write\(1, "1\\n"/)

    expect(rounds).toHaveLength(11)
    expect(rounds.slice(0, 10).filter((calls) => !/\b(fsync|fdatasync)\(/.test(calls))).toEqual([])
  })
})
