import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Request, Response } from 'express'
import type { Skip } from '../kernel/events/record-events'

/** One for all routers: Node follows each in every promise of the process, for ever once it was used. */
const skips = new AsyncLocalStorage<ReadonlyMap<SkipContext, Skip>>()

/** Which skip of the review the running code belongs to, for one router. */
export class SkipContext {
  /** Undefined outside of requests that skip the review. */
  current(): Skip | undefined {
    return skips.getStore()?.get(this)
  }

  /**
   * Calls `next` so that all code of the request belongs to the skip. A body that is parsed later arrives in events of the
   * request, and a caller who leaves is an event of the answer: both would begin in the context of the connection.
   */
  run(skip: Skip, req: Request, res: Response, next: () => void): void {
    skips.run(new Map(skips.getStore()).set(this, skip), () => {
      const context = new AsyncResource('ChangeRequestSkip')
      for (const emitter of [req, res]) {
        const emit = emitter.emit as (...event: unknown[]) => boolean
        emitter.emit = (...event: unknown[]) => context.runInAsyncScope(emit, emitter, ...event)
      }
      next()
    })
  }
}
