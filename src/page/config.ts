/** The configuration in the document, as JSON in `<script type="application/json" id="config">`. */
export interface PageConfig {
  /** The URL of the router: absolute, a path of the same origin, or relative to the document. */
  api: string
  /** The URL that the page is mounted at, relative to the document, with a slash at its end. */
  base: string
  signIn: 'host' | 'key'
  /** Where users sign in to the host app, or null. */
  signInUrl: string | null
  /** Where users sign out of the host app, or null. */
  signOutUrl: string | null
  title: string
}
