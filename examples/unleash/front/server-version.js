const { readText } = require('../server/client')
const { table } = require('../routes/table')

const writes = ['post', 'put', 'patch', 'delete']

/** The versions that the tests run against. */
const testedVersions = ['6.10', '7.5', '8.2']

/**
 * Reads the OpenAPI document of the server: its version, and each writing route that is not in the table. The gates block these
 * routes, also if a row of the table has a parameter where the route has a new literal.
 *
 * @param {object} options
 * @param {string} options.url The server.
 * @param {boolean} [options.allowUnknownVersion] Whether to accept a version that was not tested. Default: false.
 * @param {number} [options.callTimeoutMs]
 * @param {import('express-change-requests').Logger} options.logger
 * @returns {Promise<{ version: string, unknown: { method: string, path: string, parts: string[] }[] }>} `unknown`: rows like
 * those of the table.
 * @throws if the server does not return the document, or its version was not tested; the message names the blocked routes
 */
async function readServer({ url, allowUnknownVersion = false, callTimeoutMs = 10_000, logger }) {
  const { version, paths } = await readDocument(url, callTimeoutMs)
  const known = new Set(table.map(shapeOf))
  const unknown = writesIn(paths).filter((row) => !known.has(shapeOf(row)))
  const blocked = unknown.map(({ method, path }) => `${method} ${path}`)
  if (!isTested(version)) {
    const text = `Unleash ${version} was not tested with this front; ${testedVersions.join(', ')} were.`
    const names = blocked.length === 0 ? 'none of its writing routes' : blocked.join(', ')
    if (!allowUnknownVersion) {
      throw new Error(`${text} With --allow-unknown-version it starts nevertheless, and blocks ${names}.`)
    }
    logger.warn({ version, blocked }, text)
  }
  for (const { method, path } of unknown) {
    logger.warn(
      { method, path },
      'The Unleash server has a writing route that is unknown to the front. Requests to it are blocked.',
    )
  }
  return { version, unknown }
}

/** Patch releases count as tested. */
const isTested = (version) => testedVersions.some((tested) => `${version}.`.startsWith(`${tested}.`))

async function readDocument(url, timeoutMs) {
  const answer = await fetch(`${url}/docs/openapi.json`, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await readText(answer)
  try {
    const { info, paths } = JSON.parse(text)
    if (answer.ok && typeof paths === 'object' && paths !== null) return { version: String(info.version), paths }
  } catch {}
  throw new Error(
    `The Unleash server returned no OpenAPI document (status ${answer.status}). Set ENABLE_OAS=true on the server.`,
  )
}

function writesIn(paths) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => writes.includes(method))
      .map((method) => ({ method: method.toUpperCase(), path, parts: partsOf(path) })),
  )
}

function partsOf(path) {
  const parts = path.replace(/\/$/, '').split('/').slice(1)
  return parts.map((part) => (part.includes('{') ? ':' : part.toLowerCase()))
}

/** Routes are equal if they differ only in the names of their parameters. */
function shapeOf({ method, parts }) {
  return `${method} /${parts.map((part) => (part.startsWith(':') ? ':' : part)).join('/')}`
}

module.exports = { isTested, readServer, testedVersions }
