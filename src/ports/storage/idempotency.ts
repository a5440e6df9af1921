/**
 * An `Idempotency-Key` and the user who sent it; another user may send the same key.
 *
 * @example
 * ```ts
 * const key: IdempotencyKey = { userId: 1, key: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10' }
 * const since = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
 * const record = await storage.findIdempotencyRecord(key, since)
 * ```
 */
export interface IdempotencyKey {
  /** The user who sent it. */
  readonly userId: number
  /** 1 to 255 visible ASCII characters. */
  readonly key: string
}

/**
 * The effect of a request with an `Idempotency-Key`, for a retry of that request. It names the change request and has no
 * response, so its size does not depend on the response.
 *
 * @example
 * ```ts
 * const record: IdempotencyRecord = {
 *   userId: 1,
 *   key: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10',
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   project: 'shop',
 *   changeRequestId: 42,
 *   commentId: null,
 * }
 * ```
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
