const { once } = require('node:events')
const createKnex = require('knex')
const { logger } = require('../server/logger')
const { sqliteClient } = require('../server/node-sqlite')
const { createApp } = require('./app')

function setting(name, fallback) {
  const value = process.env[name] || fallback
  if (!value) throw new Error(`Set ${name}.`)
  return value
}

/** The message of a SyntaxError would contain a part of the text, which may be a key. */
function readUsers(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('API_KEYS is no JSON.')
  }
}

async function main() {
  const slack = {
    token: setting('SLACK_BOT_TOKEN'),
    signingSecret: setting('SLACK_SIGNING_SECRET'),
    team: setting('SLACK_TEAM'),
    channel: setting('SLACK_CHANNEL'),
    url: setting('SLACK_API_URL', 'https://slack.com/api'),
  }
  const users = readUsers(setting('API_KEYS'))
  const port = Number(setting('PORT', '4245'))
  const publicUrl = setting('PUBLIC_URL', `http://localhost:${port}`)
  const connection = { filename: setting('DATABASE_FILE', 'change-requests-slack.sqlite') }
  const knex = createKnex({ client: sqliteClient, connection, useNullAsDefault: true })
  try {
    const { app, router } = await createApp({ knex, users, slack, publicUrl, logger })
    const server = app.listen(port, '127.0.0.1')
    await once(server, 'listening')
    process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`)
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    server.close()
    server.closeAllConnections()
    await router.close()
  } finally {
    await knex.destroy()
  }
}

main().catch((error) => {
  process.stderr.write(`Cannot start: ${error.message}\n`)
  process.exitCode = 1
})
