import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { reachOf } from '../../../core/tools/production'
import { Icon } from '../../../parts/marks/icon'
import { nameOf } from '../../../parts/marks/person'
import { Notice } from '../../../parts/messages/notice'
import { count } from '../../../words/numbers'
import { isMet } from '../../../words/waits'
import { useRequestContext } from '../model/context'
import { digestOf } from '../model/use-request'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'

const [shortest, longest] = [10, 1_000]

/** Applies without the approvals: shows which are missing, and requires a reason. */
export function EmergencyDialog({ onClose }: DialogProps) {
  const { content, latest, me, place } = useRequestContext()
  const [reason, setReason, clear] = useDraft(`emergency ${place.project} ${place.id}`)
  const { environment } = content.request
  const author = content.request.createdBy
  const step = useStep({
    run: (_context, write) => {
      const update = { state: 'Applied', ...digestOf(content.review), emergency: { reason: reason.trim() } } as const
      return client.setState(place, update, write)
    },
    said: 'It was applied without approval. It needs acknowledgement.',
    isDone: ({ review }) => review.state === 'Applied',
    onDone: () => {
      clear()
      onClose()
    },
  })
  const length = [...reason.trim()].length
  const isReady = length >= shortest && length <= longest
  return (
    <StepDialog
      title="Apply in emergency, without review?"
      acts
      below={<About targets={content.targets} />}
      words={
        <span>
          Apply to <bdi>{reachOf(content.request)}</bdi> without review
        </span>
      }
      busy="Applying…"
      icon="bolt"
      danger
      leave="Back to review"
      step={step}
      onSubmit={() => step.press()}
      isReady={isReady}
      what={`apply in ${environment} without review`}
      kept="Your reason is kept."
      onClose={onClose}
    >
      <Notice
        tone="stop"
        icon="bolt"
        title={
          latest.request.approvals.length === 0 ? 'Nobody else has reviewed this' : 'Required approvals are missing'
        }
      >
        <ul>
          {latest.review.requirements
            .filter((one) => !isMet(one))
            .map(({ name, environment, given, approvals }) => (
              <li key={`${environment} ${name}`}>
                You skip{' '}
                <b>
                  <bdi>{name}</bdi>
                </b>
                : {given ?? '?'} of {approvals} approvals.
              </li>
            ))}
        </ul>
        It takes effect immediately.
      </Notice>
      <div class="field">
        <div class="split">
          <label for="reason">Reason</label>
          <span class="help" id="reason-count">
            {count(length)} of {count(longest)}
          </span>
        </div>
        <textarea
          id="reason"
          rows={3}
          data-first
          required
          aria-describedby="reason-help reason-count"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <p class="help" id="reason-help">
          At least {shortest} characters. The log shows it with your name and the missing requirements.
        </p>
      </div>
      <ul class="checks">
        <li>
          <Icon name="review" />
          <span>
            Afterwards it needs acknowledgement by anyone who can approve and is neither you
            {author.id !== me.id && (
              <>
                {' '}
                nor <bdi>{nameOf(author)}</bdi>
              </>
            )}
            .
          </span>
        </li>
        <li>
          <Icon name="undo" />
          <span>A new change request can revert it.</span>
        </li>
      </ul>
    </StepDialog>
  )
}
