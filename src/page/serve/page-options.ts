import { checkOptions, each, must, type OptionTable, oneOf, optional } from '../../check-options'

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
   * The URL of the router, on the origin of the page: a path such as `/api/admin`, or a relative URL. It is resolved like a
   * link next to the page: for a page at `/review`, `api/admin` is `/api/admin`. A relative URL also works behind a proxy that
   * adds a prefix.
   */
  readonly api: string
  /**
   * How users sign in. `'host'`: your app signs them in, and the page sends your cookies. `'key'`: the page prompts for an
   * API key and stores it in `sessionStorage`, for the tab.
   */
  readonly signIn: 'host' | 'key'
  /**
   * With `signIn: 'host'`: where users sign in again after their session has expired; a path, or a URL of your sign-in
   * server. The page adds the query parameter `returnTo`: the path and query to redirect to afterwards. Accept only your own origin.
   */
  readonly signInUrl?: string
  /**
   * With `signIn: 'host'`: where users sign out; a path, or a URL of your sign-in server. The account menu links to it, and
   * a press removes the unsent texts of the user from the tab. Without it, the menu has no such link.
   */
  readonly signOutUrl?: string
  /**
   * The title of the page.
   * @defaultValue `'Change requests'`
   */
  readonly title?: string
  /** Your stylesheet for colours and the font, on the same origin; a path, or relative like `api`. */
  readonly stylesheet?: string
  /**
   * Which pages may show the page in a frame: no page, or those of its own origin. Everything on that origin can then put
   * other content over its buttons (clickjacking).
   * @defaultValue `'none'`
   */
  readonly frameAncestors?: 'none' | 'self'
}

const address: OptionTable<ReviewPageOptions>['signInUrl'] = optional(
  each(
    must((url) => isPath(url) || isWeb(url), 'a path, or a URL that begins with https:// or http://'),
    must((_, { signIn }: ReviewPageOptions) => signIn === 'host', 'left out with signIn: "key"'),
  ),
)

const table: OptionTable<ReviewPageOptions> = {
  api: must(isPath, 'a path of the same origin, such as "/api/admin"'),
  signIn: oneOf('host', 'key'),
  signInUrl: address,
  signOutUrl: address,
  title: optional(must(isText, 'a text of 1 to 100 characters')),
  stylesheet: optional(must(isPath, 'a path of the same origin')),
  frameAncestors: optional(oneOf('none', 'self')),
}

/** @throws TypeError that names the option */
export function checkPageOptions(options: ReviewPageOptions): void {
  checkOptions('reviewPage', options, table)
}

/** Rejects other origins (`//host`, `https:`, and `\`, which browsers treat as `/`) and scripts. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^(?!\/\/)[^\s\\:#]+$/.test(value)
}

function isWeb(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 100
}
