const { readText } = require('../server/client')
const { table } = require('../routes/table')

const writes = ['post', 'put', 'patch', 'delete']

/**
 * Reads the OpenAPI document of the server, and logs each writing route that is not in the table. The gates block these routes,
 * also if a row of the table has a parameter where the route has a new literal.
 *
 * @param {{ url: string, callTimeoutMs?: number, logger: import('express-change-requests').Logger }} options
 * @returns {Promise<{ method: string, parts: string[] }[]>} Rows like those of the table.
 * @throws if the server does not return the document: new routes could not be found then
 */
async function readUnknownRoutes({ url, callTimeoutMs = 10_000, logger }) {
  const known = new Set(table.map(shapeOf))
  const unknown = writesIn(await readDocument(url, callTimeoutMs)).filter((row) => !known.has(shapeOf(row)))
  for (const { method, path } of unknown) {
    logger.warn(
      { method, path },
      'The Unleash server has a writing route that is unknown to the front. Requests to it are blocked.',
    )
  }
  return unknown
}

async function readDocument(url, timeoutMs) {
  const answer = await fetch(`${url}/docs/openapi.json`, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await readText(answer)
  try {
    const { paths } = JSON.parse(text)
    if (answer.ok && typeof paths === 'object' && paths !== null) return paths
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

module.exports = { readUnknownRoutes }
