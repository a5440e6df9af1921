import type { ComponentChildren } from 'preact'
import type { ReviewStepView } from '../../../../../generated'
import { Button } from '../../../parts/controls/button'
import type { IconName } from '../../../parts/marks/icon'
import { MissingList } from '../../../parts/messages/missing-list'
import { useRequestContext } from '../model/context'
import { offReasonId } from './off-reason'

interface StepButtonProps {
  readonly step: ReviewStepView
  readonly icon: IconName
  readonly onPress: () => void
  readonly kind?: 'primary' | 'danger-quiet' | undefined
  readonly wide?: boolean
  readonly busy?: string | false | undefined
  /** Where stands what it misses. */
  readonly missingId?: string | undefined
  readonly id?: string
  readonly children: ComponentChildren
}

/** A step as the server allows it: off, it points to what is missing. */
export function StepButton({ step, icon, onPress, kind, wide, busy, missingId, id, children }: StepButtonProps) {
  const { off } = useRequestContext()
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
      onClick={onPress}
    >
      {children}
    </Button>
  )
}

/** A step with a list of what it misses above its button. */
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
