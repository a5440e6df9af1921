import type { StepCode } from '../../../../generated'
import type { Missing } from '../../core/api/missing'
import { Icon, type IconName } from '../marks/icon'

const icons: { readonly [code in StepCode]?: readonly [icon: IconName, tone: string] } = {
  'missing-approvals': ['users', 'care'],
  conflict: ['stop', 'stop'],
  overwrite: ['warn', 'care'],
}

interface MissingListProps {
  readonly missing: readonly Missing[]
  /** For `aria-describedby` of the steps that miss it. */
  readonly id?: string | undefined
  /** Which steps miss this, such as `Apply and schedule:`. */
  readonly heading?: string | undefined
}

/** What is missing, in the sentences of the server. */
export function MissingList({ missing, id, heading }: MissingListProps) {
  return (
    <div class="missing" id={id}>
      {heading && <p>{heading}</p>}
      <ul>
        {missing.map(({ code = '', message }) => {
          const [icon, tone] = icons[code as StepCode] ?? (['info', ''] as const)
          return (
            <li key={`${code} ${message}`} class={tone || undefined}>
              <Icon name={icon} />
              <span>{message}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
