import type { ReviewStepView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { MissingList } from '../../../parts/messages/missing-list'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { offeredStep } from '../model/steps'
import { useUnsavedEdits } from '../model/unsaved'
import { useStep } from '../model/use-step'
import { ListedStep, StepButton } from './step-button'
import type { AuthorStep } from './step-words'

/** What the author can do; others see it as far as they may do it. */
export function AuthorSteps() {
  const { latest, me, open } = useRequestContext()
  const { review, request } = latest
  const isMine = me.id === request.createdBy.id
  const unsaved = useUnsavedEdits()
  const visible = (name: AuthorStep) => {
    const step = offeredStep(review, name)
    return step && (isMine || step.allowed) ? step : undefined
  }
  const submission = useStep({
    run: ({ place }, write) => client.setState(place, { state: 'In review' }, write),
    said: 'It is in review now.',
    isDone: (now) => !offeredStep(now.review, 'submit'),
  })
  const { submit, cancel, discard } = {
    submit: visible('submit'),
    cancel: visible('cancel'),
    discard: visible('discard'),
  } satisfies Record<AuthorStep, ReviewStepView | undefined>
  const outcome = <OutcomeNotice action={submission} what="send it to review" />
  if (!submit && !cancel && !discard) return outcome
  return (
    <>
      {submit && (
        <ListedStep
          step={submit}
          heading="Missing before it can be reviewed"
          icon="review"
          kind="primary"
          wide
          busy={submission.busy && 'Sending…'}
          onPress={() => submission.press()}
        >
          {unsaved.length === 0 ? 'Send to review' : 'Send to review without the edit'}
        </ListedStep>
      )}
      {outcome}
      <div class="pair">
        {cancel && (
          <StepButton
            step={cancel}
            icon="cancelled"
            kind="danger-quiet"
            missingId="missing-cancel"
            onPress={() => open('cancel')}
          >
            Cancel…
          </StepButton>
        )}
        {discard && (
          <StepButton
            step={discard}
            icon="trash"
            kind="danger-quiet"
            missingId="missing-discard"
            onPress={() => open('discard')}
          >
            Discard…
          </StepButton>
        )}
      </div>
      {cancel && !cancel.allowed && <MissingList id="missing-cancel" missing={cancel.missing} />}
      {discard && !discard.allowed && <MissingList id="missing-discard" missing={discard.missing} />}
    </>
  )
}
