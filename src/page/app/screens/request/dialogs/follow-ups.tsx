import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import { client } from '../../../core/api/session'
import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import { Button } from '../../../parts/controls/button'
import { isClosed } from '../../../parts/marks/state'
import { Notice } from '../../../parts/messages/notice'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { type FollowUp, takeCreated, useFollowUps } from '../../../reviews/follow-ups'
import { ProposeAgain } from '../../now/propose-again'
import { useEmergency } from '../emergency'
import { useSubmission } from '../steps'
import type { RequestProps } from '../use-request'
import { type StepAction, useStep } from '../use-step'

type FollowUpsProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/**
 * What the author chose when the change request was created: its title, its reviewers, and to send it to review or to apply it
 * in an emergency. Each is sent once after the other; one that failed stays here, to be sent again or left out.
 */
export function FollowUpSteps({ request, review, actions }: FollowUpsProps) {
  const [{ again, ...left }, drop] = useFollowUps(request)
  const { title, reviewers = [], emergency = '' } = left
  const isSentNow = useRef<ReadonlySet<FollowUp>>(undefined)
  isSentNow.current ??= new Set(takeCreated(request) ? (Object.keys(left) as FollowUp[]) : [])
  const steps: Readonly<Record<FollowUp, StepAction>> = {
    title: useStep(actions, {
      run: (write) => client.setTitle(request, title ?? '', write),
      doneMessage: 'The title was changed.',
      isDone: (latest) => latest.request.title === title,
    }),
    reviewers: useStep(actions, {
      run: (write) => client.setApprovers(request, [...reviewers], write),
      doneMessage: 'The reviewers were asked.',
      isDone: ({ review: { approvers } }) => reviewers.every((id) => approvers.some((one) => one.id === id)),
    }),
    submit: useSubmission(actions, request),
    emergency: useEmergency(actions, emergency),
  }
  const isEnded = isClosed(review.state)
  const isDone: Readonly<Record<FollowUp, boolean>> = {
    title: isEnded || request.title === title,
    reviewers: reviewers.every((id) => review.approvers.some((one) => one.id === id)),
    submit: review.state !== 'Draft',
    emergency: isEnded,
  }
  const waiting = (Object.keys(left) as FollowUp[]).filter((one) => !isDone[one])
  const isBusy = waiting.some((one) => steps[one].busy)
  const next = waiting.find((one) => isSentNow.current?.has(one))
  useLayoutEffect(() => {
    for (const one of Object.keys(left) as FollowUp[]) if (isDone[one] && !steps[one].busy) drop(one)
  })
  useLayoutEffect(() => {
    if (next === undefined || isBusy || actions.off !== null) return
    isSentNow.current = new Set([...(isSentNow.current ?? [])].filter((one) => one !== next))
    steps[next].press()
  }, [next, isBusy, actions.off])
  const words: Readonly<Record<FollowUp, readonly [title: string, text: ComponentChildren]>> = {
    title: ['The title is not set yet', <bdi>{title}</bdi>],
    reviewers: ['The reviewers are not asked yet', 'The change request was created without them.'],
    submit: ['It is not in review yet', 'The draft was created. Nobody reviews it until it is sent.'],
    emergency: ['It is not applied yet', 'The change request was created, and applying it has not succeeded so far.'],
  }
  const notices = waiting
    .filter((one) => !isSentNow.current?.has(one))
    .map((one) => {
      const step = steps[one]
      if (step.busy && step.outcome === undefined) return one === 'emergency' ? <p role="status">Applying…</p> : null
      const [heading, text] = words[one]
      return (
        <div key={one} class="stack" role="status">
          <Notice
            tone="care"
            icon="warn"
            title={heading}
            actions={
              <>
                <Button
                  icon="refresh"
                  busy={step.busy && 'Sending…'}
                  off={actions.off !== null}
                  onClick={() => step.press()}
                >
                  Try again
                </Button>
                <Button kind="quiet" onClick={() => drop(one)}>
                  Leave it
                </Button>
              </>
            }
          >
            {text}
          </Notice>
          <OutcomeNotice action={step} />
        </div>
      )
    })
  return (
    <>
      {notices}
      {again !== undefined && (
        <Cancelled place={{ project: request.project, id: again }} review={review} onDone={() => drop('again')} />
      )}
    </>
  )
}

interface CancelledProps extends Pick<FollowUpsProps, 'review'> {
  readonly place: ChangeRequestPlace
  readonly onDone: () => void
}

/** Another change request was cancelled for this one: it can be proposed again once this one is closed. */
function Cancelled({ place, review, onDone }: CancelledProps) {
  const { project, id } = place
  const isPossible = isClosed(review.state)
  return (
    <Notice
      tone="plain"
      icon="cancelled"
      title={`#${id} was cancelled for this`}
      actions={
        <>
          {isPossible && <ProposeAgain place={place} onDone={onDone} />}
          <Button kind="quiet" onClick={onDone}>
            Leave it
          </Button>
        </>
      }
    >
      You can propose <Link to={requestPath(project, id)}>#{id}</Link> again
      {!isPossible && ' once this one is closed: only one of yours can be open here'}.
    </Notice>
  )
}
