const { once } = require('node:events')
const { startFront } = require('./front')
const { createDemoUsers } = require('./server/demo-users')
const { freePort, startPostgres } = require('./server/postgres')
const { startUnleash } = require('./server/start-unleash')
const { readSettings, SettingError } = require('./settings')

/** Starts the missing parts in this order, and stops them in reverse order on a signal. */
async function main() {
  const settings = readSettings(process.env)
  const started = []
  const start = async (what, starting) => {
    const part = await withProgress(`Starting ${what}`, starting)
    started.unshift(part)
    return part
  }
  try {
    const port = settings.port || (await freePort())
    const publicUrl = settings.publicUrl ?? `http://${settings.host}:${port}`
    const postgres =
      settings.databaseUrl && settings.server
        ? undefined
        : await start('Postgres', startPostgres({ folder: settings.dataFolder }))
    const signal = signalToStop()
    const databaseUrl = settings.databaseUrl ?? (await databaseIn(postgres, 'change_requests'))
    const startServer = async () => {
      const ownDatabase = await databaseIn(postgres, 'unleash')
      const name = `Unleash ${settings.version}, which first creates its tables`
      return start(name, startUnleash({ databaseUrl: ownDatabase, version: settings.version, publicUrl }))
    }
    const server = settings.server ?? (await startServer())
    const people = settings.server ? [] : await withProgress('Creating the demo users', createDemoUsers(server))
    const { url, token } = server
    await start('the front', startFront({ url, token, databaseUrl, port, host: settings.host, publicUrl }))
    process.stdout.write(`${people.map((line) => `${line}\n`).join('')}listening on ${publicUrl}\n`)
    await signal
  } finally {
    for (const part of started) await part.stop()
  }
}

/** Prints what is running, and again every 15 seconds, because the first start takes minutes. */
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

async function databaseIn(postgres, name) {
  await postgres.createDatabase(name)
  return postgres.url(name)
}

main().catch((error) => {
  const reasons = [error, error.cause].map((each) => each?.message || each?.code).filter(Boolean)
  process.stderr.write(`${error instanceof SettingError ? '' : 'Cannot start: '}${reasons.join(': ')}\n`)
  process.exitCode = 1
})
