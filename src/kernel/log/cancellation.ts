/**
 * Ends a subscription. An AbortController would take 1.5 kB more for each follower, and adding and removing its listener as
 * long as writing an event to a socket.
 */
export class Cancellation {
  #isCancelled = false
  /** Called when the subscription is cancelled. */
  onCancel: (() => void) | undefined

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  cancel(): void {
    this.#isCancelled = true
    this.onCancel?.()
  }
}
