import type { ComponentChildren } from 'preact'
import type { ReviewStepView } from '../../../../generated'
import { Button } from '../../parts/controls/button'
import { Icon, type IconName } from '../../parts/marks/icon'
import { MissingList } from '../../parts/messages/load-failed'
import type { Actions } from './use-request'

const offReasonId = 'steps-off'

/** Why all steps are disabled. */
export function OffReason({ off }: Pick<Actions, 'off'>) {
  if (off === null) return null
  return (
    <div class="missing" id={offReasonId}>
      <ul>
        <li class="care">
          <Icon name={off === 'changed' ? 'warn' : 'offline'} />
          <span>
            {off === 'changed'
              ? 'Disabled until you have seen what changed. Your text is kept.'
              : 'Disabled until the connection is back. Your text is kept.'}
          </span>
        </li>
      </ul>
    </div>
  )
}

interface StepButtonProps extends Pick<Actions, 'off'> {
  readonly step: ReviewStepView
  readonly icon: IconName
  readonly onPress: () => void
  readonly kind?: 'primary' | 'quiet' | undefined
  readonly wide?: boolean
  readonly busy?: string | false | undefined
  /** The id of the list of missing requirements. */
  readonly missingId?: string | undefined
  readonly id?: string
  readonly children: ComponentChildren
}

/** A step. While it is not allowed, the button is disabled and refers to what is missing. */
export function StepButton({ step, off, icon, onPress, kind, wide, busy, missingId, id, children }: StepButtonProps) {
  const isOff = off !== null || !step.allowed
  return (
    <Button
      icon={icon}
      kind={isOff ? undefined : kind}
      size={wide ? 'wide' : undefined}
      off={isOff}
      busy={busy}
      id={id}
      aria-describedby={off !== null ? offReasonId : step.allowed ? undefined : missingId}
      onClick={() => onPress()}
    >
      {children}
    </Button>
  )
}

/** A step with the list of its missing requirements above the button. */
export function ListedStep({ heading, ...props }: Omit<StepButtonProps, 'missingId'> & { readonly heading?: string }) {
  const { step, allowed, missing } = props.step
  const id = `missing-${step}`
  return (
    <>
      {!allowed && <MissingList id={id} heading={heading} missing={missing} />}
      <StepButton {...props} missingId={id} />
    </>
  )
}
