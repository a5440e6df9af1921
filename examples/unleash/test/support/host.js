const { startFront } = require('../../front')
const { unleashClient } = require('../../server/client')
const { freePort, startPostgres } = require('../../server/postgres')
const { startUnleash } = require('../../server/start-unleash')

const password = 'Correct-horse-7-battery'

/** For a busy machine. */
const callTimeoutMs = 300_000
const limits = { hookTimeoutMs: callTimeoutMs, applyTimeoutMs: 2 * callTimeoutMs }

/** Starts a Postgres, an Unleash server and the front, with a person for each role. `stop()` stops all of it. */
async function startHost() {
  const parts = []
  try {
    const postgres = await startPostgres()
    parts.unshift(postgres)
    await postgres.createDatabase('unleash')
    await postgres.createDatabase('change_requests')
    const port = await freePort()
    const server = await startUnleash({ databaseUrl: postgres.url('unleash'), publicUrl: `http://127.0.0.1:${port}` })
    parts.unshift(server)
    const { url, token } = server
    const databaseUrl = postgres.url('change_requests')
    const front = await startFront({ url, token, databaseUrl, port, callTimeoutMs, limits })
    parts.unshift(front)
    const client = unleashClient({ url, token, callTimeoutMs })
    return { url: front.url, server, front, client, addPerson: (person) => addPerson(client, front.url, person), stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function stop() {
    for (const part of parts.splice(0)) await part.stop()
  }
}

/** Creates a person, and returns how to call the front as that person. */
async function addPerson(client, url, { username, role }) {
  const { rootRoles } = await client.send('GET', 'user-admin')
  const rootRole = rootRoles.find(({ name }) => name === role).id
  const email = `${username}@example.com`
  await client.send('POST', 'user-admin', { username, email, password, rootRole, sendEmail: false })
  const cookie = await signIn(url, username)
  return {
    username,
    password,
    call: (method, path, body, headers) => call(url, method, path, body, { cookie, ...headers }),
  }
}

async function signIn(url, username) {
  const answer = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
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
