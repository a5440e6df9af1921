import { useState } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { maxApprovers, ReviewersField, useReviewers } from '../../../parts/controls/reviewers-field'
import { useStep } from '../use-step'
import { type DialogProps, StepDialog } from './step-dialog'

/** Chooses the requested approvers. Other users who can approve still can. */
export function AskReviewersDialog({ request, review, actions, onClose }: DialogProps) {
  const asked = review.approvers
  const [chosen, setChosen] = useState<readonly number[]>(asked.map(({ id }) => id))
  const reviewers = useReviewers(request)
  const step = useStep(actions, {
    run: (write) => client.setApprovers(request, [...chosen], write),
    doneMessage: 'The reviewers were asked.',
    isDone: ({ review: { approvers } }) =>
      approvers.length === chosen.length && approvers.every(({ id }) => chosen.includes(id)),
    onDone: onClose,
  })
  return (
    <StepDialog
      title="Ask reviewers"
      request={request}
      actions={actions}
      submitLabel="Save"
      busyLabel="Saving…"
      icon="review"
      cancelLabel="Leave it"
      step={step}
      isReady={reviewers.data !== undefined && chosen.length <= maxApprovers}
      verb="ask reviewers"
      onClose={onClose}
    >
      <ReviewersField
        environment={request.environment}
        author={request.createdBy.id}
        {...{ reviewers, asked, chosen }}
        onChoose={setChosen}
      />
    </StepDialog>
  )
}
