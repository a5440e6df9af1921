const { gated } = require('./gated')
const { passes } = require('./passes')

/** All writing routes known to the front: the method, the parts of the path, and the row of `gated.js`, if any. */
const table = [...passes.map((route) => ({ route })), ...gated].map((row) => {
  const [method, path] = row.route.split(' ')
  return { ...row, method, parts: path.split('/').slice(1) }
})

/**
 * Finds the row of a write. Literal parts are compared like on the server, ignoring case. `path` is built from the row and the
 * parameters, so that the server receives the checked path, not the original one.
 *
 * @param {string} method
 * @param {readonly string[]} segments The parts of the path, as sent.
 * @returns {{ row: object, params: Record<string, string>, path: string } | undefined}
 */
function findRow(method, segments) {
  const row = table.find((each) => isRow(each, method, segments))
  if (row === undefined) return undefined
  const params = readParams(row.parts, segments)
  return { row, params, path: writePath(row.parts, params) }
}

const isParam = (part) => part.startsWith(':')

function isRow(row, method, segments) {
  if (row.method !== method || row.parts.length !== segments.length) return false
  return row.parts.every((part, index) => isParam(part) || part === segments[index].toLowerCase())
}

function readParams(parts, segments) {
  const params = {}
  for (const [index, part] of parts.entries()) {
    if (isParam(part)) params[part.slice(1)] = decodeURIComponent(segments[index])
  }
  return params
}

const writePath = (parts, params) =>
  parts.map((part) => `/${isParam(part) ? encodeURIComponent(params[part.slice(1)]) : part}`).join('')

module.exports = { findRow, isRow, table }
