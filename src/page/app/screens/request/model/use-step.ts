import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WriteOptions } from '../../../../../client'
import { type Action, type Outcome, useAction } from '../../../core/api/action'
import { say } from '../../../parts/messages/status-line'
import { type RequestContext, useRequestContext } from './context'
import { loadSnapshot, type Snapshot } from './use-request'

export interface Step<A extends readonly unknown[]> {
  /** Sends it: with the revision on the screen, and repeatable. */
  readonly run: (context: RequestContext, write: WriteOptions, ...args: A) => Promise<Written>
  /** The message once it is done. */
  readonly said: string
  /**
   * Whether it is done, as far as the current response shows. For decisions, which have no idempotency key: a retry reads
   * first, because the server may have failed after the commit.
   */
  readonly isDone?: (latest: Snapshot, context: RequestContext) => boolean
  readonly onDone?: (...args: A) => void
  /** It alters the content, and the viewer knows. */
  readonly adopts?: boolean
  /** It decides on nothing, so it also goes while there is something to look at. */
  readonly whileChanged?: boolean
}

/** The answer of a write has the entity tag of the revision that it made. */
type Written = { readonly etag?: string | null } | undefined

export type StepAction<A extends readonly unknown[]> = Action<A> & {
  readonly press: (...args: A) => void
  /** Shows what another user changed meanwhile. */
  readonly onShow: (() => void) | undefined
}

/** A decision on what is on the screen: refused when that is no longer so, and repeated safely. */
export function useStep<A extends readonly unknown[]>(step: Step<A>): StepAction<A> {
  const context = useRequestContext()
  const pressed = useRef({ write: { idempotencyKey: '', ifMatch: '' }, state: '' })
  const written = useRef<Written>(undefined)
  const action = useAction<A>(async ({ idempotencyKey, signal }, ...args) => {
    // All tries of one press are about what was on the screen at the press.
    if (pressed.current.write.idempotencyKey !== idempotencyKey) {
      const { revision, state } = context.content.review
      pressed.current = { write: { idempotencyKey, ifMatch: revision }, state }
    } else if (step.isDone !== undefined) {
      const now = await loadSnapshot(context.place, signal)
      if (step.isDone(now, context)) return
      if (now.review.state !== pressed.current.state) throw stateChanged
    }
    written.current = await step.run(context, { ...pressed.current.write, signal }, ...args)
  })
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
    if (outcome === undefined) return
    const isDone = outcome.kind === 'done'
    const made = isDone && step.adopts ? revisionIn(written.current) : undefined
    const latest = await readAfter(context, outcome, made)
    if (isDone) return finish(args)
    if (!mayBeDone.has(outcome.kind) || !latest || !step.isDone?.(latest, context)) return
    action.stop()
    finish(args)
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
const mayBeDone: ReadonlySet<Outcome['kind']> = new Set(['unsure', 'changed', 'missing'])

/** What was refused because of the state of things is read again; nothing else helps there. */
async function readAfter(context: RequestContext, { kind }: Outcome, made?: string): Promise<Snapshot | undefined> {
  if (kind === 'signedOut' || kind === 'waiting' || kind === 'failed') return undefined
  // Another read may have taken its place.
  return (await context.refresh(made)) ?? context.refresh(made)
}

/** An entity tag is the revision in quotes. */
function revisionIn(written: Written): string | undefined {
  return written?.etag?.slice(1, -1)
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
