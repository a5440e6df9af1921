/** Recognised across two installed copies of the package. */
const mark = Symbol.for('express-change-requests.guard')

/** `gate` rejects writes that need a review; `review` is a route of this package, which never bypasses the review. */
export type GuardKind = 'gate' | 'review'

/** Marks a handler, so that `ungatedRoutes` finds it in the routes of an app. */
export function markGuard<Handler extends object>(handler: Handler, kind: GuardKind): Handler {
  return Object.defineProperty(handler, mark, { value: kind })
}

/** The kind that {@link markGuard} set; undefined for all other handlers. */
export function guardKind(handler: unknown): GuardKind | undefined {
  return typeof handler === 'function' ? (handler as { [mark]?: GuardKind })[mark] : undefined
}
