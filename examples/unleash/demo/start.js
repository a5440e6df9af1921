const { once } = require('node:events')
const { startFront } = require('../front')
const { readAddress } = require('../settings')
const { freePort, startPostgres } = require('./postgres')
const { defaultVersion, startUnleash, versions } = require('./start-unleash')
const { createDemoUsers } = require('./users')

/** Starts Postgres, an Unleash server and the front in this order, and stops them in reverse order on a signal. */
async function main({ UNLEASH_VERSION, DATA_FOLDER, ...env }) {
  const version = UNLEASH_VERSION || defaultVersion
  if (!versions.includes(version)) throw new Error(`UNLEASH_VERSION must be one of ${versions.join(', ')}.`)
  const { host, port = await freePort(), publicUrl = `http://${host}:${port}` } = readDemoAddress(env)
  const started = []
  const start = async (what, starting) => {
    const part = await withProgress(`Starting ${what}`, starting)
    started.unshift(part)
    return part
  }
  try {
    const postgres = await start('Postgres', startPostgres({ folder: DATA_FOLDER || undefined }))
    const signal = signalToStop()
    await postgres.createDatabase('change_requests')
    await postgres.createDatabase('unleash')
    const name = `Unleash ${version}, which first creates its tables`
    const server = await start(name, startUnleash({ databaseUrl: postgres.url('unleash'), version, publicUrl }))
    const people = await withProgress('Creating the demo users', createDemoUsers(server))
    const { url, token } = server
    const databaseUrl = postgres.url('change_requests')
    await start('the front', startFront({ url, token, databaseUrl, port, host, publicUrl }))
    process.stdout.write(`${people.map((line) => `${line}\n`).join('')}listening on ${publicUrl}\n`)
    await signal
  } finally {
    for (const part of started) await part.stop()
  }
}

/** The server is started with the public URL, so a free port is picked first. */
function readDemoAddress(env) {
  const { port, ...address } = readAddress(env)
  return { ...address, ...(port !== 0 && { port }) }
}

/** Prints what is running, and again every 15 seconds, because a first start can take minutes. */
async function withProgress(what, running) {
  const started = Date.now()
  process.stderr.write(`${what} …\n`)
  const seconds = () => Math.round((Date.now() - started) / 1_000)
  const timer = setInterval(() => process.stderr.write(`${what}: ${seconds()} s …\n`), 15_000)
  try {
    return await running
  } finally {
    clearInterval(timer)
  }
}

/**
 * Resolves at the first signal. The package that starts Postgres would stop it and end the process on the signal, while responses
 * are still running; it would also set the exit status to 0.
 */
function signalToStop() {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const event of [...signals, 'beforeExit', 'exit']) process.removeAllListeners(event)
  return Promise.race(signals.map((signal) => once(process, signal)))
}

// With a server of your own, only the front is started.
if (process.env.UNLEASH_URL) require('../start')
else
  main(process.env).catch((error) => {
    const reasons = [error, error.cause].map((each) => each?.message || each?.code).filter(Boolean)
    process.stderr.write(`Cannot start: ${reasons.join(': ')}\n`)
    process.exitCode = 1
  })
