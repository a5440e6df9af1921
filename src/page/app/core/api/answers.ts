/** What a response means for the caller. */
export type Refusal =
  /** 412: it changed meanwhile, and nothing was done. */
  | { readonly kind: 'changed' }
  /** 409: something is missing. */
  | { readonly kind: 'missing'; readonly missing: readonly Missing[] }
  /** 403 */
  | { readonly kind: 'forbidden'; readonly message: string; readonly missing: readonly Missing[] }
  /** 401, or a proxy that requires a sign-in. */
  | { readonly kind: 'signedOut' }
  /** 404 */
  | { readonly kind: 'gone'; readonly message: string }
  /** 502 to 504, 429, a timeout: asking again may help. */
  | { readonly kind: 'busy' }
  /** No network. */
  | { readonly kind: 'offline' }
  /** A success, or a fault of a server, that is not the router's; `isRead`: what a write was to do is not there now. */
  | { readonly kind: 'unknown'; readonly message: string; readonly isRead?: boolean }
  /** Everything else: what is wrong with the input, or a fault of the server. */
  | { readonly kind: 'failed'; readonly message: string; readonly missing: readonly Missing[] }

/** What became of a step. */
export type Outcome =
  | { readonly kind: 'done' }
  /** The same request is repeated at `retryAt`, with the same key, so that it cannot take effect twice. */
  | { readonly kind: 'waiting'; readonly because: 'busy' | 'offline'; readonly retryAt: number }
  /** A repeat found that something changed: perhaps the first try did it. Read first. */
  | { readonly kind: 'unsure' }
  /** Of a repeat: the first try may have done it all the same. */
  | (Refusal & { readonly isRepeat?: boolean })

/** Reads what a call of the client threw. */
export function toRefusal(error: unknown): Refusal {
  const name = (error as { name?: unknown } | null)?.name
  if (name === 'SignInRequired') return { kind: 'signedOut' }
  const { message, details } = (error ?? {}) as { message: string; details?: readonly Missing[] }
  if (name === 'UnknownResult') return { kind: 'unknown', message }
  const status = statusOf(error)
  if (status === undefined) return noAnswer(name) ?? failed(error)
  const missing = details ?? []
  if (status === 401) return { kind: 'signedOut' }
  if (status === 408 || status === 429 || (status >= 502 && status <= 504)) return { kind: 'busy' }
  // A proxy knows nothing of change requests: its 404 does not mean that one is gone.
  if (name === 'HttpError') {
    return status < 400 || status >= 500 ? { kind: 'unknown', message } : { kind: 'failed', message, missing }
  }
  if (status === 403) return { kind: 'forbidden', message, missing }
  if (status === 404) return { kind: 'gone', message }
  if (status === 409) return { kind: 'missing', missing: missing.length > 0 ? missing : [{ message }] }
  if (status === 412 || status === 428) return { kind: 'changed' }
  return { kind: 'failed', message, missing }
}

/** Whether asking the same again may help. */
export const isPassing = ({ kind }: Refusal): boolean => kind === 'busy' || kind === 'offline'

function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status > 0 ? status : undefined
}

/** Nothing came back, or not in time. */
function noAnswer(name: unknown): Refusal | undefined {
  if (name === 'NetworkError') return { kind: 'offline' }
  return name === 'TimeoutError' ? { kind: 'busy' } : undefined
}

function failed(error: unknown): Refusal {
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error), missing: [] }
}

const none: readonly Missing[] = []

/** What the server found wrong with the input. */
export function problemsOf(outcome: Outcome | undefined): readonly Missing[] {
  return outcome !== undefined && 'missing' in outcome ? outcome.missing : none
}

/** One thing that is missing, in the words of the server. */
export interface Missing {
  readonly code?: string | undefined
  readonly message: string
  /** The invalid value in the request. */
  readonly path?: string | undefined
}
