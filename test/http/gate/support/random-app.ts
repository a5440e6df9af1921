import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express'
import fc from 'fast-check'
import { isExpress4 } from '../majors'

type Method = 'put' | 'patch' | 'all'

type Part = 'pass' | 'gate' | 'recover'

/** What a router calls in turn, as an app would define it. */
export type Item =
  | { readonly kind: 'use'; readonly part: Part | 'fail'; readonly paths: readonly string[] }
  | {
      readonly kind: 'route'
      readonly path: string
      readonly name: string
      readonly before: readonly { readonly method: Method; readonly part: Part }[]
      /** Without one, the route only has what stands before it. */
      readonly write: Method | null
    }
  | {
      readonly kind: 'mount'
      readonly paths: readonly string[]
      readonly as: 'router' | 'app'
      readonly options: { readonly strict?: boolean; readonly caseSensitive?: boolean }
      readonly items: readonly Item[]
    }

const names = ['w1', 'w2'] as const
const method = fc.constantFrom<Method>('put', 'patch', 'all')

const odd = isExpress4 ? ['/a/', '/a//b', '/a?', '/:p?', '/a*', '/(a|b)'] : ['/a/', '/a//b', '{/:p}', '/a{b}', '/*all']
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', ':p', 'A'), { maxLength: 2 })
      .map((segments) => `/${segments.join('/')}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
)
const paths: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly string[]>([]) },
  { weight: 6, arbitrary: path.map((one) => [one]) },
  { weight: 1, arbitrary: fc.tuple(path, path) },
)
/** At the path of a route, or above it. */
const named = fc
  .tuple(paths, fc.constantFrom('', ...names))
  .map(([all, name]) => all.map((one) => (name === '' ? one : join(one, name))))
const part = fc.constantFrom<Part>('pass', 'gate', 'gate', 'recover')
const used = fc.record({
  kind: fc.constant('use' as const),
  part: fc.oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: fc.constant('fail' as const) }),
  paths: named,
})
const route = fc.record({
  kind: fc.constant('route' as const),
  path,
  name: fc.constantFrom(...names),
  before: fc.array(fc.record({ method, part }), { maxLength: 2 }),
  write: fc.oneof({ weight: 4, arbitrary: method }, { weight: 1, arbitrary: fc.constant(null) }),
})

function level(depth: number): fc.Arbitrary<readonly Item[]> {
  const mount = fc.record({
    kind: fc.constant('mount' as const),
    paths,
    as: fc.constantFrom<'router' | 'app'>('router', 'router', 'app'),
    options: fc.record({ strict: fc.boolean(), caseSensitive: fc.boolean() }, { requiredKeys: [] }),
    items: depth === 0 ? fc.constant<readonly Item[]>([]) : level(depth - 1),
  })
  const item = fc.oneof(
    { weight: 3, arbitrary: used },
    { weight: 3, arbitrary: route },
    { weight: depth === 0 ? 0 : 3, arbitrary: mount },
  )
  return fc.array(item, { minLength: 1, maxLength: 4 })
}

/** An app of at most three routers, one in the other, often with a gate at the path of a route, or above it. */
export const randomItems: fc.Arbitrary<readonly Item[]> = fc
  .tuple(level(2), fc.option(fc.tuple(fc.nat(), fc.nat())))
  .map(([items, numbers]) => (numbers === null ? items : withGate(items, numbers)))

function withGate(items: readonly Item[], [which, depth]: readonly [number, number]): readonly Item[] {
  const places = placesFor(items)
  const place = places[which % places.length]
  if (place === undefined) return items
  const segments = place.path.split('/').filter((segment) => segment !== '')
  return inserted(items, place.at, `/${segments.slice(0, depth % (segments.length + 1)).join('/')}`)
}

interface Place {
  /** Which mounts lead to its router. */
  readonly at: readonly number[]
  /** Of a route, from there on. */
  readonly path: string
}

function placesFor(items: readonly Item[]): Place[] {
  return [
    ...declaredPaths(items, ['']).map((path) => ({ at: [], path })),
    ...items.flatMap((item, index) =>
      item.kind === 'mount' ? placesFor(item.items).map(({ at, path }) => ({ at: [index, ...at], path })) : [],
    ),
  ]
}

function inserted(items: readonly Item[], [next, ...others]: readonly number[], path: string): readonly Item[] {
  if (next === undefined) return [{ kind: 'use', part: 'gate', paths: [path] }, ...items]
  return items.map((item, index) =>
    index === next && item.kind === 'mount' ? { ...item, items: inserted(item.items, others, path) } : item,
  )
}

function join(...parts: readonly string[]): string {
  return parts.join('/').replace(/\/{2,}/g, '/')
}

export interface Built {
  readonly app: Router
  /** Each makes one function leave its route or router, or fail. */
  readonly headers: readonly string[]
}

/** Each function for writes notes that it was reached, and goes on. */
export function build(items: readonly Item[], gate: RequestHandler, note: (id: string, write: string) => void): Built {
  const headers: string[] = []

  function handler(part: Part | 'fail'): RequestHandler | ErrorRequestHandler {
    if (part === 'gate') return gate
    if (part === 'recover') return ((_error, _req, _res, next) => next()) as ErrorRequestHandler
    return switched(part === 'fail' ? new Error('It fails.') : 'route')
  }

  /** What one header makes go on in another way. */
  function switched(to: Error | 'route' | 'router'): RequestHandler {
    const id = String(headers.length)
    headers.push(`X-Switch: ${id}\r\n`)
    return (req, _res, next) => next(req.get('x-switch') === id ? (to as 'route') : undefined)
  }

  function writes(name: string): RequestHandler {
    return (req, _res, next) => {
      note(req.get('x-id') as string, `${req.method} ${name}`)
      next()
    }
  }

  function fill(router: Router, all: readonly Item[]): void {
    for (const item of all) {
      if (item.kind === 'use') use(router, item.paths, handler(item.part) as RequestHandler)
      else if (item.kind === 'mount') {
        const { strict = false, caseSensitive = false } = item.options
        const inner = item.as === 'app' ? express() : express.Router({ strict, caseSensitive })
        if (item.as === 'app') {
          const app = inner as express.Express
          app.set('strict routing', strict).set('case sensitive routing', caseSensitive)
        }
        inner.use(switched('router'))
        fill(inner, item.items)
        use(router, item.paths, inner)
      } else {
        const route = router.route(join(item.path, item.name))
        for (const { method, part } of item.before) route[method](handler(part) as RequestHandler)
        if (item.write !== null) route[item.write](writes(item.name))
      }
    }
  }

  const app = express()
  fill(app, items)
  return { app, headers }
}

function use(router: Router, paths: readonly string[], handler: RequestHandler): void {
  if (paths.length === 0) router.use(handler)
  else router.use(paths.length === 1 ? (paths[0] as string) : [...paths], handler)
}

/** Paths of requests that reach the routes of an app. */
export function requestPaths(items: readonly Item[]): string[] {
  const declared = [...new Set(declaredPaths(items, ['']))]
  return declared.flatMap((path) => [
    path.replace(/:p/g, 'x'),
    ...(path.includes(':p') ? [path.replace(/:p/g, '%zz')] : []),
  ])
}

/** Other ways to spell a path, which a layer may take for the same. */
export function spellings(path: string): string[] {
  const slashes = [...path].flatMap((char, index) => (char === '/' ? [index] : []))
  const doubled = slashes.map((index) => `${path.slice(0, index)}/${path.slice(index)}`)
  return [...doubled, path.replaceAll('/', '//'), `${path}/`, path.toUpperCase(), path.toLowerCase()]
}

function declaredPaths(items: readonly Item[], above: readonly string[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'route') return above.map((parent) => join(parent, plain(item.path), item.name))
    if (item.kind === 'use') return []
    const paths = item.paths.length === 0 ? [''] : item.paths
    return declaredPaths(
      item.items,
      above.flatMap((parent) => paths.map((one) => join('/', parent, plain(one)))),
    )
  })
}

/** What a path with wildcards or options matches. */
function plain(path: string): string {
  return path.replace(/\*\w*|[?{}]/g, '').replace('(a|b)', 'b')
}
