import { useId, useState } from 'preact/hooks'
import type { EnvironmentSettingsView, MeView, ReviewersView } from '../../../../generated'
import { useQuery } from '../../core/api/query'
import { client, useMe } from '../../core/api/session'
import { isProduction } from '../../core/tools/production'
import { GridTable } from '../../parts/controls/grid-table'
import { Icon } from '../../parts/marks/icon'
import { nameOf } from '../../parts/marks/person'
import { NotLoaded } from '../../parts/messages/load-failed'

interface PermissionsProps {
  readonly project: string
  readonly settings: readonly EnvironmentSettingsView[]
}

const steps: readonly { permission: string; step: string; note?: string }[] = [
  { permission: 'CREATE_CHANGE_REQUEST', step: 'Propose, edit your own, send to review' },
  { permission: 'APPROVE_CHANGE_REQUEST', step: 'Approve, reject, acknowledge', note: 'Never your own.' },
  { permission: 'APPLY_CHANGE_REQUEST', step: 'Apply, schedule' },
  {
    permission: 'SKIP_CHANGE_REQUEST',
    step: 'Bypass the review in an emergency',
    note: 'Together with APPLY_CHANGE_REQUEST.',
  },
  { permission: 'PROJECT_CHANGE_REQUEST_WRITE', step: 'Change these settings' },
  { permission: 'READ_EVENTS', step: 'Read the log of this project' },
]

/** What the caller can do in an environment, and with which permission: users need the name to request it. */
export function Permissions({ project, settings }: PermissionsProps) {
  const first = settings.find(({ environment, type }) => isProduction(environment, type)) ?? settings[0]
  const [environment, setEnvironment] = useState(first?.environment ?? '')
  const id = useId()
  const loaded = useQuery(['me', project, environment], (options) => client.me({ project, environment }, options))
  const reviewers = useQuery(['reviewers', project, environment], (options) => {
    return client.availableReviewers(project, environment, options)
  })
  return (
    <section aria-labelledby="permissions">
      <div class="sec-head">
        <h2 id="permissions">Your permissions in {environment}</h2>
        <span class="muted small">Permissions are granted by the host app, not here</span>
        {settings.length > 1 && (
          <span class="end pick flow">
            <label for={id} class="vh">
              Environment
            </label>
            <select id={id} value={environment} onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}>
              {settings.map((one) => (
                <option key={one.environment}>{one.environment}</option>
              ))}
            </select>
          </span>
        )}
      </div>
      {loaded.data ? (
        <Table me={loaded.data} reviewers={reviewers.data?.reviewers ?? []} />
      ) : (
        <NotLoaded loaded={loaded} subject="your permissions" />
      )}
    </section>
  )
}

function Table({ me, reviewers }: { readonly me: MeView; readonly reviewers: ReviewersView['reviewers'] }) {
  const others = useOthers(reviewers)
  return (
    <GridTable headings={['Step', 'You', 'Permission']} class="may">
      {steps.map(({ permission, step, note }) => (
        <tr key={permission}>
          <th scope="row">
            {step}
            {note && (
              <p>
                {note} {permission === 'APPROVE_CHANGE_REQUEST' && others}
              </p>
            )}
          </th>
          <td data-l="You">{me.permissions?.includes(permission) ? <Yes /> : <No />}</td>
          <td data-l="Permission" class="mono">
            {permission}
          </td>
        </tr>
      ))}
    </GridTable>
  )
}

/** `In addition to you: Ann Lee, Ben Ode.`; many are counted. */
function useOthers(reviewers: ReviewersView['reviewers']): string {
  const me = useMe()
  const names = reviewers.filter(({ id }) => id !== me.id).map(({ id, username }) => nameOf({ id, username }))
  if (names.length === 0) return ''
  const [shown, rest] = [names.slice(0, 10).join(', '), names.length - 10]
  return `In addition to you: ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`
}

const Yes = () => (
  <span class="yes">
    <Icon name="check" /> Yes
  </span>
)

const No = () => (
  <span class="no">
    <Icon name="x" /> No
  </span>
)
