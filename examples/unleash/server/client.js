/** An answer of the server that says no: nothing was written. */
class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.name = 'Refusal'
    this.status = status
  }
}

/** The server itself failed while it answered: whether it wrote is open, but nothing is under way any more. */
class ServerFailure extends Error {}

/** Answers of a proxy that has given up on the server, or lost it: the server may be at it still. */
const relayed = [502, 503, 504]

/** In maintenance mode the server refuses to write, with a 503 of its own. */
const inMaintenance = (status, message) => status === 503 && /maintenance mode/i.test(message ?? '')

/** The longest answer that is read. */
const mostBytes = 100_000_000

/**
 * Calls the admin API of an Unleash server.
 *
 * @param {{ url: string, token: string, callTimeoutMs?: number }} options
 */
function unleashClient({ url, token, callTimeoutMs = 10_000 }) {
  const base = url.replace(/\/+$/, '')

  /** @throws {Refusal} for 4xx and maintenance mode, {ServerFailure} for 500; any other error leaves open whether the request is under way. */
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
    const said = messageIn(text)
    const message = said ?? `The Unleash server answered ${method} ${path} with ${answer.status}.`
    if (answer.status < 500 || inMaintenance(answer.status, said)) throw new Refusal(answer.status, message)
    throw relayed.includes(answer.status) ? new Error(message) : new ServerFailure(message)
  }

  return {
    send,
    /** What is there, or undefined. */
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
    if (bytes > mostBytes) throw new Error('The answer of the Unleash server is too long.')
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

/** A path of text and values: `` path`projects/${project}` ``. */
function path(texts, ...values) {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent))
}

module.exports = { Refusal, ServerFailure, path, readText, unleashClient }
