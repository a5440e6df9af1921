const { versions } = require('./server/start-unleash')

/** An invalid setting, with a message for the operator of the front. */
class SettingError extends Error {}

/** Reads the environment variables; empty ones are ignored. */
function readSettings(env) {
  const { UNLEASH_URL, UNLEASH_TOKEN, UNLEASH_VERSION, DATABASE_URL } = env
  if (Boolean(UNLEASH_URL) !== Boolean(UNLEASH_TOKEN)) {
    throw new SettingError('Set both UNLEASH_URL and UNLEASH_TOKEN, an admin token of that server.')
  }
  if (UNLEASH_VERSION && !versions.includes(UNLEASH_VERSION)) {
    throw new SettingError(`UNLEASH_VERSION must be ${versions.join(' or ')}, not ${JSON.stringify(UNLEASH_VERSION)}.`)
  }
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT || '4242'),
    /** Undefined: one is started. */
    server: UNLEASH_URL ? { url: readAddress(UNLEASH_URL), token: UNLEASH_TOKEN } : undefined,
    /** The version to start. Undefined: the newest. */
    version: UNLEASH_VERSION || undefined,
    /** Undefined: one is started. */
    databaseUrl: DATABASE_URL || undefined,
    dataFolder: env.DATA_FOLDER || undefined,
    publicUrl: env.PUBLIC_URL || undefined,
  }
}

function readPort(text) {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingError(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

function readAddress(text) {
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (['http:', 'https:'].includes(address?.protocol) && `${address.pathname}${address.search}` === '/')
    return address.origin
  throw new SettingError('UNLEASH_URL must be an http or https URL without a path.')
}

module.exports = { SettingError, readSettings }
