import { type GuardKind, guardKind } from '../../ports/guard-mark'
import { type Handler, type Layer, mountedApp, type Router, routerOf } from './express-app'
import { isGeneral, pathsOf, type Segments } from './path-pattern'

/** A function that an app calls for a request. */
export interface Step {
  /** `recovery` is called for errors alone, and may let a request go on that failed before. */
  readonly kind: GuardKind | 'handler' | 'recovery'
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
  /** From the app down to the router that calls it. */
  readonly routers: readonly Router[]
  /** True for another app, into which nothing can look. */
  readonly opaque: boolean
}

/** All functions of an app in the order in which it calls them. */
export function walk(router: Router, parents: readonly Segments[] = [[]], above: readonly Router[] = []): Step[] {
  // A router that is mounted in itself would never end.
  if (above.includes(router)) return []
  const routers = [...above, router]
  return router.stack.flatMap((layer) => {
    const paths = pathsOf(layer, parents)
    const inner = routerOf(layer.handle) ?? routerOf(mountedApp(layer))
    if (inner !== undefined) return walk(inner, paths, routers)
    return paths.flatMap((path) => stepsOf(layer, path, routers))
  })
}

function stepsOf(layer: Layer, path: Segments, routers: readonly Router[]): Step[] {
  const { route, handle, name } = layer
  if (route === undefined) {
    const all = { prefix: true, method: undefined, first: true, general: isGeneral(layer) }
    return [{ kind: kindOf(handle), path, ...all, route, routers, opaque: name === 'mounted_app' }]
  }
  const single = { prefix: false, general: false, opaque: false }
  return route.stack.map(({ method, handle }, index) => {
    const earlier = route.stack.slice(0, index)
    const first = !earlier.some((one) => sharesMethod(one.method, method))
    return { kind: kindOf(handle), path, ...single, method: method?.toUpperCase(), route, first, routers }
  })
}

/** Undefined stands for all methods. */
function sharesMethod(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/** By the number of their parameters Express knows the functions for errors. */
function kindOf(handle: Handler): Step['kind'] {
  return guardKind(handle) ?? (handle.length > 3 ? 'recovery' : 'handler')
}
