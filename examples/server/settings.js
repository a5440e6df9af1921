const { apiKeys } = require('express-change-requests')
const { webhooks } = require('express-change-requests/webhooks')
const { sqliteClient } = require('./node-sqlite')

/** An invalid setting, with a message for the operator of the server. */
class SettingError extends Error {}

/** Reads the environment variables; empty ones are ignored. */
function readSettings(env) {
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT || '4242'),
    database: readDatabase(env.DATABASE_URL || 'change-requests.sqlite'),
    /** Undefined without API_KEYS: demo users are created. */
    authenticate: env.API_KEYS ? readKeys(env.API_KEYS) : undefined,
    consumers: env.WEBHOOK_URL ? readWebhook(env.WEBHOOK_URL, env.WEBHOOK_SECRET) : [],
  }
}

function readPort(text) {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingError(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

/** The options for Knex. */
function readDatabase(url) {
  if (/^postgres(ql)?:\/\//i.test(url)) {
    return { client: 'pg', connection: { connectionString: url }, pool: { min: 0, max: 10 } }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    throw new SettingError('DATABASE_URL must begin with postgres:// or postgresql://, or be a path of a SQLite file.')
  }
  return { client: sqliteClient, connection: { filename: url }, useNullAsDefault: true }
}

function readKeys(text) {
  try {
    return apiKeys(JSON.parse(text))
  } catch (error) {
    // The message of a SyntaxError contains a part of the text, which may be a key.
    const reason = error instanceof SyntaxError ? 'It is not JSON.' : error.message
    throw new SettingError(
      `API_KEYS must be a JSON list such as [{"key":"…","user":{"id":1,"username":"ann"},"grants":[{"permission":"CREATE_CHANGE_REQUEST"}]}]. ${reason}`,
    )
  }
}

function readWebhook(url, secret) {
  try {
    return webhooks({ targets: [{ name: 'webhook', url, secrets: [secret ?? ''], types: '*' }] })
  } catch (error) {
    throw new SettingError(`WEBHOOK_URL or WEBHOOK_SECRET is invalid. ${error.message}`)
  }
}

module.exports = { SettingError, readSettings }
