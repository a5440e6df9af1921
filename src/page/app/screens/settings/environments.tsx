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
import { counted } from '../../words/numbers'

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
  const [asked, setAsked] = useState<Change>()
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
              if (isWeaker(one, change)) setAsked(change)
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
      {asked && (
        <Weaken
          project={project}
          settings={settings.find(({ environment }) => environment === asked.environment)}
          change={asked}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void action.start(asked)}
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

/** Whether changes then need fewer approvals, or none. */
function isWeaker({ requiredApprovals }: EnvironmentSettingsView, { on, approvals }: Change): boolean {
  return !on || (approvals !== null && approvals < (requiredApprovals ?? 0))
}

interface WeakenProps {
  readonly project: string
  readonly settings: EnvironmentSettingsView | undefined
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Shows what becomes weaker, and what stays, before it does. */
function Weaken({ project, settings, change: { environment, on, approvals }, onConfirm, onClose }: WeakenProps) {
  const before = counted(settings?.requiredApprovals ?? 1, 'approval')
  const after = counted(approvals ?? 0, 'approval')
  const place = { name: environment, type: settings?.type }
  return (
    <Dialog
      title={on ? 'Require fewer approvals' : 'Switch off change requests'}
      band={<ProductionBand {...place} />}
      above={<PlaceMark project={project} {...place} />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{on ? `Keep ${before}` : 'Keep them on'}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {on ? `Require ${after}` : `Switch off in ${environment}`}
          </Button>
        </>
      }
    >
      <p>
        Changes to <bdi>{environment}</bdi> will need{' '}
        <b>{on ? `${after} instead of ${settings?.requiredApprovals}` : `no review instead of ${before}`}</b>.
        {!on && ' Anyone who can edit flags changes them immediately, without the rules and freezes below.'}
      </p>
      <OpenRequests {...{ project, environment, on }} />
    </Dialog>
  )
}

/** What happens to the open change requests of the environment: they keep what they need (contract 3.2, 3.3). */
function OpenRequests({ project, environment, on }: Pick<WeakenProps, 'project'> & Pick<Change, 'environment' | 'on'>) {
  const { data: open = 0 } = useQuery(['open requests', project, environment], async (options) => {
    const found = await Promise.all(
      (['In review', 'Approved', 'Scheduled'] as const).map((state) =>
        client.reviews({ project, environment, state, limit: 1 }, options),
      ),
    )
    return { body: found.reduce((sum, { body }) => sum + (body.totals?.all.count ?? 0), 0) }
  })
  const isOne = open === 1
  const subject = open === 0 ? 'Open change requests' : counted(open, 'open change request')
  return (
    <p>
      {subject} {isOne ? 'keeps the number that it has' : 'keep the number that they have'}
      {on ? ', and so do drafts.' : ', and can still be approved and applied. Schedules still run.'}
    </p>
  )
}
