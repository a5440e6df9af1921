import { useState } from 'preact/hooks'
import type { EnvironmentSettingsView } from '../../../../generated'
import { useAction } from '../../core/api/action'
import { useOffline } from '../../core/api/network'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { isProduction } from '../../core/tools/production'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { type Change, EnvironmentRow } from './environment-row'
import { SwitchOff } from './switch-off'

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
      <Table
        settings={settings}
        off={off}
        onChange={(change, one) => {
          if (!change.on && isProduction(one.environment, one.type)) setLeaving(one)
          else void action.start(change)
        }}
      />
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

interface TableProps {
  readonly settings: readonly EnvironmentSettingsView[]
  readonly off: boolean
  readonly onChange: (change: Change, of: EnvironmentSettingsView) => void
}

function Table({ settings, off, onChange }: TableProps) {
  return (
    <div class="panel edge">
      <table class="grid-table">
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col">Change requests</th>
            <th scope="col">Approvals needed</th>
            <th scope="col">Means</th>
          </tr>
        </thead>
        <tbody>
          {[...settings].sort(byWeight).map((one) => (
            <EnvironmentRow
              key={one.environment}
              settings={one}
              off={off}
              onChange={(change) => onChange(change, one)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Production first; the others as the host has them. */
function byWeight(...both: readonly [EnvironmentSettingsView, EnvironmentSettingsView]): number {
  const [a = 0, b = 0] = both.map(({ environment, type }) => Number(isProduction(environment, type)))
  return b - a
}

function useMayChange(project: string): boolean {
  const { data } = useQuery(['me', project], (options) => client.me({ project }, options))
  return data?.permissions?.includes('PROJECT_CHANGE_REQUEST_WRITE') ?? false
}
