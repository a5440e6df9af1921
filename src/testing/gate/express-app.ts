/** What Express 4 and 5 keep of `app.use`, `router.use` and each route. Neither of them documents it. */
export interface Layer {
  readonly name?: string
  readonly handle: Handler
  readonly route?: Route
  /** The path as it was given, from version 2.3 of the package router on. */
  readonly rawPath?: unknown
  /** True for the path `/`, with any version of the package router. */
  readonly slash?: boolean
  /** Express 4 alone. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean }
  readonly keys?: readonly { readonly name: string | number }[]
}

export interface Route {
  readonly path: unknown
  /** A handler without a method is one of `all`. */
  readonly stack: readonly { readonly method?: string; readonly handle: Handler }[]
}

export type Handler = (...all: never[]) => unknown

export interface Router {
  readonly stack: readonly Layer[]
  readonly caseSensitive?: boolean
  /** Whether `/flags` and `/flags/` are two routes. */
  readonly strict?: boolean
  /** What `router.param` has added, by parameter. */
  readonly params?: Readonly<Record<string, unknown>>
}

interface Parts {
  readonly stack?: unknown
  readonly route?: unknown
  readonly lazyrouter?: unknown
  readonly _router?: Router
  readonly router?: Router
}

const noLayers: Router = { stack: [] }

/** The router of an app, or the router itself; undefined for anything else. */
export function routerOf(app: unknown): Router | undefined {
  if (typeof app !== 'function') return undefined
  const parts = app as Parts
  // Apps of connect have a stack of another kind, and no method `route`.
  if (typeof parts.route !== 'function') return undefined
  if (Array.isArray(parts.stack)) return app as unknown as Router
  // Reading `router` of an app of Express 4 throws. It has no router before its first layer.
  return typeof parts.lazyrouter === 'function' ? (parts._router ?? noLayers) : parts.router
}

/** The router or app that a layer calls; undefined for any other function. */
export function innerRouter(layer: Layer): Router | undefined {
  return routerOf(layer.handle) ?? routerOf(mountedApp(layer))
}

/**
 * The app behind `app.use(otherApp)`, which Express hides in a function. Each app makes itself the prototype of the request
 * before anything of it runs; the request of this call then has no path any more, so that nothing of it does.
 */
function mountedApp({ name, handle }: Layer): unknown {
  if (name !== 'mounted_app') return undefined
  let found: unknown
  const target: Record<string, unknown> = { url: '/', method: 'GET', query: {}, app: { request: {}, response: {} } }
  const req = new Proxy(target, {
    setPrototypeOf(_, prototype) {
      found ??= (prototype as { readonly app?: unknown } | null)?.app
      target.url = undefined
      return true
    },
  })
  try {
    const call = handle as unknown as (req: object, res: object, next: () => void) => void
    call(req, { setHeader() {}, locals: {} }, () => undefined)
  } catch {
    // Another version of Express: the app cannot be looked into.
  }
  return found
}
