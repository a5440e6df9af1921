import { type Handler, innerRouter, type Layer, type Router } from '../../ports/express/express-app'
import { isGeneral, pathsOf, type Segments } from '../../ports/express/path-pattern'
import { type GuardKind, guardKind } from '../../ports/guard-mark'
import { isOfExpress } from './express-functions'

/** A place where a router is mounted. */
export interface Mount {
  readonly router: Router
  /** The path, starting at the root of the app. */
  readonly path: Segments
  /**
   * Whether the mount path also matches an extra slash, as in Express 4: `/api//flags` is `/flags` for a router at `/api`, but
   * does not match the layers next to it.
   */
  readonly takesSlash: boolean
}

/** The mounts from the router that calls a function up to the app. */
export type Mounts = readonly [Mount, ...Mount[]]

/** A function that an app calls for a request. */
export interface Step {
  /**
   * `recovery` is called only for errors, and may let a failed request continue. `express` is a function of Express itself,
   * such as `express.static()`.
   */
  readonly kind: GuardKind | 'handler' | 'recovery' | 'express'
  readonly path: Segments
  /** Whether it is also called for all paths below. */
  readonly prefix: boolean
  /** In capitals; undefined for all methods. */
  readonly method: string | undefined
  /** Identifies the definition of a route. */
  readonly route: Layer['route']
  /** Whether it is the first function of its route for all of its methods. */
  readonly first: boolean
  /** Whether `use` calls it for all paths of its router. */
  readonly general: boolean
  readonly mounts: Mounts
  /** Whether it is another app that cannot be inspected. */
  readonly opaque: boolean
}

/** Returns all functions of an app in the order in which it calls them. */
export function walk(router: Router): Step[] {
  return walkFrom([[{ router, path: [], takesSlash: false }]])
}

/** Returns the steps of a router for each place where it is mounted. */
function walkFrom(places: readonly Mounts[]): Step[] {
  const [first] = places
  if (first === undefined) return []
  return first[0].router.stack.flatMap((layer) => {
    const found = places.flatMap((mounts) => pathsOf(layer, mounts[0].path).map((path) => ({ mounts, path })))
    const router = innerRouter(layer)
    if (router === undefined) return found.flatMap(({ mounts, path }) => stepsOf(layer, path, mounts))
    const takesSlash = layer.regexp !== undefined && !isGeneral(layer)
    // A router that is mounted in itself would cause an endless recursion.
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

/** Undefined means all methods. */
function sharesMethod(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

function kindOf(handle: Handler): Step['kind'] {
  // Express recognizes error handlers by the number of their parameters.
  if (handle.length > 3) return 'recovery'
  return guardKind(handle) ?? (isOfExpress(handle) ? 'express' : 'handler')
}
