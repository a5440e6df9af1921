import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consumerApp } from '../../support/consumers/consumer-app'
import { databases, type OpenDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { listening, type Server, seeded, until } from '../support/server'

const kills = runs(2)
const total = isNightly ? 20_000 : 1_000
const processes = 3

const consumers = [
  { name: 'whole', batchSize: 50, way: 'whole' },
  { name: 'single', batchSize: 1, way: 'whole' },
  { name: 'done', batchSize: 100, way: 'done' },
  { name: 'throws', batchSize: 20, way: 'throws' },
  { name: 'hangs', batchSize: 300, way: 'hangs' },
] as const

/** @see reliability P17 */
describe.each(databases)(
  `${consumers.length} consumers, with ${processes} processes that are killed, on $name`,
  (database) => {
    let open: OpenDatabase
    let folder: string
    const running: Promise<Server>[] = []

    beforeEach(async () => {
      open = await database.open()
      folder = mkdtempSync(join(tmpdir(), 'change-requests-consumers-'))
    })
    afterEach(async () => {
      const servers = await Promise.all(running.splice(0))
      await Promise.all(servers.map((server) => server.kill()))
      await open.close()
      rmSync(folder, { recursive: true })
    })

    const start = () => {
      const limits = { ...longTimeoutLimits, consumerLeaseMs: 3_000, consumerTimeoutMs: 1_000, followPollMs: 50 }
      const config = { ...open.place, folder, consumers, limits }
      return listening([process.execPath, join(__dirname, 'consumer-server.cjs'), JSON.stringify(config)])
    }
    const handled = (name: string) => {
      const file = join(folder, name)
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
      return lines.map((line) => line.split(' ').map(Number) as [id: number, pid: number])
    }

    it(`handle each event at least once, in order, without a gap (SEED=${seed})`, async () => {
      const random = seeded(seed)
      const app = consumerApp(open.storage)
      for (let index = 0; index < processes; index += 1) running.push(start())
      await Promise.all(running)
      let written = 0
      let isOver = false
      const writing = (async () => {
        while (written < total || !isOver) {
          await app.record(20)
          written += 20
          await new Promise((resolve) => setTimeout(resolve, written < total ? 5 : 100))
        }
      })()
      for (let kill = 1; kill <= kills; kill += 1) {
        await new Promise((resolve) => setTimeout(resolve, isNightly ? 3_000 : 300 + 400 * random()))
        const index = Math.floor(random() * running.length)
        await (await running[index])?.kill()
        running[index] = start()
      }
      isOver = true
      await writing
      const { lastId } = await open.storage.eventHead({})
      await until(() => consumers.every(({ name }) => handled(name).some(([id]) => id === lastId)))
      for (const { name, batchSize, way } of consumers) {
        let highest = 0
        const last = new Map<number, number>()
        const late = new Map<number, number>()
        const gaps: string[] = []
        const repeats: string[] = []
        for (const [id, pid] of handled(name)) {
          if (id > highest + 1) gaps.push(`${highest} to ${id}`)
          // A process whose disk blocks it for longer than its lease ends its batch after others have handled it.
          const isBehind = highest - id >= batchSize
          const isContinued = last.get(pid) === id - 1
          late.set(pid, isBehind ? (late.get(pid) ?? 0) + (isContinued ? 1 : Number.POSITIVE_INFINITY) : 0)
          if ((late.get(pid) ?? 0) > batchSize) repeats.push(`${highest} to ${id} in process ${pid}`)
          last.set(pid, id)
          highest = Math.max(highest, id)
        }
        expect([name, gaps]).toEqual([name, []])
        expect(highest).toBe(lastId)
        if (way === 'whole') expect([name, repeats]).toEqual([name, []])
      }
      const states = (await app.router.health()).consumers.items
      expect(states.map(({ reason, skipped }) => [reason, skipped])).toEqual(consumers.map(() => [null, null]))
      const errors = (await Promise.all(running)).map((server) => server.errors())
      expect(errors).toEqual(errors.map(() => ''))
      await expectConsistent(open.storage)
    })
  },
)
