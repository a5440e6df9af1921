import { guardKind } from '../../ports/guard-mark'
import { innerRouter, type Router, routerOf } from './express-app'
import { isOfExpress } from './express-functions'
import { isGeneral } from './path-pattern'

/**
 * A function that {@link opaqueHandlers} lists.
 *
 * @example
 * ```ts
 * const found: OpaqueHandler = { position: '3.1', name: 'corsMiddleware' }
 * ```
 */
export interface OpaqueHandler {
  /** The index in the stack of the app from 0 on, and in each router on the way: `3.1` is the second one of the router at 3. */
  readonly position: string
  /** The name of the function; `<anonymous>` for none. */
  readonly name: string
}

/**
 * Lists the functions that an Express 4 or 5 app calls for all paths, in the app or in a router, and that {@link ungatedRoutes}
 * cannot look into: it takes them for middleware, although one of them might write. Most are harmless, such as `cors` or a
 * session, so read the list rather than assert on it. The functions of Express and of this package are left out.
 *
 * @returns the functions in the order of the app
 * @throws TypeError when it is no app or router of Express.
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
  // A router that is mounted in itself would never end.
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
