import { checkOption, refuseUnknownOptions } from '../../check-options'

/**
 * Options of {@link reviewPage}.
 *
 * @example
 * ```ts
 * const options: ReviewPageOptions = { api: '/api/admin', signIn: 'host', signInUrl: '/sign-in', title: 'Flags of the shop' }
 * ```
 */
export interface ReviewPageOptions {
  /**
   * Where the router answers, on the origin of the page: a path such as `/api/admin`, or relative to where the page is
   * mounted, as a link beside it: from `/review`, `api/admin` is `/api/admin`. A relative one survives a proxy that adds a
   * prefix.
   */
  readonly api: string
  /**
   * How people sign in. `'host'`: your app does it, and the page sends your cookies. `'key'`: the page asks for an API key
   * and keeps it in the tab (`sessionStorage`).
   */
  readonly signIn: 'host' | 'key'
  /** With `signIn: 'host'`: where people sign in again when a session ended; a path, or an address of your sign-in server. */
  readonly signInUrl?: string
  /**
   * The name of the page.
   * @defaultValue `'Change requests'`
   */
  readonly title?: string
  /** A stylesheet of yours, on the same origin, that sets colours and the font; a path, or relative as `api`. */
  readonly stylesheet?: string
}

const owner = 'reviewPage'
const known = ['api', 'signIn', 'signInUrl', 'title', 'stylesheet']

/** @throws TypeError that names the option */
export function checkPageOptions(options: ReviewPageOptions): void {
  refuseUnknownOptions(owner, options, known)
  const { api, signIn, signInUrl, title, stylesheet } = options
  const path = 'a path of the same origin, such as "/api/admin"'
  checkOption(owner, 'api', isPath(api), path)
  checkOption(owner, 'signIn', signIn === 'host' || signIn === 'key', '"host" or "key"')
  const address = 'a path, or an address that begins with https:// or http://'
  checkOption(owner, 'signInUrl', signInUrl === undefined || isPath(signInUrl) || isWeb(signInUrl), address)
  checkOption(owner, 'title', title === undefined || isText(title), 'a text of 1 to 100 characters')
  checkOption(owner, 'stylesheet', stylesheet === undefined || isPath(stylesheet), 'a path of the same origin')
}

/** Neither another origin (`//host`, `https:`, and `\`, which browsers take for `/`) nor a script. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^(?!\/\/)[^\s\\:#]+$/.test(value)
}

function isWeb(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 100
}
