const { execFileSync } = require('node:child_process')
const { openDatabase, connect } = require('../../support/databases')
const { figure } = require('../../support/figures')
const { fillEvents, project } = require('../../support/fill')
const { knexStorage } = require('../../../../dist/storage/knex/index.js')

const log = { prefix: 'b100k_', rows: 100_000 }
const pageSize = 500
const event = `'{"id":' || id || ',' || right(body, -1)`
const ofProject = `from ${log.prefix}events where (project, id) < ((select $1::text), $2::bigint)
  and project >= (select $1::text) order by project desc, id desc limit $3::integer`

/** Ways to read pages of a project through pg, in this process and without HTTP; next to psql, which copies it to a file. */
async function benchPageReaders({ databases, rounds }) {
  if (!databases.includes('postgres')) return
  const database = await openDatabase('postgres')
  const knex = connect(database.config)
  try {
    await fillEvents(database, log.prefix, log.rows)
    const storage = knexStorage({ knex, tablePrefix: log.prefix })
    const connection = await knex.client.acquireConnection()
    const readers = { ours: (before) => storage.eventPage({ projects: [project] }, { before }, pageSize) }
    for (const [name, read] of Object.entries(others)) readers[name] = (before) => read(connection, before)
    const times = { psql: [] }
    const cpu = {}
    for (let round = 0; round <= rounds; round += 1) {
      times.psql.push(psql(database.url))
      for (const [name, read] of Object.entries(readers)) {
        const { ms, cpuMs } = await readAll(read)
        times[name] ??= []
        times[name].push(ms)
        cpu[name] ??= []
        cpu[name].push(cpuMs)
      }
      // The first round is a warm-up.
      if (round === 0) for (const samples of [...Object.values(times), ...Object.values(cpu)]) samples.length = 0
    }
    const shared = { database: 'postgres', unit: 'ms', lower: true }
    figure({ ...shared, name: `${log.rows} events in pages of ${pageSize}`, ways: times })
    figure({ ...shared, name: `${log.rows} events in pages of ${pageSize}: CPU of the process`, ways: cpu })
    await knex.client.releaseConnection(connection)
  } finally {
    await knex.destroy()
    await database.close()
  }
}

async function readAll(read) {
  const started = performance.now()
  const cpu = process.cpuUsage()
  let count = 0
  for (let before = Number.MAX_SAFE_INTEGER; count < log.rows; ) {
    const page = await read(before)
    count += page.count
    before = page.lastId
    await new Promise(setImmediate)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 }
}

function psql(url) {
  const all = { 1: `'${project}'`, 2: String(Number.MAX_SAFE_INTEGER), 3: String(2 ** 31 - 1) }
  const select = `select ${event} ${ofProject}`.replace(/\$(\d)/g, (_, position) => all[position])
  const started = performance.now()
  // A text of Postgres cannot contain these characters unescaped in JSON, so nothing is quoted.
  const text = `copy (${select}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`
  execFileSync('psql', [url, '--output', '/dev/null', '--command', text], { stdio: 'ignore' })
  return performance.now() - started
}

const types = { getTypeParser: () => (text) => text }
const values = (before) => [project, String(before), String(pageSize)]
const idOf = (row) => Number(row.slice(row.indexOf(':') + 1, row.indexOf(',', 2)))

const others = {
  async string_agg(connection, before) {
    const text = `select string_agg(event, ',\n') as json, count(*), min(id) as last
      from (select id, ${event} as event ${ofProject}) as page`
    const { rows } = await connection.query({ text, values: values(before), types })
    const [{ json, count, last }] = rows
    return { json: Buffer.from(json), count: Number(count), lastId: Number(last) }
  },
  async 'rows as arrays'(connection, before) {
    const text = `select ',\n' || ${event} ${ofProject}`
    const { rows } = await connection.query({ text, values: values(before), types, rowMode: 'array' })
    const last = rows.at(-1)[0]
    const json = Buffer.concat(rows.map(([row]) => Buffer.from(row)))
    return { json, count: rows.length, lastId: idOf(last) }
  },
  submittable: (connection, before) =>
    new Promise((resolve, reject) => {
      connection.query(new RowsQuery(`select ',\n' || ${event} ${ofProject}`, values(before), resolve, reject))
    }),
}

/** Reads rows as pg-cursor does. The driver decodes each of them into a string. */
class RowsQuery {
  #rows = []

  constructor(text, values, resolve, reject) {
    this.text = text
    this.values = values
    this.resolve = resolve
    this.handleError = reject
  }

  submit(connection) {
    connection.parse({ text: this.text, name: '' })
    connection.bind({ values: this.values, statement: '' })
    connection.describe({ type: 'P', name: '' })
    connection.execute({})
    connection.sync()
  }

  handleDataRow({ fields }) {
    this.lastId = idOf(fields[0])
    this.#rows.push(Buffer.from(fields[0]))
  }

  handleReadyForQuery() {
    this.resolve({ json: Buffer.concat(this.#rows), count: this.#rows.length, lastId: this.lastId })
  }

  handleRowDescription() {}
  handleCommandComplete() {}
}

module.exports = { benchPageReaders }
