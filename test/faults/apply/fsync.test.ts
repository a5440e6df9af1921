import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { mark, propose, startServer } from '../support/server'

const strace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const where = strace ? describe : describe.skip
const reason = strace ? '' : ' (skipped: strace cannot be run here)'

where(`a 2xx response on SQLite, when the power fails right after it${reason}`, () => {
  it('means that the commit is on the disk: it was synced before the response', async () => {
    const synced = await syncsPerPost('full')
    expect(synced).toHaveLength(20)
    expect(Math.min(...synced)).toBeGreaterThanOrEqual(1)
  })

  it('can lose the last commits with durability "normal", which syncs none', async () => {
    expect(await syncsPerPost('normal')).toEqual(Array(20).fill(0))
  })
})

/** How often the server synced a file between each of 20 requests and its response. */
async function syncsPerPost(durability: 'full' | 'normal'): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'change-requests-strace-'))
  const trace = join(folder, 'trace')
  const database = await sqlite.open({ migrate: false, durability })
  const watched = ['strace', '-f', '-e', 'trace=fsync,fdatasync', '-o', trace]
  const server = await startServer(database.place, watched)
  const count = () => readFileSync(trace, 'utf8').match(/\b(fsync|fdatasync)\(/g)?.length ?? 0
  try {
    const syncs: number[] = []
    for (let n = 1; n <= 20; n += 1) {
      const before = count()
      expect((await propose(server, mark(`flag-${n}`))).status).toBe(200)
      syncs.push(count() - before)
    }
    await expectConsistent(database.storage)
    return syncs
  } finally {
    await server.kill()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}
