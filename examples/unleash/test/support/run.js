const { spawnSync } = require('node:child_process')
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { envOfOwnNode } = require('../../demo/own-node')

const tests = join(__dirname, '..')
const [wanted = '', ...versions] = splitFilter(process.argv.slice(2))

/** Runs the tests against each version of the server: `run.js 7.5 8.2`, or only some files: `run.js 7.5 --only 'gateway|mirror'`. */
const files = readdirSync(tests)
  .filter((name) => name.endsWith('.test.js') && new RegExp(wanted).test(name))
  .map((name) => join(tests, name))

let failed = 0
for (const version of versions) {
  process.stdout.write(`Unleash ${version}\n`)
  const reporters = [
    ...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
    ...['--test-reporter', join(__dirname, 'attacks-reporter.js'), '--test-reporter-destination', 'stdout'],
  ]
  const args = ['--test', '--test-concurrency=1', ...reporters, ...files]
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...envOfOwnNode, UNLEASH_VERSION: version },
  })
  if (status !== 0) failed += 1
}
process.exitCode = failed > 0 ? 1 : 0

function splitFilter(args) {
  const at = args.indexOf('--only')
  return at < 0 ? ['', ...args] : [args[at + 1], ...args.slice(0, at), ...args.slice(at + 2)]
}
