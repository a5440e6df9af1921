import type { EnvironmentSettingsView } from '../../../../generated'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { Stepper } from './stepper'
import { Toggle } from './toggle'

/** The requested settings of one environment. */
export interface Change {
  readonly environment: string
  readonly on: boolean
  readonly approvals: number | null
}

interface RowProps {
  readonly settings: EnvironmentSettingsView
  readonly off: boolean
  readonly onChange: (change: Change) => void
}

/** One environment, with its switch, its number and what they mean. */
export function EnvironmentRow({
  settings: { environment, type, changeRequestEnabled: on, requiredApprovals },
  off,
  onChange,
}: RowProps) {
  const approvals = requiredApprovals ?? 1
  return (
    <tr>
      <th scope="row">
        <EnvironmentMark name={environment} type={type} />
      </th>
      <td data-l="Change requests">
        <Toggle
          on={on}
          off={off}
          label={`Change requests in ${environment}`}
          onChange={(next) => onChange({ environment, on: next, approvals: null })}
        />
      </td>
      <td data-l="Approvals needed">
        {on ? (
          <Stepper
            value={approvals}
            off={off}
            label={`Approvals needed in ${environment}`}
            onChange={(next) => onChange({ environment, on, approvals: next })}
          />
        ) : (
          <span class="muted">none</span>
        )}
      </td>
      <td>
        <p>
          {on
            ? meansOn(approvals)
            : 'Anyone who can edit flags changes them immediately. Open change requests continue.'}
        </p>
      </td>
    </tr>
  )
}

function meansOn(approvals: number): string {
  const people = approvals === 1 ? '1 person' : `${approvals} people`
  return `Every change needs ${people} in addition to its author. Open change requests keep the number that they were submitted with.`
}
