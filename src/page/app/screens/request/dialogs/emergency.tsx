import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { Icon } from '../../../parts/marks/icon'
import { nameOf } from '../../../parts/marks/person'
import { Notice } from '../../../parts/messages/notice'
import { count } from '../../../words/numbers'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'

const [shortest, longest] = [10, 1_000]

/** Applying at once what is not approved: says who has not looked, and asks why it cannot wait. */
export function EmergencyDialog({ onClose }: DialogProps) {
  const { content, latest, me, place } = useRequestContext()
  const [reason, setReason, clear] = useDraft(`emergency ${place.project} ${place.id}`)
  const { environment } = content.request
  const author = content.request.createdBy
  const step = useStep({
    run: (_context, write) => {
      const update = { state: 'Applied', digest: content.review.digest, emergency: { reason: reason.trim() } } as const
      return client.setState(place, update, write)
    },
    said: 'It is applied, without its approvals. It needs a second look.',
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
          Apply to <bdi>{environment}</bdi> without review
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
          latest.request.approvals.length === 0
            ? 'Nobody else has looked at this'
            : 'Not everybody who should has looked at this'
        }
      >
        <ul>
          {latest.review.requirements
            .filter(({ given, approvals }) => given < approvals)
            .map(({ name, environment, given, approvals }) => (
              <li key={`${environment} ${name}`}>
                You go past{' '}
                <b>
                  <bdi>{name}</bdi>
                </b>
                : {given} of {approvals} approvals.
              </li>
            ))}
        </ul>
        It happens at once.
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
          At least {shortest} characters. Everybody who reads the log sees it, with your name and what was missing.
        </p>
      </div>
      <ul class="checks">
        <li>
          <Icon name="review" />
          <span>
            Afterwards it needs a second look by somebody who may approve and is neither you
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
          <span>It can be taken back by a new change request.</span>
        </li>
      </ul>
    </StepDialog>
  )
}
