// Breaks the code on purpose, one fault at a time, and reports whether its test fails.
//   node test/faults/mutants/run.js            all of them
//   node test/faults/mutants/run.js M1 M4      those with these ids; M1 includes M1-sqlite
// Works on a copy. Each test first runs on the unchanged code, where it must pass.
const { spawn, spawnSync } = require('node:child_process')
const { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const mutants = require('./mutants')

const root = join(__dirname, '../../..')
/** A run that takes `factor` times as long as without the fault, and at least `minMs`, hangs. */
const timeout = { ms: 60 * 60_000, minMs: 30_000, factor: 10 }

async function main() {
  const wanted = process.argv.slice(2)
  const chosen = mutants.filter(({ id }) => wanted.length === 0 || wanted.some((name) => belongs(id, name)))
  const copy = mkdtempSync(join(tmpdir(), 'change-requests-mutants-'))
  const stop = await startDatabase()
  try {
    copyTree(copy)
    const results = []
    for (const mutant of chosen) {
      const result = { id: mutant.id, fault: mutant.fault, ...(await judge(copy, mutant)) }
      results.push(result)
      console.log(line(result))
    }
    const bad = results.filter(({ verdict }) => verdict !== 'red')
    console.log(`${results.length - bad.length} of ${results.length} mutants turn a test red.`)
    if (bad.length > 0) process.exitCode = 1
  } finally {
    await stop()
    rmSync(copy, { recursive: true, force: true })
  }
}

/** M4 selects M4 and M4-postgres, not M40. */
function belongs(id, name) {
  return id === name || id.startsWith(`${name}-`)
}

function line({ id, fault, verdict, test, seconds }) {
  return `${verdict.toUpperCase().padEnd(8)} ${id.padEnd(14)} ${fault}\n${' '.repeat(24)}${test} (${seconds} s)`
}

/** One Postgres for all runs, unless TEST_POSTGRES_URL names one. */
async function startDatabase() {
  if (process.env.TEST_POSTGRES_URL) return async () => {}
  const { startPostgres } = await import('../../support/databases/postgres-up.mjs')
  const { server, url } = await startPostgres()
  process.env.TEST_POSTGRES_URL = url
  return () => server.stop()
}

function copyTree(copy) {
  const left = new Set(['node_modules', '.git', 'build', 'dist', 'coverage'].map((name) => join(root, name)))
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** Verdicts: red, as it must be; survived; or broken, if the list no longer matches the code or the tests. */
async function judge(copy, mutant) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10
  const broken = (test) => ({ verdict: 'broken', test, seconds: seconds() })
  const before = await baseline(copy, mutant)
  if (before.failed.length > 0 || before.passed === 0) return broken(`fails without the fault: ${before.text}`)
  const restore = []
  try {
    for (const { file, text, by } of mutant.edits) {
      const path = join(copy, file)
      const source = readFileSync(path, 'utf8')
      const places = source.split(text).length - 1
      if (places !== 1) return broken(`the text occurs ${places} times in ${file}: ${text}`)
      restore.push([path, source])
      writeFileSync(
        path,
        source.replace(text, () => by),
      )
    }
    const { failed, text } = await run(copy, mutant, Math.max(timeout.minMs, timeout.factor * before.ms))
    if (failed === undefined) return broken(`the tests did not run: ${text}`)
    if (failed.length === 0) return { verdict: 'survived', test: describeTests(mutant), seconds: seconds() }
    return { verdict: 'red', test: `${mutant.test}: ${failed[0]}`, seconds: seconds() }
  } finally {
    for (const [path, source] of restore.reverse()) writeFileSync(path, source)
  }
}

const baselines = new Map()

function baseline(copy, mutant) {
  const key = describeTests(mutant)
  if (!baselines.has(key))
    baselines.set(
      key,
      run(copy, mutant).then((result) => ({ ...result, failed: result.failed ?? [result.text] })),
    )
  return baselines.get(key)
}

function describeTests({ project, test, only, runs }) {
  return `${project}: ${test}${only === undefined ? '' : ` -t ${only}`}${runs === undefined ? '' : ` RUNS=${runs}`}`
}

/** `failed` holds the names of the failed tests; undefined if a test file could not be loaded. */
async function run(copy, { project, test, only, build, runs, nightly }, timeoutMs = timeout.ms) {
  const started = performance.now()
  if (build) buildDist(copy)
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const jest = join(copy, 'node_modules/jest/bin/jest.js')
  const filter = only === undefined ? [] : ['-t', only]
  const args = [
    jest,
    '--selectProjects',
    project,
    '-i',
    '--forceExit',
    '--json',
    '--outputFile',
    report,
    test,
    ...filter,
  ]
  const env = { ...process.env, ...(runs && { RUNS: String(runs) }), ...(nightly && { NIGHTLY: 'true' }) }
  const { output, late } = await finished(spawn(process.execPath, args, { cwd: copy, env }), timeoutMs)
  if (late) return { passed: 0, failed: [`no end within ${Math.round(timeoutMs / 1000)} s`], text: 'no end' }
  let json
  try {
    json = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, failed: undefined, text: output.slice(-2000) }
  }
  const tests = json.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  if (failed.length === 0 && !json.success) return { passed: 0, failed: undefined, text: output.slice(-2000) }
  const ms = performance.now() - started
  return { passed: json.numPassedTests, failed, text: failed.join('; ') || `${json.numPassedTests} passed`, ms }
}

/** Without a check of types: a fault need not be well typed. */
function buildDist(copy) {
  rmSync(join(copy, 'dist'), { recursive: true, force: true })
  const rolldown = join(copy, 'node_modules/rolldown/bin/cli.mjs')
  spawnSync(process.execPath, [rolldown, '-c', 'rolldown.config.mjs'], { cwd: copy })
}

function finished(child, timeoutMs) {
  return new Promise((resolve) => {
    let output = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, timeoutMs)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ output, late })
    })
  })
}

void main()
