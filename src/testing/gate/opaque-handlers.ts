import { innerRouter, type Router, routerOf } from '../../ports/express/express-app'
import { isGeneral } from '../../ports/express/path-pattern'
import { guardKind } from '../../ports/guard-mark'
import { isOfExpress } from './express-functions'

/** A function that {@link opaqueHandlers} lists. */
export interface OpaqueHandler {
  /** The 0-based index in the stack of the app and of each nested router: `3.1` is the second function of the router at 3. */
  readonly position: string
  /** The name of the function; `<anonymous>` if it has none. */
  readonly name: string
}

/**
 * Lists the functions that an Express 4 or 5 app calls for all paths, in the app or in a router, and that {@link ungatedRoutes}
 * cannot inspect. It treats them as middleware, although one of them might write. Most are harmless, such as `cors` or a
 * session, so read the list instead of asserting on it. Functions of Express and of this package are left out.
 *
 * @returns the functions in the order of the app
 * @throws TypeError when `app` is not an app or router of Express.
 *
 * @example
 * ```ts
 * console.table(opaqueHandlers(app))
 * ```
 */
export function opaqueHandlers(app: unknown): OpaqueHandler[] {
  const router = routerOf(app)
  if (router === undefined) throw new TypeError('opaqueHandlers takes an app or a router of Express.')
  return handlersOf(router, '', [])
}

function handlersOf(router: Router, prefix: string, above: readonly Router[]): OpaqueHandler[] {
  // A router that is mounted in itself would cause an endless recursion.
  if (above.includes(router)) return []
  return router.stack.flatMap((layer, index) => {
    const position = `${prefix}${index}`
    const inner = innerRouter(layer)
    if (inner !== undefined) return handlersOf(inner, `${position}.`, [...above, router])
    const { route, handle } = layer
    if (route !== undefined || !isGeneral(layer)) return []
    if (guardKind(handle) !== undefined || isOfExpress(handle)) return []
    return [{ position, name: handle.name === '' ? '<anonymous>' : handle.name }]
  })
}
