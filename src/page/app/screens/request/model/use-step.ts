import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WriteOptions } from '../../../../../client'
import { type Action, type Attempt, type Outcome, useAction } from '../../../core/api/action'
import { toRefusal } from '../../../core/api/answers'
import { say } from '../../../parts/messages/status-line'
import { type RequestContext, useRequestContext } from './context'
import { loadSnapshot, type Snapshot } from './use-request'

export interface Step<A extends readonly unknown[]> {
  /** Sends it: with the revision on the screen, and repeatable. */
  readonly run: (context: RequestContext, write: WriteOptions, ...args: A) => Promise<Written>
  /** The message once it is done. */
  readonly said: string
  /**
   * Whether it is done, as far as the current response shows; `before` is what there was at the press. For all that has no
   * idempotency key, a retry reads first, because the server may have failed after the commit.
   */
  readonly isDone?: (latest: Snapshot, before: Snapshot, ...args: A) => boolean
  /** Once it is done, there is no change request to read. */
  readonly deletes?: boolean
  /** Sent with the idempotency key. */
  readonly hasKey?: boolean
  readonly onDone?: (...args: A) => void
  /** It alters the content, and the viewer knows. */
  readonly adopts?: boolean
  /** It decides on nothing, so it also goes while there is something to look at. */
  readonly whileChanged?: boolean
}

/** The answer of a write has the entity tag of the revision that it made; without it, a read has to show that it is done. */
type Written = { readonly etag?: string | null } | undefined

export type StepAction<A extends readonly unknown[]> = Action<A> & {
  readonly press: (...args: A) => void
  /** Shows what another user changed meanwhile. */
  readonly onShow: (() => void) | undefined
}

/** Whether there is a comment of the user that was not there before. */
export function hasNewComment({ review }: Snapshot, before: Snapshot, user: number | null): boolean {
  const known = new Set(before.review.discussion.map(({ id }) => id))
  return review.discussion.some(({ id, createdBy }) => createdBy.id === user && !known.has(id))
}

/** Whether a change was taken out. An edit takes it out too, but puts another one in its place. */
export function isWithout(latest: Snapshot, before: Snapshot, change: number): boolean {
  const [now, then] = [latest, before].map(({ targets }) => targets.flatMap(({ changes }) => changes))
  return now !== undefined && then !== undefined && now.length < then.length && now.every(({ id }) => id !== change)
}

/** A decision on what is on the screen: refused when that is no longer so, and repeated safely. */
export function useStep<A extends readonly unknown[]>(step: Step<A>): StepAction<A> {
  const context = useRequestContext()
  const pressed = useRef({ write: { idempotencyKey: '', ifMatch: '' }, state: '', before: context.latest })
  const written = useRef<Written>(undefined)
  const run = async ({ idempotencyKey, signal }: Attempt, ...args: A) => {
    // All tries of one press are about what was on the screen at the press.
    if (pressed.current.write.idempotencyKey !== idempotencyKey) {
      const { revision, state } = context.content.review
      pressed.current = { write: { idempotencyKey, ifMatch: revision }, state, before: context.latest }
    } else if (step.isDone !== undefined && !step.hasKey) {
      const now = await loadSnapshot(context.place, signal)
      if (step.isDone(now, pressed.current.before, ...args)) return
      if (now.review.state !== pressed.current.state) throw stateChanged
    }
    written.current = await step.run(context, { ...pressed.current.write, signal }, ...args)
  }
  const verify = async (outcome: Outcome, ...args: A): Promise<Outcome> => {
    const isDone = outcome.kind === 'done'
    const latest = await readAfter(context, outcome, isDone && step.adopts ? revisionIn(written.current) : undefined)
    if (latest === undefined || !(isDone ? step.deletes : mayBeDone.has(outcome.kind))) return outcome
    const isThere = latest === 'gone' ? step.deletes : step.isDone?.(latest, pressed.current.before, ...args)
    if (isThere) return { kind: 'done' }
    const isUnknown = isDone || (outcome.kind === 'unknown' && isThere !== undefined)
    return isUnknown ? { kind: 'unknown', message: '', isRead: true } : outcome
  }
  const action = useAction<A>(run, verify)
  // Once the viewer has looked, nothing is left to look at.
  useLayoutEffect(() => {
    if (context.marks !== null && !action.busy) action.stop()
  }, [context.marks])
  const finish = (args: A) => {
    step.onDone?.(...args)
    say(step.said)
    keepFocus()
  }
  const press = async (...args: A) => {
    if (context.off === 'offline' || (context.off === 'changed' && !step.whileChanged)) return
    const outcome = await action.start(...args)
    if (outcome?.kind === 'done') finish(args)
  }
  const onShow = context.change === null ? undefined : context.showChange
  return { ...action, press: (...args) => void press(...args), onShow }
}

/** What the server says of a write on another revision. */
const stateChanged = { status: 412 }

/**
 * Answers to a repeat of what was done already. Browsers repeat a request by themselves when its connection breaks, so that the
 * first answer may be one.
 */
const mayBeDone: ReadonlySet<Outcome['kind']> = new Set(['unknown', 'unsure', 'changed', 'missing', 'gone'])

/** What was refused because of the state of things is read again; nothing else helps there. */
async function readAfter(
  { place, refresh }: RequestContext,
  { kind }: Outcome,
  made?: string,
): Promise<Snapshot | 'gone' | undefined> {
  if (kind === 'signedOut' || kind === 'waiting' || kind === 'failed') return undefined
  // Another read may have taken its place, or the viewer has left the screen.
  const found = (await refresh(made)) ?? (await refresh(made))
  return (
    found ??
    loadSnapshot(place, AbortSignal.timeout(20_000)).catch((error) =>
      toRefusal(error).kind === 'gone' ? 'gone' : undefined,
    )
  )
}

/** An entity tag is the revision in quotes. */
function revisionIn(written: Written): string | undefined {
  return written?.etag?.split('"')[1]
}

/** A step that is done may take its button away; the focus then goes to where the next one stands. */
function keepFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const { activeElement } = document
      if (activeElement !== null && activeElement !== document.body) return
      document.getElementById('decide-section')?.focus({ preventScroll: true })
    }),
  )
}
