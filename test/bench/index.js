const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { printTable } = require('./support/figures')

const help = `npm run bench -- <what> … [options]

  events        reads of the event log: all of a project, the newest 100
  page-readers  ways to read pages of events from Postgres through pg
  add-change    proposing changes: separate change requests, a shared one, a large one
  one-caller    proposals of one caller, against a route that loads and commits by the raw driver
  handles       a write and two reads on each database handle: pg.Pool, Knex, Kysely; better-sqlite3, Knex
  gate          what a gate adds to a request, with change requests enabled and disabled
  search        searching events by each filter
  export        a whole project as NDJSON and CSV, and concurrent proposals
  follow        followers of the log: latency, cost, and the speed of catching up
  followers     5,000 followers of the log next to as many open responses of node:http
  order         the cost of the order that followers need, Postgres only
  chain         sealing and verifying the log, and concurrent proposals
  review        proposing and applying with 20 approval rules, and the review of a change request of 500 changes
  diff          proposing with a stored base, and the review of 500 changes of 50 flags
  startup       require and factory, and the first POST, against a host without the router
  processes     1, 2 and 4 processes on one Postgres: writes per second in total. Client, database and processes share the
                cores: on two cores more processes add nothing, so the CPU share of each is printed
  page          the log screen of the review page in a real Chromium: first content, a jump to a day, scrolling
  large         the page of a change request of 500 changes on a slow processor: usable, longest task, nodes
  lists         counts and searches of 100,000 change requests, and one change request while 10,000 others are scheduled;
                BENCH_BEFORE=<folder> names the dist of another build to compare with
  inbox         a page of the inbox by each filter, with 100 and with 100,000 open change requests
  growth        search, add, inbox and follow in logs of 1,000 events up to --rows, such as 10000000
  schedule      scheduled applies: how late they are, 10,000 due at the same time, and the cost of an idle process
  consumers     durable consumers next to follow and to reading the table by hand; idle consumers; one dead webhook of ten
  first-change  seconds from npm i of the tarball in an empty folder to the first approved change; downloads packages
  before-after  this build next to that of an older commit, --base; after it, the paths to measure: events, search, flag-log,
                creators, export, startup, add-change, vote, change-request, follow (default: all of them)
  peer          another server with the same wire format compared with ours, with requests that both support

  --database    postgres, sqlite or both (default both)
  --rounds      how often each variant is measured, alternating (default 5; before-after: at least 11; startup: at least 9)
  --rows        events, search, export, follow, page, growth: size of the largest log (default 1000000); before-after: of the log
                (default 100000)
  --huge        events, search, export, follow: instead of everything else, compare a log of this size with one of --rows, such as
                10000000, filled once for all of them: 30 GB and some minutes for each database
  --base        before-after: a commit, branch or tag of this repository; it is built in a temporary worktree
  --against     peer: the address of the other server, such as http://localhost:4242; its log should be like ours
  --header      peer: a header of each request to it, such as 'Authorization: <token>'; may be repeated
  --project     peer: with --environment, changes are proposed there as well, to the flag --feature
  --environment
  --feature     (default checkout-1)
  --help

Ours is compared with the limit (the same response without a database) and a naive implementation, each in its own process.
Each figure is a line of JSON with the medians, the noise (half the distance of the quartiles, as a share of the median)
and the ratios per round: the speed of ours divided by that of the other. A table ends the run. The exit code is 1
if a threshold is missed, or if something is slower than before. Trust ratios of one run, not absolute figures of two. BENCH_PROFILE=<folder> writes CPU profiles.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string' },
    huge: { type: 'string', default: '0' },
    base: { type: 'string' },
    against: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    project: { type: 'string' },
    environment: { type: 'string' },
    feature: { type: 'string', default: 'checkout-1' },
    help: { type: 'boolean', default: false },
  },
})
const benches = {
  events: () => require('./paths/log/events').benchEvents,
  'page-readers': () => require('./paths/log/page-readers').benchPageReaders,
  'add-change': () => require('./paths/add-change').benchAddChange,
  'one-caller': () => require('./paths/one-caller').benchOneCaller,
  handles: () => require('./paths/handles').benchHandles,
  gate: () => require('./paths/gate').benchGate,
  search: () => require('./paths/log/search').benchSearch,
  export: () => require('./paths/log/export').benchExport,
  follow: () => require('./paths/log/follow').benchFollow,
  followers: () => require('./paths/log/followers').benchFollowers,
  diff: () => require('./paths/diff').benchDiff,
  order: () => require('./paths/log/order').benchOrder,
  chain: () => require('./paths/log/chain').benchChain,
  review: () => require('./paths/review').benchReview,
  startup: () => require('./paths/startup').benchStartup,
  processes: () => require('./paths/processes').benchProcesses,
  page: () => require('./page/page').benchPage,
  large: () => require('./page/large').benchLarge,
  inbox: () => require('./paths/inbox').benchInbox,
  growth: () => require('./paths/growth').benchGrowth,
  lists: () => require('./paths/lists').benchLists,
  schedule: () => require('./paths/schedule').benchSchedule,
  consumers: () => require('./paths/consumers').benchConsumers,
  'first-change': () => require('./paths/first-change').benchFirstChange,
  peer: () => require('./paths/peer').benchPeer,
}

async function main() {
  const [what, ...paths] = positionals
  const compared = what === 'before-after'
  const isKnown = compared || positionals.every((name) => Object.hasOwn(benches, name))
  if (values.help || !isKnown || what === undefined) return console.log(help)
  if (!existsSync(join(__dirname, '../../dist/index.js'))) throw new Error('There is no build: npm run build')
  const databases = values.database === 'both' ? ['postgres', 'sqlite'] : [values.database]
  const defaultRows = compared ? 100_000 : 1_000_000
  const [rounds, rows, hugeRows] = [values.rounds, values.rows ?? defaultRows, values.huge].map(Number)
  const options = { ...values, databases, rounds, rows, hugeRows }
  if (compared) {
    const { benchBeforeAfter } = require('./before-after/bench')
    process.exitCode = (await benchBeforeAfter({ ...options, paths })) ? 0 : 1
    return
  }
  if (hugeRows > 0) await require('./huge/compare').benchHuge(positionals, options)
  else for (const name of positionals) await benches[name]()(options)
  process.exitCode = printTable() ? 0 : 1
}

void main()
