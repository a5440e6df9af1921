import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WriteOptions } from '../../../../client'
import { type Action, type Attempt, type Outcome, useAction } from '../../core/api/action'
import { toRefusal } from '../../core/api/answers'
import { currentUser } from '../../core/api/session'
import { say } from '../../parts/messages/status-line'
import { decisionId } from './focus'
import { type Actions, loadSnapshot, type Snapshot } from './use-request'

export interface Step<A extends readonly unknown[]> {
  /** Sends it with the revision on the screen; can be called again. */
  readonly run: (write: WriteOptions, ...args: A) => Promise<Written>
  readonly doneMessage: string
  /**
   * Whether the current change request shows that it is done; `before` is the one at the press. A step without an
   * idempotency key is checked before a retry, because the server may have failed after the commit.
   */
  readonly isDone?: (latest: Snapshot, before: Snapshot, ...args: A) => boolean
  /** It deletes the change request, so there is nothing to read afterwards. */
  readonly deletes?: boolean
  /** Sent with the idempotency key. */
  readonly hasKey?: boolean
  readonly onDone?: (...args: A) => void
  /** It changes the content as the viewer expects. */
  readonly updatesContent?: boolean
  /** It decides nothing, so it is also possible while there is an unseen change. */
  readonly whileChanged?: boolean
}

/** The entity tag of a write has the revision that it made; without one, a read must show that it is done. */
type Written = { readonly etag?: string | null } | undefined

export type StepAction<A extends readonly unknown[] = []> = Action<A> & {
  readonly press: (...args: A) => void
  readonly onShow: Actions['showChange']
}

/** Whether the user has added a comment. */
export function hasNewComment({ review }: Snapshot, before: Snapshot, user: number | null): boolean {
  const known = new Set(before.review.discussion.map(({ id }) => id))
  return review.discussion.some(({ id, createdBy }) => createdBy.id === user && !known.has(id))
}

/** Whether a change was discarded. An edit also removes it, but adds another one. */
export function isWithout(latest: Snapshot, before: Snapshot, change: number): boolean {
  const [now, then] = [latest, before].map(({ targets }) => targets.flatMap(({ changes }) => changes))
  return now !== undefined && then !== undefined && now.length < then.length && now.every(({ id }) => id !== change)
}

/** A step that is about the content on the screen: rejected if that is outdated, and repeated safely. */
export function useStep<A extends readonly unknown[]>(actions: Actions, step: Step<A>): StepAction<A> {
  const { shown, off, marks } = actions
  const pressed = useRef({ write: { idempotencyKey: '', ifMatch: '' }, before: shown })
  const written = useRef<Written>(undefined)
  const read = useRef<Snapshot | 'gone'>(undefined)
  const run = async ({ idempotencyKey, signal }: Attempt, ...args: A) => {
    // All attempts of one press are about the content at the press.
    if (pressed.current.write.idempotencyKey !== idempotencyKey) {
      pressed.current = { write: { idempotencyKey, ifMatch: shown.review.revision }, before: shown }
    } else if (step.isDone !== undefined && !step.hasKey) {
      const { before } = pressed.current
      const now = await loadSnapshot(shown.request, signal)
      if (step.isDone(now, before, ...args)) return
      if (now.review.state !== before.review.state) throw stateChanged
    }
    written.current = await step.run({ ...pressed.current.write, signal }, ...args)
  }
  const verify = async (outcome: Outcome, ...args: A): Promise<Outcome> => {
    const isDone = outcome.kind === 'done'
    const made = isDone && step.updatesContent ? revisionIn(written.current) : undefined
    const latest = await readAfter(actions, outcome, made)
    read.current = latest
    if (latest === undefined || !(isDone ? step.deletes : mayBeDone.has(outcome.kind))) return outcome
    const isThere = latest === 'gone' ? step.deletes : step.isDone?.(latest, pressed.current.before, ...args)
    if (isThere) return { kind: 'done' }
    const isUnknown = isDone || (outcome.kind === 'unknown' && isThere !== undefined)
    return isUnknown ? { kind: 'unknown', message: '', isRead: true } : outcome
  }
  const action = useAction<A>(run, verify)
  // An outcome is outdated once the viewer has looked at the change.
  useLayoutEffect(() => {
    if (marks !== null && !action.busy) action.stop()
  }, [marks])
  const press = async (...args: A) => {
    if (off === 'offline' || (off === 'changed' && !step.whileChanged)) return
    const outcome = await action.start(...args)
    if (outcome?.kind !== 'done') return
    step.onDone?.(...args)
    say(step.doneMessage)
    keepFocus()
    const { before } = pressed.current
    const after = read.current
    if (after === undefined || after === 'gone') return
    void import('./next-request').then(
      ({ noteDecision }) => noteDecision(before.review, after.review, currentUser()),
      () => undefined,
    )
  }
  return { ...action, press: (...args) => void press(...args), onShow: actions.showChange }
}

/** The response to a write on another revision. */
const stateChanged = { status: 412 }

/**
 * Responses to a repeat of what is already done. Browsers repeat a request by themselves when its connection breaks, so
 * even the first response may be one.
 */
const mayBeDone: ReadonlySet<Outcome['kind']> = new Set(['unknown', 'unsure', 'changed', 'missing', 'gone'])

/** Reads the change request after a step, unless the outcome does not depend on its state. */
async function readAfter(
  { shown, refresh }: Actions,
  { kind }: Outcome,
  made?: string,
): Promise<Snapshot | 'gone' | undefined> {
  if (kind === 'signedOut' || kind === 'waiting' || kind === 'failed') return undefined
  // Another read may have replaced it, or the viewer has left the screen.
  const found = (await refresh(made)) ?? (await refresh(made))
  return (
    found ??
    loadSnapshot(shown.request, AbortSignal.timeout(20_000)).catch((error) =>
      toRefusal(error).kind === 'gone' ? 'gone' : undefined,
    )
  )
}

/** An entity tag is the revision in quotes. */
function revisionIn(written: Written): string | undefined {
  return written?.etag?.split('"')[1]
}

/** A step that is done may remove its button; the focus then goes to the section with the next ones. */
function keepFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const { activeElement } = document
      if (activeElement !== null && activeElement !== document.body) return
      document.getElementById(decisionId)?.focus({ preventScroll: true })
    }),
  )
}
