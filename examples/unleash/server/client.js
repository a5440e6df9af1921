/** The server rejected the request; nothing was written. */
class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.name = 'Refusal'
    this.status = status
  }
}

/** The server failed. Whether it wrote is unknown, but the request has ended. */
class ServerFailure extends Error {}

/** Statuses of a proxy that has lost the server, which may still be processing the request. */
const relayed = [502, 503, 504]

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

  /** @throws {Refusal} for 4xx and maintenance mode, {ServerFailure} for 500; after any other error the request may still be running. */
  async function send(method, path, body) {
    const answer = await fetch(`${base}/api/admin/${path}`, {
      method,
      headers: { Authorization: token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    const text = await readText(answer)
    if (answer.ok) return text === '' ? {} : JSON.parse(text)
    const serverMessage = messageIn(text)
    const message = serverMessage ?? `The Unleash server responded to ${method} ${path} with ${answer.status}.`
    if (answer.status < 500 || inMaintenance(answer.status, serverMessage)) throw new Refusal(answer.status, message)
    throw relayed.includes(answer.status) ? new Error(message) : new ServerFailure(message)
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

function messageIn(text) {
  try {
    const { message, details } = JSON.parse(text)
    return details?.[0]?.message ?? message
  } catch {
    return undefined
  }
}

/** Builds a path with encoded values: `` path`projects/${project}` ``. */
function path(texts, ...values) {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent))
}

module.exports = { Refusal, ServerFailure, path, readText, unleashClient }
