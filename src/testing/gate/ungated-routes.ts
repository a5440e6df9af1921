import { checkOption, refuseUnknownOptions } from '../../check-options'
import { type Router, routerOf } from './express-app'
import { displayPath, isWithin, mayBeWithin, type Segments, toSegments } from './path-pattern'
import { type Step, walk } from './walk'

/**
 * Options of {@link ungatedRoutes}.
 *
 * @example
 * ```ts
 * const options: UngatedOptions = { under: '/api', except: ['/api/login', /^\/api\/users/] }
 * ```
 */
export interface UngatedOptions {
  /**
   * Only routes below this path.
   * @defaultValue all routes
   */
  readonly under?: string
  /**
   * Routes that need no gate: whole paths as they are listed, without the method, and regular expressions for such paths.
   * @defaultValue none
   */
  readonly except?: readonly (string | RegExp)[]
}

const reads: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Lists the routes of an Express 4 or 5 app that write past the review: all methods but GET, HEAD and OPTIONS, where no
 * `router.gate(...)` stands before the last handler. Assert in a test of your app that it is empty. It looks into routers and
 * apps that are mounted. What it cannot look into is listed; where it is not sure whether a gate is in the way, it says that
 * none is. A function that `app.use` calls for all paths counts as middleware: {@link opaqueHandlers} lists these.
 *
 * @returns routes such as `PATCH /flags/:name`, in the order of the app
 * @throws TypeError when it is no app or router of Express, or names the option that does not fit.
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
    if (steps.slice(0, index).some((earlier, at) => guards(earlier, step) && !isPassedBy(steps.slice(at, index))))
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

/** Whether it may write: what goes on to a later function on the same path is taken for middleware. */
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
  return step.path.length > 0 && !later.some((other) => goesOnTo(other, step))
}

/** Whether the function of `use` is middleware of a later one. At a path of its own, reads do not make it one. */
function goesOnTo({ kind, method, path }: Step, step: Step): boolean {
  return (
    kind !== 'recovery' && kind !== 'express' && (step.general || !reads.includes(method)) && isWithin(path, step.path)
  )
}

/** Whether no request reaches the step without passing this one. */
function guards(gate: Step, step: Step): boolean {
  if (gate.kind !== 'gate' || (gate.method !== undefined && gate.method !== step.method)) return false
  if (gate.route !== undefined && gate.route === step.route) return true
  const owner = gate.mounts[0].router
  const depth = step.mounts.findIndex(({ router }) => router === owner)
  if (depth < 0 || !isWithin(step.path, gate.path) || isLedPast(gate.path, owner)) return false
  const below = step.mounts.slice(0, depth)
  // A request with a slash more, as for `/api//flags`, reaches the router but not a gate at a longer path.
  if (below.some(({ path, takesSlash }) => takesSlash && path.length < gate.path.length)) return false
  // What is passed on by a router with other rules may be spelled in another way.
  if (gate.prefix) {
    return owner.caseSensitive !== true || below.every(({ router }) => router.caseSensitive === true)
  }
  // `next('route')` leaves another route before its gate, and a strict router minds the slash at the end.
  const meetsAll = gate.first && owner.strict !== true && !step.prefix
  return meetsAll && below.length === 0 && gate.path.length === step.path.length
}

/** Whether a function of `router.param` may lead past what stands at the path, by `next('route')`. */
function isLedPast(path: Segments, { params = {} }: Router): boolean {
  return path.some((segment) => segment.startsWith(':') && Object.hasOwn(params, segment.slice(1)))
}

/** Whether a request that fails before or at the gate may go on behind it: a function for errors stands in between. */
function isPassedBy([gate, ...between]: readonly Step[]): boolean {
  return between.some(({ kind, mounts }) => kind === 'recovery' && mounts[0].router === gate?.mounts[0].router)
}

/** `app.all` of Express defines the route for each method there is. */
function summarize(found: readonly { readonly step: Step; readonly path: string }[]): string[] {
  const methods = new Map<string, Set<string | undefined>>()
  for (const { step, path } of found) methods.set(path, (methods.get(path) ?? new Set()).add(step.method))
  const lines = found.map(({ step, path }) => {
    const all = methods.get(path) as Set<string | undefined>
    return `${step.method === undefined || all.has('UNSUBSCRIBE') ? 'ALL' : step.method} ${path}`
  })
  return [...new Set(lines)]
}
