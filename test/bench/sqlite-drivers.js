// The ratio of node:sqlite to better-sqlite3, side by side in one process; needs Node 22.16 or later and a build:
//   node test/bench/sqlite-drivers.js [path of better-sqlite3]
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { DatabaseSync } = require('node:sqlite')
const { createChangeRequestRouter } = require('../../dist')
const { sqliteStorage } = require('../../dist/storage/handles/sqlite')

const Database = require(process.argv[2] ?? 'better-sqlite3')
const rounds = 9
const event = { type: 'feature-updated', createdBy: 'ann', project: 'shop', featureName: 'checkout' }

/** What is measured, and how often in a round. */
const work = {
  'A write': [200, ({ events }, at) => events.record({ ...event, data: { at } })],
  'A read': [500, ({ events }) => events.read({ limit: 1 })],
  'A search of 100 events': [100, ({ events }) => events.read({ filter: { features: ['checkout'] }, limit: 100 })],
}

async function measure(router, [count, run]) {
  const started = performance.now()
  for (let at = 0; at < count; at += 1) await run(router, at)
  return (performance.now() - started) / count
}

async function open(database) {
  const router = createChangeRequestRouter({
    storage: sqliteStorage({ database, durability: 'normal' }),
    authenticate: () => null,
  })
  await router.migrate()
  for (let at = 0; at < 1_000; at += 1) await router.events.record(event)
  return router
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sqlite-'))
  const databases = [new Database(join(folder, 'a.sqlite')), new DatabaseSync(join(folder, 'b.sqlite'))]
  const [better, node] = await Promise.all(databases.map(open))
  for (const [name, task] of Object.entries(work)) {
    const ratios = []
    for (let round = 0; round < rounds; round += 1) {
      const before = await measure(better, task)
      ratios.push(before / (await measure(node, task)))
    }
    ratios.sort((a, b) => a - b)
    const [low, median, high] = [1, rounds >> 1, rounds - 2].map((at) => ratios[at].toFixed(2))
    console.log(`${name}: ${median} (${low} to ${high}) of the throughput of better-sqlite3`)
  }
  for (const router of [better, node]) await router.close()
  for (const database of databases) database.close()
  rmSync(folder, { recursive: true })
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
