import { useState } from 'preact/hooks'
import type { EnvironmentSettingsView } from '../../../../generated'
import { useAction } from '../../core/api/action'
import { useOffline } from '../../core/api/network'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { isProduction } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { GridTable } from '../../parts/controls/grid-table'
import { Toggle } from '../../parts/controls/toggle'
import { EnvironmentName, PlaceMark, ProductionBand } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'

interface EnvironmentsProps {
  readonly project: string
  readonly settings: readonly EnvironmentSettingsView[]
  readonly refresh: () => Promise<readonly EnvironmentSettingsView[] | undefined>
}

/** Whether changes need a review in each environment, and how many approvals; with switches for users who can change it. */
export function Environments({ project, settings, refresh }: EnvironmentsProps) {
  const mayChange = useMayChange(project)
  const offline = useOffline() !== undefined
  const action = useChange(project, refresh)
  const [leaving, setLeaving] = useState<EnvironmentSettingsView>()
  const off = !mayChange || offline || action.busy
  return (
    <section aria-labelledby="environments">
      <div class="sec-head">
        <h2 id="environments">Environments</h2>
        <span class="muted small">The approvals that changes need there</span>
      </div>
      <GridTable headings={['Environment', 'Change requests', 'Approvals needed', 'Means']}>
        {[...settings].sort(byWeight).map((one) => (
          <EnvironmentRow
            key={one.environment}
            settings={one}
            off={off}
            onChange={(change) => {
              if (!change.on && isProduction(one.environment, one.type)) setLeaving(one)
              else void action.start(change)
            }}
          />
        ))}
      </GridTable>
      {!mayChange && (
        <p class="small muted below">
          To change this, you need <span class="mono">PROJECT_CHANGE_REQUEST_WRITE</span>, which the host app grants.
        </p>
      )}
      {leaving && (
        <SwitchOff
          project={project}
          environment={leaving.environment}
          type={leaving.type}
          onClose={() => setLeaving(undefined)}
          onSwitchOff={() => void action.start({ environment: leaving.environment, on: false, approvals: null })}
        />
      )}
      <OutcomeNotice action={action} verb={`change the settings of ${project}`} />
    </section>
  )
}

function useChange(project: string, refresh: () => Promise<readonly EnvironmentSettingsView[] | undefined>) {
  return useAction(async ({ signal }, { environment, on, approvals }: Change) => {
    const update = { changeRequestsEnabled: on, ...(approvals !== null && { requiredApprovals: approvals }) }
    await client.updateSettings(project, environment, update, { signal })
    // Nothing is read for a screen that was left.
    const all = (await refresh()) ?? (await client.settings(project, { signal }).catch(() => undefined))?.body
    const stored = all?.find((one) => one.environment === environment)
    if (stored?.changeRequestEnabled !== on || (approvals !== null && stored.requiredApprovals !== approvals)) {
      throw unknownResult
    }
    say(`Saved: ${environment}, change requests ${on ? `on, ${approvals ?? 1} needed` : 'off'}.`)
  })
}

/** The response has no body that shows what was saved. */
const unknownResult = { name: 'UnknownResult', message: 'The settings that were read after it do not show it.' }

/** Production first; the others as the host has them. */
function byWeight(...both: readonly [EnvironmentSettingsView, EnvironmentSettingsView]): number {
  const [a = 0, b = 0] = both.map(({ environment, type }) => Number(isProduction(environment, type)))
  return b - a
}

function useMayChange(project: string): boolean {
  const { data } = useQuery(['me', project], (options) => client.me({ project }, options))
  return data?.permissions?.includes('PROJECT_CHANGE_REQUEST_WRITE') ?? false
}

/** The requested settings of one environment. */
interface Change {
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
function EnvironmentRow({
  settings: { environment, type, changeRequestEnabled: on, requiredApprovals },
  off,
  onChange,
}: RowProps) {
  const approvals = requiredApprovals ?? 1
  return (
    <tr>
      <th scope="row">
        <EnvironmentName name={environment} type={type} />
      </th>
      <td data-l="Change requests">
        <Toggle
          value={on}
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

interface ControlProps<T> {
  readonly value: T
  /** Cannot be pressed now. */
  readonly off: boolean
  readonly label: string
  readonly onChange: (value: T) => void
}

const [minApprovals, maxApprovals] = [1, 10]

/** A small number with a button for one less and one for one more. */
function Stepper({ value, off, label, onChange }: ControlProps<number>) {
  const step = (by: 1 | -1) => {
    const next = value + by
    const out = off || next < minApprovals || next > maxApprovals
    return {
      type: 'button' as const,
      'aria-disabled': out || undefined,
      onClick: () => !out && onChange(next),
    }
  }
  return (
    <fieldset class="stepper" aria-label={label}>
      <button {...step(-1)} aria-label="One less">
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button {...step(1)} aria-label="One more">
        <Icon name="plus" />
      </button>
    </fieldset>
  )
}

interface SwitchOffProps extends Pick<EnvironmentSettingsView, 'environment' | 'type'> {
  readonly project: string
  readonly onSwitchOff: () => void
  readonly onClose: () => void
}

/** Warns before the review of production is switched off: changes are then applied without approval. */
function SwitchOff({ project, environment, type, onSwitchOff, onClose }: SwitchOffProps) {
  return (
    <Dialog
      title="Switch off change requests?"
      band={<ProductionBand name={environment} type={type} />}
      above={<PlaceMark project={project} name={environment} type={type} />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep them on</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              onSwitchOff()
            }}
          >
            Switch off in {environment}
          </Button>
        </>
      }
    >
      <p>Anyone who can edit flags then changes them immediately, without a review. Open change requests continue.</p>
    </Dialog>
  )
}
