const { startFront } = require('../../front')
const { unleashClient } = require('../../server/client')
const { freePort, startPostgres } = require('../../demo/postgres')
const { startUnleash } = require('../../demo/start-unleash')
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
 * Starts a Postgres and an Unleash server, without a front. `stop()` stops both.
 *
 * @param {{ publicUrl?: string }} [options]
 */
async function startServer({ publicUrl } = {}) {
  const postgres = await startPostgres()
  try {
    await postgres.createDatabase('unleash')
    await postgres.createDatabase('change_requests')
    const server = await startUnleash({ databaseUrl: postgres.url('unleash'), version, publicUrl, env: manyPeople })
    const client = unleashClient({ ...server, callTimeoutMs })
    return {
      ...server,
      client,
      databaseUrl: postgres.url('change_requests'),
      serverDatabaseUrl: postgres.url('unleash'),
      addPerson: (url, person) => addPerson(client, url, person),
      setRole: (person, role) => setRole(client, person, role),
      stopUnleash: server.stop,
      async stop() {
        await server.stop()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/**
 * Starts a Postgres, an Unleash server and the front. `stop()` stops all of it.
 *
 * @param {object} [options]
 * @param {Function} [options.alter] Answers of the server get another shape: see `altering-proxy.js`.
 * @param {...object} [options.front] Options of `startFront`.
 */
async function startHost({ alter, ...options } = {}) {
  const parts = []
  try {
    const port = await freePort()
    const server = await startServer({ publicUrl: `http://127.0.0.1:${port}` })
    parts.unshift(server)
    const altering = alter && (await startAlteringProxy(server.url))
    if (altering !== undefined) parts.unshift(altering)
    altering?.alter(alter)
    const { token, databaseUrl, client, setRole } = server
    const access = { url: altering?.url ?? server.url, token, callTimeoutMs }
    const front = await startFront({ ...access, databaseUrl, port, limits, ...options })
    parts.unshift(front)
    const addPerson = (person) => server.addPerson(front.url, person)
    return { url: front.url, server, client, alter: altering?.alter, addPerson, setRole, stop }
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

module.exports = { call, startHost, startServer }
