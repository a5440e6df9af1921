/** An `Idempotency-Key` and the user who sent it; another user may send the same key. */
export interface IdempotencyKey {
  /** The user who sent it. */
  readonly userId: number
  /** 1 to 255 visible ASCII characters. */
  readonly key: string
}

/**
 * The effect of a request with an `Idempotency-Key`, for a retry of that request. It names the change request and has no
 * response, so its size does not depend on the response.
 */
export interface IdempotencyRecord extends IdempotencyKey {
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** Distinguishes this request from another one with the same key. */
  readonly fingerprint: string
  /** The project of the change request. */
  readonly project: string
  /** The change request that was written. */
  readonly changeRequestId: number
  /** The comment that was added; null for a request of another kind. */
  readonly commentId: number | null
}
