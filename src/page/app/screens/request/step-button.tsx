import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/controls/button'
import { Icon, type IconName } from '../../parts/marks/icon'
import type { Actions } from './use-request'

const offReasonId = 'steps-off'

/** Why all steps are disabled. */
export function OffReason({ off }: Pick<Actions, 'off'>) {
  if (off === null) return null
  return (
    <p class="small" id={offReasonId}>
      <Icon name={off === 'changed' ? 'warn' : 'offline'} />{' '}
      {`Disabled until ${off === 'changed' ? 'you have seen what changed' : 'the connection is back'}. Your text is kept.`}
    </p>
  )
}

interface StepButtonProps extends Pick<Actions, 'off'> {
  readonly icon: IconName
  readonly onPress: () => void
  readonly kind?: 'primary' | 'quiet' | undefined
  readonly wide?: boolean
  readonly busy?: string | false | undefined
  readonly id?: string
  readonly 'aria-describedby'?: string
  readonly children: ComponentChildren
}

/** A step that is allowed. It is disabled while no step can be sent. */
export function StepButton({ off, kind, wide, onPress, ...props }: StepButtonProps) {
  const isOff = off !== null
  return (
    <Button
      {...props}
      kind={isOff ? undefined : kind}
      size={wide ? 'wide' : undefined}
      off={isOff}
      aria-describedby={isOff ? offReasonId : props['aria-describedby']}
      onClick={() => onPress()}
    />
  )
}
