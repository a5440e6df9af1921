import type { Layer } from './express-app'

/** The segments of a path, starting at the root of the app. */
export type Segments = readonly string[]

const fixed = /^[\w.~@%-]+$/
const parameter = /^:\w+$/
/** Marks a segment that cannot be parsed, such as a regular expression. */
const unknownMark = '\0'

/** Returns the paths of a layer below the path of its router. */
export function pathsOf(layer: Layer, parent: Segments): Segments[] {
  const own = layer.route === undefined ? mountPaths(layer) : flatten(layer.route.path)
  return own.map((path) => [...parent, ...segmentsOf(path)])
}

export function toSegments(path: string): Segments {
  return path.split('/').filter((segment) => segment !== '')
}

/** Formats a path for display. Segments that cannot be parsed are shown as three dots. */
export function displayPath(segments: Segments): string {
  return `/${segments.map((segment) => (segment.startsWith(unknownMark) ? '...' : segment)).join('/')}`
}

/** Whether the layer of `use` has no path of its own. */
export function isGeneral({ slash, regexp }: Layer): boolean {
  return slash === true || regexp?.fast_slash === true
}

/** Patterns with which Express 4 can match a path without the slash or the segments before the pattern. */
const reachesBack = /\?.|\||^\{\d/
const simpleGroup = /\([^()]*\)/g

/** Whether every request for `path` is for `prefix` or below it. False if unknown. */
export function isWithin(path: Segments, prefix: Segments): boolean {
  if (prefix.length > 0 && path.some((segment) => reachesBack.test(segment.replace(simpleGroup, '')))) return false
  return prefix.every((wanted, index) => {
    const segment = path[index]
    if (segment === undefined) return false
    if (parameter.test(wanted)) return parameter.test(segment) || fixed.test(segment)
    // The same regular expression at the same position: both are below it.
    return segment === wanted && (fixed.test(segment) || segment.startsWith(unknownMark))
  })
}

/** Whether a request for `path` can be for `prefix` or below it. True if unknown. */
export function mayBeWithin(path: Segments, prefix: Segments): boolean {
  for (const [index, wanted] of prefix.entries()) {
    const segment = path[index]
    if (segment === undefined) return false
    if (parameter.test(segment) || parameter.test(wanted)) continue
    if (!fixed.test(segment)) return true
    if (segment.toLowerCase() !== wanted.toLowerCase()) return false
  }
  return true
}

function segmentsOf(path: unknown): Segments {
  return typeof path === 'string' && !path.includes('//') ? toSegments(path) : [unknownSegment()]
}

let unknowns = 0

/** Returns a segment that equals no segment of another layer. */
function unknownSegment(): string {
  unknowns += 1
  return `${unknownMark}${unknowns}`
}

function flatten(path: unknown): unknown[] {
  return Array.isArray(path) ? path.flat(Number.POSITIVE_INFINITY) : [path]
}

function mountPaths(layer: Layer): unknown[] {
  const { rawPath, regexp, keys = [] } = layer
  if (isGeneral(layer)) return ['']
  // In a list, `/` of Express 5 matches the whole path, or an extra slash.
  if (Array.isArray(rawPath)) return flatten(rawPath).map((path) => (path === '/' ? undefined : path))
  if (rawPath !== undefined) return [rawPath]
  if (regexp === undefined) return [undefined]
  const names = keys.map(({ name }) => name)
  return regexp.source.split(/\|(?=\^)/).map((source) => readMountPath(source, names))
}

/** Restores a mount path from the regular expression that Express 4 compiled. Undefined if the host app wrote the expression. */
function readMountPath(source: string, names: (string | number)[]): string | undefined {
  const compiled = /^\^(.*)\\\/\?\(\?=\\\/\|\$\)$/.exec(source)?.[1]
  const path = compiled
    ?.replace(/\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)|\\\/\(\?:\(\[\^\\?\/\]\+\?\)\)/g, () => `/:${names.shift()}`)
    .replace(/\\([/.-])/g, '$1')
  return path !== undefined && /^[\w.~@%:/-]*$/.test(path) ? path : undefined
}
