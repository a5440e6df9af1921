/** What the document says to the page in it, as JSON in `<script type="application/json" id="config">`. */
export interface PageConfig {
  /** The address of the router, absolute in its origin or relative to the document. */
  api: string
  /** The address that the page is mounted at, relative to the document; it ends with a slash. */
  base: string
  signIn: 'host' | 'key'
  /** Where a person signs in with the host, or null. */
  signInUrl: string | null
  title: string
}
