import { checkOption, refuseUnknownOptions } from '../../check-options'
import { type Router, routerOf } from '../../ports/express/express-app'
import { displayPath, isWithin, mayBeWithin, type Segments, toSegments } from '../../ports/express/path-pattern'
import { type Step, walk } from './walk'

/** Options of {@link ungatedRoutes}. */
export interface UngatedOptions {
  /**
   * Only routes below this path.
   * @defaultValue all routes
   */
  readonly under?: string
  /**
   * Routes that need no gate: complete paths as listed, without the method, or regular expressions for such paths.
   * @defaultValue none
   */
  readonly except?: readonly (string | RegExp)[]
}

const reads: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Lists the routes of an Express 4 or 5 app that write without review: routes with a method other than GET, HEAD and OPTIONS
 * and without `router.gate(...)` before the last handler. Assert in a test of your app that the list is empty. Mounted routers
 * and apps are inspected; those that cannot be inspected are listed. If it is unclear whether a gate protects a route, the
 * route is listed. A function that `app.use` calls for all paths counts as middleware: {@link opaqueHandlers} lists these.
 *
 * @returns routes such as `PATCH /flags/:name`, in the order of the app
 * @throws TypeError when `app` is not an app or router of Express, or when an option is invalid.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 *
 * assert.deepEqual(ungatedRoutes(app, { under: '/flags' }), [])
 * ```
 */
export function ungatedRoutes(app: unknown, options: UngatedOptions = {}): string[] {
  const router = routerOf(app)
  if (router === undefined) throw new TypeError('ungatedRoutes takes an app or a router of Express.')
  const { under, except } = checkedOptions(options)
  const steps = walk(router)
  const wanted = toSegments(under)
  const found = steps.flatMap((step, index) => {
    if (step.kind !== 'handler' || reads.includes(step.method) || !lastOfItsKind(steps, index)) return []
    if (steps.slice(0, index).some((earlier, at) => guards(earlier, step) && !mayRecoverAfter(steps.slice(at, index))))
      return []
    if (!mayBeWithin(step.path, wanted) && !(step.prefix && mayBeWithin(wanted, step.path))) return []
    const path = displayPath(step.path)
    if (except.some((one) => (typeof one === 'string' ? one === path : path.search(one) >= 0))) return []
    return [{ step, path }]
  })
  return summarize(found)
}

function checkedOptions(options: UngatedOptions): Required<UngatedOptions> {
  const owner = 'ungatedRoutes'
  refuseUnknownOptions(owner, options, ['under', 'except'])
  const { under = '', except = [] } = options
  checkOption(owner, 'under', typeof under === 'string', 'a path')
  checkOption(owner, 'except', Array.isArray(except) && except.every(isException), 'a list of paths and patterns')
  return { under, except }
}

function isException(value: unknown): boolean {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object RegExp]'
}

/** Whether the step may write. A function followed by a later one on the same path counts as middleware. */
function lastOfItsKind(steps: readonly Step[], index: number): boolean {
  const step = steps[index] as Step
  const later = steps.slice(index + 1)
  if (step.route !== undefined) {
    return !later.some(
      ({ route, method, path, kind }) =>
        route === step.route &&
        path.join('/') === step.path.join('/') &&
        kind === 'handler' &&
        (method === undefined || method === step.method),
    )
  }
  if (step.opaque) return true
  return step.path.length > 0 && !later.some((other) => isMiddlewareOf(other, step))
}

/** Whether the function of `use` is middleware of a later step. With its own path, steps that only read do not count. */
function isMiddlewareOf({ kind, method, path }: Step, step: Step): boolean {
  return (
    kind !== 'recovery' && kind !== 'express' && (step.general || !reads.includes(method)) && isWithin(path, step.path)
  )
}

/** Whether every request passes the gate before it reaches the step. */
function guards(gate: Step, step: Step): boolean {
  if (gate.kind !== 'gate' || (gate.method !== undefined && gate.method !== step.method)) return false
  if (gate.route !== undefined && gate.route === step.route) return true
  const owner = gate.mounts[0].router
  const depth = step.mounts.findIndex(({ router }) => router === owner)
  if (depth < 0 || !isWithin(step.path, gate.path) || maySkip(gate.path, owner)) return false
  const below = step.mounts.slice(0, depth)
  // A request with an extra slash, such as `/api//flags`, reaches the router but not a gate at a longer path.
  if (below.some(({ path, takesSlash }) => takesSlash && path.length < gate.path.length)) return false
  // A router with other options may match other spellings of the path.
  if (gate.prefix) {
    return owner.caseSensitive !== true || below.every(({ router }) => router.caseSensitive === true)
  }
  // `next('route')` can leave another route before its gate, and a strict router distinguishes the trailing slash.
  const meetsAll = gate.first && owner.strict !== true && !step.prefix
  return meetsAll && below.length === 0 && gate.path.length === step.path.length
}

/** Whether a callback of `router.param` may skip the layer at the path with `next('route')`. */
function maySkip(path: Segments, { params = {} }: Router): boolean {
  return path.some((segment) => segment.startsWith(':') && Object.hasOwn(params, segment.slice(1)))
}

/** Whether an error handler after the gate may let a request continue that failed before or at the gate. */
function mayRecoverAfter([gate, ...between]: readonly Step[]): boolean {
  return between.some(({ kind, mounts }) => kind === 'recovery' && mounts[0].router === gate?.mounts[0].router)
}

/** `app.all` of Express defines the route once per method. */
function summarize(found: readonly { readonly step: Step; readonly path: string }[]): string[] {
  const methods = new Map<string, Set<string | undefined>>()
  for (const { step, path } of found) methods.set(path, (methods.get(path) ?? new Set()).add(step.method))
  const lines = found.map(({ step, path }) => {
    const all = methods.get(path) as Set<string | undefined>
    return `${step.method === undefined || all.has('UNSUBSCRIBE') ? 'ALL' : step.method} ${path}`
  })
  return [...new Set(lines)]
}
