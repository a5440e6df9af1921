import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Request, Response } from 'express'
import { blockingFreezesAt, type Freeze } from '../domain/freezes/freeze'
import { freezesThroughout } from '../kernel/facts/reach'
import { gatedEnvironments } from '../kernel/host/settings'
import { now } from '../kernel/host-services'
import type { Skip } from '../kernel/log/record-events'
import type { Services } from '../kernel/services'
import { badData } from '../validation/core/problems'
import type { WritePlace } from './review-required'

/** Shared by all routers: once an AsyncLocalStorage is used, Node tracks it in every promise of the process, permanently. */
const skips = new AsyncLocalStorage<ReadonlyMap<SkipContext, Skip>>()

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

/**
 * The name of the freeze in force where a request skips the review; of several, that with the latest end. Null if there is
 * none, `unknown` if the freezes cannot be read: they concern change requests, so the request passes nevertheless.
 */
export async function freezeOfSkip(services: Services, places: readonly WritePlace[]): Promise<string | null> {
  const { freezes, logger } = services
  if (freezes.length === 0 && typeof freezes !== 'function') return null
  try {
    const found = await Promise.all(places.map((place) => freezesIn(services, place)))
    return blockingFreezesAt(found.flat(), now(services))[0]?.name ?? null
  } catch (err) {
    logger.warn({ err }, 'The freezes could not be read for a write that skips the review.')
    return 'unknown'
  }
}

/** The gate does not know what is written, so freezes of certain flags and segments are left out. */
async function freezesIn(services: Services, { project, environment }: WritePlace): Promise<readonly Freeze[]> {
  const gated = environment === undefined ? (await gatedEnvironments(services, project)).gated : [{ environment }]
  const named = gated.flatMap(({ environment }) => environment ?? [])
  const freezes = await freezesThroughout(services, project, { environments: named })
  return freezes.filter(({ when }) => when?.features === undefined && when?.segments === undefined)
}

const header = 'Change-Request-Skip-Reason'
const maxLength = 1_000

/** The reason in the header: percent-encoded UTF-8. @throws BadDataError if it is malformed, too long or missing */
export function readSkipReason(req: Request, required: boolean): string | null {
  const reason = decode(req.get(header) ?? '').trim()
  if ([...reason].length > maxLength) throw malformed(`must have at most ${maxLength} characters`)
  if (reason !== '') return reason
  if (required) throw malformed('is required: send the reason for skipping the review')
  return null
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (/^[\x20-\x7e]*$/.test(text) && !decoded.includes('\0')) return decoded
  } catch {
    // Handled below.
  }
  throw malformed('must be percent-encoded UTF-8 without NUL')
}

function malformed(message: string) {
  return badData([{ path: `/headers/${header.toLowerCase()}`, message: `The header ${header} ${message}.` }])
}
