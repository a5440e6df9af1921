import { type GuardKind, guardKind } from '../../ports/guard-mark'
import { type Handler, innerRouter, type Layer, type Router } from './express-app'
import { isOfExpress } from './express-functions'
import { isGeneral, pathsOf, type Segments } from './path-pattern'

/** Where a router is reached. */
export interface Mount {
  readonly router: Router
  /** From the root of the app on. */
  readonly path: Segments
  /**
   * True where the mount path takes one slash more with it, as Express 4 does: `/api//flags` is `/flags` for a router at `/api`,
   * and nothing that the layers beside it know.
   */
  readonly takesSlash: boolean
}

/** From the router that calls a function up to the app. */
export type Mounts = readonly [Mount, ...Mount[]]

/** A function that an app calls for a request. */
export interface Step {
  /**
   * `recovery` is called for errors alone, and may let a request go on that failed before; `express` is a function of Express
   * itself, such as `express.static()`.
   */
  readonly kind: GuardKind | 'handler' | 'recovery' | 'express'
  readonly path: Segments
  /** True where it is also called for all paths below. */
  readonly prefix: boolean
  /** In capitals; undefined for all of them. */
  readonly method: string | undefined
  /** Of a route: the place where it was defined. */
  readonly route: Layer['route']
  /** True where no function of the same route comes before it for any of its methods. */
  readonly first: boolean
  /** True for what `use` calls for all paths of its router. */
  readonly general: boolean
  readonly mounts: Mounts
  /** True for another app, into which nothing can look. */
  readonly opaque: boolean
}

/** All functions of an app in the order in which it calls them. */
export function walk(router: Router): Step[] {
  return walkFrom([[{ router, path: [], takesSlash: false }]])
}

/** The steps of a router, at each of the places where it is mounted. */
function walkFrom(places: readonly Mounts[]): Step[] {
  const [first] = places
  if (first === undefined) return []
  return first[0].router.stack.flatMap((layer) => {
    const found = places.flatMap((mounts) => pathsOf(layer, mounts[0].path).map((path) => ({ mounts, path })))
    const router = innerRouter(layer)
    if (router === undefined) return found.flatMap(({ mounts, path }) => stepsOf(layer, path, mounts))
    const takesSlash = layer.regexp !== undefined && !isGeneral(layer)
    // A router that is mounted in itself would never end.
    const deeper = found.filter(({ mounts }) => !mounts.some((above) => above.router === router))
    return walkFrom(deeper.map(({ mounts, path }) => [{ router, path, takesSlash }, ...mounts]))
  })
}

function stepsOf(layer: Layer, path: Segments, mounts: Mounts): Step[] {
  const { route, handle, name } = layer
  if (route === undefined) {
    const all = { prefix: true, method: undefined, first: true, general: isGeneral(layer) }
    return [{ kind: kindOf(handle), path, ...all, route, mounts, opaque: name === 'mounted_app' }]
  }
  const single = { prefix: false, general: false, opaque: false }
  return route.stack.map(({ method, handle }, index) => {
    const earlier = route.stack.slice(0, index)
    const first = !earlier.some((one) => sharesMethod(one.method, method))
    return { kind: kindOf(handle), path, ...single, method: method?.toUpperCase(), route, first, mounts }
  })
}

/** Undefined stands for all methods. */
function sharesMethod(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

function kindOf(handle: Handler): Step['kind'] {
  // By the number of their parameters Express knows the functions for errors.
  if (handle.length > 3) return 'recovery'
  return guardKind(handle) ?? (isOfExpress(handle) ? 'express' : 'handler')
}
