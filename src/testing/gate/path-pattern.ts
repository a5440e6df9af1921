import type { Layer } from './express-app'

/** The segments of a path from the root of the app on. */
export type Segments = readonly string[]

const fixed = /^[\w.~@%-]+$/
const parameter = /^:\w+$/
/** Stands before what cannot be read, such as a regular expression. */
const unknownMark = '\0'

/** The paths of a layer, below that of its router. */
export function pathsOf(layer: Layer, parent: Segments): Segments[] {
  const own = layer.route === undefined ? mountPaths(layer) : flatten(layer.route.path)
  return own.map((path) => [...parent, ...segmentsOf(path)])
}

export function toSegments(path: string): Segments {
  return path.split('/').filter((segment) => segment !== '')
}

/** For people: what cannot be read is three dots. */
export function displayPath(segments: Segments): string {
  return `/${segments.map((segment) => (segment.startsWith(unknownMark) ? '...' : segment)).join('/')}`
}

/** Whether the layer of `use` has no path of its own. */
export function isGeneral({ slash, regexp }: Layer): boolean {
  return slash === true || regexp?.fast_slash === true
}

/** What Express 4 lets match without the slash or the segments before it. */
const reachesBack = /\?.|\||^\{\d/
const simpleGroup = /\([^()]*\)/g

/** Whether every request for `path` is one for `prefix` or below it. In doubt it is not. */
export function isWithin(path: Segments, prefix: Segments): boolean {
  if (prefix.length > 0 && path.some((segment) => reachesBack.test(segment.replace(simpleGroup, '')))) return false
  return prefix.every((wanted, index) => {
    const segment = path[index]
    if (segment === undefined) return false
    if (parameter.test(wanted)) return parameter.test(segment) || fixed.test(segment)
    // The same regular expression at the same place: both stand below it.
    return segment === wanted && (fixed.test(segment) || segment.startsWith(unknownMark))
  })
}

/** Whether a request for `path` may be one for `prefix` or below it. In doubt it may. */
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

/** Equal to none of another layer. */
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
  // In a list, Express 5 takes `/` for the whole path, or for a slash more.
  if (Array.isArray(rawPath)) return flatten(rawPath).map((path) => (path === '/' ? undefined : path))
  if (rawPath !== undefined) return [rawPath]
  if (regexp === undefined) return [undefined]
  const names = keys.map(({ name }) => name)
  return regexp.source.split(/\|(?=\^)/).map((source) => readMountPath(source, names))
}

/** Express 4 keeps of a mount path only what it was compiled to. Undefined for what a host wrote as a regular expression. */
function readMountPath(source: string, names: (string | number)[]): string | undefined {
  const compiled = /^\^(.*)\\\/\?\(\?=\\\/\|\$\)$/.exec(source)?.[1]
  const path = compiled
    ?.replace(/\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)|\\\/\(\?:\(\[\^\\?\/\]\+\?\)\)/g, () => `/:${names.shift()}`)
    .replace(/\\([/.-])/g, '$1')
  return path !== undefined && /^[\w.~@%:/-]*$/.test(path) ? path : undefined
}
