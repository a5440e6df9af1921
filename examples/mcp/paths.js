import { createRequire } from 'node:module'

const { components, paths } = createRequire(import.meta.url)('express-change-requests/openapi.json')

/** The names of the API itself: of properties, parameters and path segments. */
const names = new Set(['body', 'changes', 'header', 'path', 'query', ...propertiesIn(components), ...segmentsOf(paths)])

function propertiesIn(schema) {
  if (typeof schema !== 'object' || schema === null) return []
  const own = schema.properties === undefined ? [] : Object.keys(schema.properties)
  return [...own, ...Object.values(schema).flatMap(propertiesIn)]
}

function segmentsOf(routes) {
  const segments = Object.keys(routes).flatMap((route) => route.split('/'))
  return segments.filter((segment) => !segment.startsWith('{'))
}

/** A path without names that people chose, such as those of parameters, variants and projects: each of them becomes `*`. */
export function withoutNames(path) {
  const segments = path.split('/').map((segment) => (/^\d*$/.test(segment) || names.has(segment) ? segment : '*'))
  return segments.join('/')
}

/** A segment of a JSON pointer. */
export function escapeSegment(name) {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
