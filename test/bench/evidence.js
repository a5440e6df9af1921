const { execFile } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const express = require('express')
const createKnex = require('knex')
const { apiKeys, createChangeRequestRouter } = require('../../dist')
const { knexStorage } = require('../../dist/storage/knex')
const { openDatabase } = require('./support/databases')
const { fill, originalOf, people } = require('./support/applied')

/*
 * Measures the commands `evidence` and `verify-evidence` in a process of their own, on Linux: how long they take, and how much
 * their memory grows. `node test/bench/evidence.js --database sqlite --requests 100000`, after `npm run build`. Each change request
 * has ten events and an exception. The exit code is 1 if a limit is missed.
 */

const maxGrowthMb = 150
const samplingMs = 20
const script = join(__dirname, '../../dist/cli.js')
// It is never met, so each apply during it is an exception.
const freezes = [{ name: 'Summer', reason: 'On trial.', from: '2020-01-01T00:00:00Z', mode: 'trial' }]

const rssOf = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Runs a command. Its memory grows from the moment when `begun` resolves. */
async function measure(args, env, begun) {
  const start = performance.now()
  const command = execFile(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  let [stdout, base, most] = ['', 0, 0]
  command.stdout.on('data', (text) => {
    stdout += text
  })
  command.stderr.pipe(process.stderr)
  void begun(command).then(() => {
    base = rssOf(command.pid)
  })
  const timer = setInterval(() => {
    try {
      most = Math.max(most, rssOf(command.pid))
    } catch {
      // It has ended.
    }
  }, samplingMs)
  const [status] = await once(command, 'close')
  clearInterval(timer)
  const figures = { seconds: (performance.now() - start) / 1_000, baseMb: base, growthMb: most - base }
  console.log(
    args[0],
    status,
    Object.entries(figures)
      .map(([name, value]) => `${name} ${value.toFixed(1)}`)
      .join(', '),
  )
  console.log(stdout)
  return { ...figures, status }
}

async function main({ database, requests }) {
  const { config, close } = await openDatabase(database)
  const knex = createKnex({ ...config, ...(database === 'postgres' && { pool: { min: 0, max: 20 } }) })
  const folder = mkdtempSync(join(tmpdir(), 'change-requests-evidence-'))
  const storage = knexStorage({ knex })
  await storage.migrate()
  const original = await originalOf(storage, { freezes })
  await fill(storage, original, requests - 1)
  const router = createChangeRequestRouter({ storage, authenticate: apiKeys(people), flags: null, logger: false })
  const server = createServer(express().use(router)).listen(0)
  try {
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
    const out = join(folder, 'evidence')
    const env = {
      CHANGE_REQUESTS_URL: `http://127.0.0.1:${server.address().port}/api/admin`,
      CHANGE_REQUESTS_KEY: people[1].key,
    }
    const results = [
      await measure(['evidence', '--from', today, '--to', today, '--out', out], env, () => once(server, 'request')),
      await measure(['verify-evidence', out], {}, (command) =>
        once(command, 'spawn').then(() => new Promise((resolve) => setTimeout(resolve, 300))),
      ),
    ]
    const files = readdirSync(out)
    const bytes = files.reduce((sum, name) => sum + statSync(join(out, name)).size, 0)
    console.log(`${files.length} files, ${(bytes / 2 ** 20).toFixed(0)} MB`)
    if (results.some(({ status, growthMb }) => status !== 0 || growthMb > maxGrowthMb)) process.exitCode = 1
  } finally {
    server.close()
    await router.close()
    await knex.destroy()
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'sqlite' }, requests: { type: 'string', default: '100000' } },
})
void main({ database: values.database, requests: Number(values.requests) })
