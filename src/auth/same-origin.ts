import { refuseUnknownOptions } from '../check-options'
import type { Authenticate } from '../ports/access'

/** Options of {@link sameOrigin}. */
export interface SameOriginOptions {
  /**
   * Hosts, with a port unless it is the default one, under which browsers reach your app if a proxy changes the header `Host`.
   * @defaultValue none
   */
  readonly hosts?: readonly string[]
}

/**
 * Returns whether a request can come from a page of your own app. Call it in an {@link Authenticate} that trusts a cookie, and
 * return null otherwise: browsers send cookies with requests of other sites, too (CSRF).
 *
 * True for GET, HEAD and OPTIONS. For other methods the header `Sec-Fetch-Site` decides; without it, the host of `Origin` must
 * be the header `Host` or one of `hosts`. A request without either header does not come from a current browser: true.
 *
 * @example
 * ```ts
 * const authenticate: Authenticate = (req) => (sameOrigin(req) ? userOf(req.get('cookie')) : null)
 *
 * declare function userOf(cookie: string | undefined): Actor | null
 * ```
 *
 * @throws TypeError that names an unknown option.
 */
export function sameOrigin(
  req: Pick<Parameters<Authenticate>[0], 'method' | 'headers'>,
  options: SameOriginOptions = {},
): boolean {
  refuseUnknownOptions('sameOrigin', options, ['hosts'])
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return true
  const { 'sec-fetch-site': site, origin, host = '' } = req.headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const own = new URL(origin)
  const names = [host, ...(options.hosts ?? [])]
  return own.host !== '' && names.some((name) => hostOf(`${own.protocol}//${name}`) === own.host)
}

/** In lower case and without the default port, as in `Origin`. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}
