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
              ? 'Disabled until you have seen what changed. Your text is kept.'
              : 'Disabled until the connection is back. Your text is kept.'}
          </span>
        </li>
      </ul>
    </div>
  )
}
