#!/usr/bin/env node
const { once } = require('node:events')
const { startFront } = require('./front')
const { logger } = require('./front/logger')
const { help, readSettings, SettingError } = require('./settings')

async function main(args, env) {
  const settings = readSettings(args, env)
  if (settings === undefined) return process.stdout.write(help)
  const stopped = Promise.race(['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)))
  const front = await startFront(settings)
  await stopped
  logger.info({}, 'The front is stopping.')
  await front.stop()
}

main(process.argv.slice(2), process.env).catch((error) => {
  const reasons = [error, error.cause].map((each) => each?.message || each?.code).filter(Boolean)
  logger.error({ reason: reasons.join(': ') }, 'The front cannot start.')
  process.exitCode = error instanceof SettingError ? 2 : 1
})
