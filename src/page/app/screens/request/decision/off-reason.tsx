import { Icon } from '../../../parts/marks/icon'
import { useRequestContext } from '../model/context'

export const offReasonId = 'steps-off'

/** Why all steps are off for the moment. */
export function OffReason() {
  const { off } = useRequestContext()
  if (off === null) return null
  return (
    <div class="missing" id={offReasonId}>
      <ul>
        <li class="care">
          <Icon name={off === 'changed' ? 'warn' : 'offline'} />
          <span>
            {off === 'changed'
              ? 'Off until you have looked at what changed. What you wrote is kept.'
              : 'Off until the connection is back. What you wrote is kept.'}
          </span>
        </li>
      </ul>
    </div>
  )
}
