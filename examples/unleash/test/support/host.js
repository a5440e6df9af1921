const { startFront } = require('../../front')
const { unleashClient } = require('../../server/client')
const { freePort, startPostgres } = require('../../server/postgres')
const { startUnleash } = require('../../server/start-unleash')
const { startAlteringProxy } = require('./altering-proxy')
const { version } = require('./version')

const password = 'Correct-horse-7-battery'

/** The server allows few sign-ins, new accounts and passwords in a minute, and few sessions of a person. */
const manyPeople = {
  SIMPLE_LOGIN_LIMIT_PER_MINUTE: '1000',
  CREATE_USER_RATE_LIMIT_PER_MINUTE: '1000',
  PASSWORD_RESET_LIMIT_PER_MINUTE: '1000',
  MAX_PARALLEL_SESSIONS: '100',
}

/** Long timeouts for a busy machine. */
const callTimeoutMs = 300_000
const limits = { hookTimeoutMs: callTimeoutMs, applyTimeoutMs: 2 * callTimeoutMs }

/**
 * Starts a Postgres, an Unleash server and the front. `stop()` stops all of it.
 *
 * @param {object} [options]
 * @param {number} [options.freshMs] See `startFront`.
 * @param {Function} [options.alter] Answers of the server get another shape: see `altering-proxy.js`.
 */
async function startHost({ freshMs, alter } = {}) {
  const parts = []
  try {
    const postgres = await startPostgres()
    parts.unshift(postgres)
    await postgres.createDatabase('unleash')
    await postgres.createDatabase('change_requests')
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const server = await startUnleash({ databaseUrl: postgres.url('unleash'), version, publicUrl, env: manyPeople })
    parts.unshift(server)
    const { url, token } = server
    const altering = alter && (await startAlteringProxy(url))
    if (altering !== undefined) parts.unshift(altering)
    altering?.alter(alter)
    const access = { url: altering?.url ?? url, token, callTimeoutMs }
    const front = await startFront({ ...access, databaseUrl: postgres.url('change_requests'), port, freshMs, limits })
    parts.unshift(front)
    const client = unleashClient({ url, token, callTimeoutMs })
    return {
      url: front.url,
      server,
      client,
      alter: altering?.alter,
      addPerson: (person) => addPerson(client, front.url, person),
      setRole: (person, role) => setRole(client, person, role),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }

  async function stop() {
    for (const part of parts.splice(0)) await part.stop()
  }
}

/** Creates a user, and returns a function that calls the front as that user. */
async function addPerson(client, url, { username, role }) {
  const rootRole = await findRole(client, role)
  const email = `${username}@example.com`
  const { id } = await client.send('POST', 'user-admin', { username, email, password, rootRole, sendEmail: false })
  const cookie = await signIn(url, username)
  return {
    id,
    username,
    password,
    cookie,
    call: (method, path, body, headers) => call(url, method, path, body, { cookie, ...headers }),
  }
}

/** Changes the role of a user directly on the server. */
async function setRole(client, { id, username }, role) {
  const rootRole = await findRole(client, role)
  await client.send('PUT', `user-admin/${id}`, { username, email: `${username}@example.com`, rootRole })
}

async function findRole(client, role) {
  const { rootRoles } = await client.send('GET', 'user-admin')
  return rootRoles.find(({ name }) => name === role).id
}

async function signIn(url, username) {
  const answer = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  // The server stores the session before the end of its answer.
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${username} could not sign in: ${answer.status}`)
  return answer.headers.getSetCookie()[0].split(';')[0]
}

/** @returns {Promise<{ status: number, body: any }>} */
async function call(url, method, path, body, headers) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await answer.text()
  return { status: answer.status, body: readJson(text) }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

module.exports = { call, startHost }
