/** One thing that is missing, in the words of the server. */
export interface Missing {
  readonly code?: string | undefined
  readonly message: string
  /** The invalid value in the request. */
  readonly path?: string | undefined
}
