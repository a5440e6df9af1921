import type { ComponentChildren } from 'preact'
import { client } from '../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { list } from '../../parts/marks/from'
import { PersonName } from '../../parts/marks/person'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { isAllowed, needsAcknowledgement } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

type ClosedProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** The steps of a closed change request, around its revert. */
export function ClosedSteps({ children, ...props }: ClosedProps & { readonly children?: ComponentChildren }) {
  return (
    <>
      <AcknowledgeStep {...props} />
      {children}
      <CopyStep {...props} />
    </>
  )
}

/** Acknowledges an apply in emergency. */
function AcknowledgeStep({ review, actions: { off, open } }: Omit<ClosedProps, 'request'>) {
  if (!isAllowed(review, 'acknowledge')) return null
  return (
    <StepButton off={off} icon="review" kind="primary" wide onPress={() => open('acknowledge')}>
      Acknowledge…
    </StepButton>
  )
}

/** Creates a draft with the changes of a closed request. */
function CopyStep({ request, review, actions }: ClosedProps) {
  const { path } = useLocation()
  const copy = useStep(actions, {
    run: async ({ idempotencyKey, signal }) => {
      const { body } = await client.copy(request, { idempotencyKey, signal })
      navigateFrom(path, requestPath(body.project, body.id))
      return undefined
    },
    doneMessage: 'Draft created.',
  })
  return (
    <>
      {(isAllowed(review, 'copy') || copy.busy) && (
        <StepButton off={actions.off} icon="plus" wide busy={copy.busy && 'Sending…'} onPress={copy.press}>
          Propose again
        </StepButton>
      )}
      <OutcomeNotice action={copy} verb="propose it again" />
    </>
  )
}

/** Applied without its approvals, before and after the acknowledgement. */
export function Emergency({ review }: Pick<RequestProps, 'review'>): ComponentChildren {
  const { ended: applied, emergency } = review
  if (!applied || !emergency) return null
  const isOpen = needsAcknowledgement(review)
  const unmet = emergency.missing.map((one) =>
    one.code === 'frozen' ? (
      <>
        the freeze <bdi>{one.name}</bdi>
      </>
    ) : one.code === 'missing-check' ? (
      <>
        the check <bdi>{one.name}</bdi>
      </>
    ) : one.code === 'objection' ? (
      <>
        the objection of <bdi>{one.name}</bdi>
      </>
    ) : (
      <>
        {one.name === 'minimum' ? 'approvals' : <bdi>{one.name}</bdi>} {one.given} of {one.approvals}
      </>
    ),
  )
  return (
    <Notice
      tone={isOpen ? 'stop' : 'plain'}
      icon="bolt"
      title={
        isOpen ? 'Applied without approval: needs acknowledgement' : 'It was applied in an emergency and acknowledged'
      }
    >
      Applied by <PersonName person={applied.by} />, {times.dayAndTime(applied.at)}
      {unmet.length > 0 && <>, with {list(unmet, 'and')}</>}: “<bdi>{emergency.reason}</bdi>”
    </Notice>
  )
}
