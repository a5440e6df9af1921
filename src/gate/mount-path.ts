import type { Request } from 'express'
import { type Router, routerOf } from '../ports/express/express-app'
import { pathsOf, type Segments } from '../ports/express/path-pattern'

/**
 * The path at which the app of a request has mounted a router, with the parameters of the request; empty if the app shows none.
 * Express keeps it only for apps, not for routers.
 */
export function mountPathOf(router: unknown, { app, params }: Pick<Request, 'app' | 'params'>): string {
  const found = find(router, [{ router: routerOf(app), path: [] }])
  if (found === undefined || typeof app.path !== 'function') return ''
  const names = found.map((segment) => {
    return segment.startsWith(':') ? encodeURIComponent(String(params[segment.slice(1)] ?? '')) : segment
  })
  const path = [app.path(), ...names].join('/')
  // A mount path can be a list or a regular expression, and its parameter can be unknown here.
  return /^(?:\/[\w.~@%!'()*-]+)*$/.test(path) ? path : ''
}

interface Mount {
  readonly router: Router | undefined
  readonly path: Segments
}

/** @param mounts those from a router up to the app */
function find(wanted: unknown, mounts: readonly [Mount, ...Mount[]]): Segments | undefined {
  const [{ router, path: parent }] = mounts
  for (const layer of router?.stack ?? []) {
    const inner = layer.route === undefined ? routerOf(layer.handle) : undefined
    // A router that is mounted in itself would cause an endless recursion.
    if (inner === undefined || mounts.some((above) => above.router === inner)) continue
    const [path = []] = pathsOf(layer, parent)
    const found = layer.handle === wanted ? path : find(wanted, [{ router: inner, path }, ...mounts])
    if (found !== undefined) return found
  }
  return undefined
}
