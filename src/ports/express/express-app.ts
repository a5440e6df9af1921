/** The undocumented record that Express 4 and 5 store for `app.use`, `router.use` and each route. */
export interface Layer {
  readonly name?: string
  readonly handle: Handler
  readonly route?: Route
  /** The original path; set by the package router from version 2.3 on. */
  readonly rawPath?: unknown
  /** Whether the path is `/`; set by every version of the package router. */
  readonly slash?: boolean
  /** Express 4 only. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean }
  readonly keys?: readonly { readonly name: string | number }[]
}

export interface Route {
  readonly path: unknown
  /** A handler without a method was added with `all`. */
  readonly stack: readonly { readonly method?: string; readonly handle: Handler }[]
}

export type Handler = (...all: never[]) => unknown

export interface Router {
  readonly stack: readonly Layer[]
  readonly caseSensitive?: boolean
  /** Whether `/flags` and `/flags/` are different routes. */
  readonly strict?: boolean
  /** The callbacks added with `router.param`, by parameter. */
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

/** Returns the router of an app, or the router itself; undefined for anything else. */
export function routerOf(app: unknown): Router | undefined {
  if (typeof app !== 'function') return undefined
  const parts = app as Parts
  // Apps of connect have a different stack and no method `route`.
  if (typeof parts.route !== 'function') return undefined
  if (Array.isArray(parts.stack)) return app as unknown as Router
  // Reading `router` of an Express 4 app throws. It has no router before its first layer.
  return typeof parts.lazyrouter === 'function' ? (parts._router ?? noLayers) : parts.router
}

/** Returns the router or app that a layer calls; undefined for any other function. */
export function innerRouter(layer: Layer): Router | undefined {
  return routerOf(layer.handle) ?? routerOf(mountedApp(layer))
}

/**
 * Returns the app of `app.use(otherApp)`, which Express wraps in a function. The function is called with a fake request.
 * The app first sets its own prototype on the request, which shows the app. Then the request has no path, so no handler runs.
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
    // Another version of Express: the app cannot be inspected.
  }
  return found
}
