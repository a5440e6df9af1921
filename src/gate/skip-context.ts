import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Request, Response } from 'express'
import type { Skip } from '../kernel/log/record-events'

/** Shared by all routers: once an AsyncLocalStorage is used, Node tracks it in every promise of the process, permanently. */
const skips = new AsyncLocalStorage<ReadonlyMap<SkipContext, Skip>>()

/** The skipped review that the running code belongs to, for one router. */
export class SkipContext {
  /** Undefined outside of requests that skip the review. */
  current(): Skip | undefined {
    return skips.getStore()?.get(this)
  }

  /**
   * Calls `next` so that all code of the request runs in the context of the skip. Listeners on `req` and `res`, such as a body
   * parser, would otherwise run in the context of the connection.
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
