/** The server rejected the request; nothing was written. */
class Refusal extends Error {
  name = 'Refusal'

  constructor(status, message, options) {
    super(message, options)
    this.status = status
  }
}

/**
 * The request did not reach the server, was a read that failed, or can be repeated later; nothing was written. `status` is
 * undefined without a response.
 */
class Unavailable extends Refusal {
  name = 'Unavailable'
}

/** The server failed. Whether it wrote is unknown, but the request has ended. */
class ServerFailure extends Error {
  name = 'ServerFailure'
}

/** Statuses of a proxy that has lost the server, which may still be processing the request. */
const relayed = [502, 503, 504]

/** Errors for a token without the permission. The server also responds with 403 to writes that do not fit its state. */
const ofPermissions = ['NoAccessError', 'PermissionError']

/** Statuses for requests that were too slow or too many. */
const repeatable = [408, 429]

/** In maintenance mode the server rejects writes with this 503. */
const inMaintenance = (status, message) => status === 503 && /maintenance mode/i.test(message ?? '')

/** The maximum size of a response. */
const maxBytes = 100_000_000

/**
 * Calls the admin API of an Unleash server.
 *
 * @param {{ url: string, token: string, callTimeoutMs?: number }} options
 */
function unleashClient({ url, token, callTimeoutMs = 10_000 }) {
  const base = url.replace(/\/+$/, '')

  /**
   * @throws {Refusal | Unavailable | ServerFailure} after any other error, a request that writes may still be running
   */
  async function send(method, path, body) {
    const isRead = method === 'GET'
    try {
      const { ok, status, text } = await exchange(method, path, body)
      if (ok) return text === '' ? {} : JSON.parse(text)
      throw toError({ isRead, status, call: `${method} ${path}`, ...errorIn(text) })
    } catch (error) {
      if (error instanceof Refusal || error instanceof ServerFailure) throw error
      if (isRead || neverConnected(error)) throw unreachable(error)
      throw error
    }
  }

  async function exchange(method, path, body) {
    const answer = await fetch(`${base}/api/admin/${path}`, {
      method,
      headers: { Authorization: token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    return { ok: answer.ok, status: answer.status, text: await readText(answer) }
  }

  return {
    send,
    /** The response, or undefined for 404. */
    async find(path) {
      try {
        return await send('GET', path)
      } catch (error) {
        if (error instanceof Refusal && error.status === 404) return undefined
        throw error
      }
    },
  }
}

/** The text of the server about its own failure is for the log only. */
function toError({ isRead, status, call, name, message: serverMessage }) {
  const failed = `The Unleash server responded to ${call} with ${status}.`
  if (inMaintenance(status, serverMessage)) return new Unavailable(status, serverMessage)
  const isToken = status === 401 || (status === 403 && (isRead || ofPermissions.includes(name)))
  if (isToken || repeatable.includes(status)) return new Unavailable(status, serverMessage ?? failed)
  if (status < 500) return new Refusal(status, serverMessage ?? failed)
  const options = serverMessage === undefined ? {} : { cause: new Error(serverMessage) }
  if (isRead) return new Unavailable(status, failed, options)
  return relayed.includes(status) ? new Error(failed, options) : new ServerFailure(failed, options)
}

function unreachable(cause) {
  return new Unavailable(undefined, 'The Unleash server cannot be reached.', { cause })
}

/** Whether the connection failed, so that nothing was sent. A connection that was open can break after the request was sent. */
function neverConnected({ cause }) {
  const errors = [cause, ...(cause?.errors ?? [])]
  return errors.some(
    (each) => ['connect', 'getaddrinfo'].includes(each?.syscall) || each?.code === 'UND_ERR_CONNECT_TIMEOUT',
  )
}

async function readText(answer) {
  const chunks = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('The response of the Unleash server is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The name and the message of an error of the server; a proxy responds with something else. */
function errorIn(text) {
  try {
    const { name, message, details } = JSON.parse(text)
    return { name, message: details?.[0]?.message ?? message }
  } catch {
    return {}
  }
}

/** Builds a path with encoded values: `` path`projects/${project}` ``. */
function path(texts, ...values) {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent))
}

module.exports = { Refusal, ServerFailure, Unavailable, path, readText, unleashClient }
