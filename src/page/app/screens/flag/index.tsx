import { useMemo } from 'preact/hooks'
import { flagPath, type Place, useLocation } from '../../core/places/navigation'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { useSettings } from '../../reviews/projects'
import { errorsByField } from './errors'
import { FlagFields } from './fields'
import { FirstEnvironment } from './first-environment'
import { Head } from './head'
import { OpenRequests, sameField, useOpenRequests } from './open-requests'
import { Proposing } from './proposing'
import { type EditedFlag, useEdit } from './use-edit'
import { type FlagPlace, usePreview } from './use-preview'
import './flag.css'

/** A flag as it is in an environment, and what one would change in it. */
export function Flag({ place: { project, name } }: { readonly place: Extract<Place, { screen: 'flag' }> }) {
  const environment = useLocation().query.get('environment') ?? ''
  if (environment !== '') return <FlagIn place={{ project, environment, feature: name }} />
  return <FirstEnvironment project={project} title={name} pathIn={(one) => flagPath(project, name, one)} />
}

function FlagIn({ place }: { readonly place: FlagPlace }) {
  const { project, environment, feature } = place
  const edited = useEdit(place)
  const { flag, edit } = edited
  const isOff = useSettings(project).data?.some((one) => one.environment === environment && !one.changeRequestEnabled)
  const offered = isOff ? nothing : edited.offered
  const changes = isOff ? nothing : edited.changes
  const names = flag.data?.segmentNames ?? noNames
  const preview = usePreview(place, changes, names)
  const requests = useOpenRequests(place)
  const same = sameField(requests, place, preview.shown)
  const errors = useMemo(
    () => (edit ? errorsByField(preview.problems, preview.sent, edit) : noErrors),
    [preview.problems, edit],
  )
  return (
    <>
      <Head place={place} flag={flag.data} />
      <OpenRequests place={place} requests={requests} same={same} />
      <Proposing
        {...{ place, preview, names, errors, same }}
        draftName={`${project} ${environment} ${feature}`}
        edited={{ ...edited, changes }}
      >
        <StateNotices place={place} edited={edited} isOff={isOff === true} />
        {edit && flag.data?.state && (
          <FlagFields
            key={environment}
            {...{ edit, offered, place, errors }}
            segmentNames={names}
            conflicts={edited.conflicts}
            onChange={edited.write}
          />
        )}
      </Proposing>
    </>
  )
}

const nothing: readonly never[] = []
const noNames = {}
const noErrors: ReadonlyMap<string, string> = new Map()

interface StateNoticesProps {
  readonly place: FlagPlace
  readonly edited: EditedFlag
  /** Change requests are disabled there. */
  readonly isOff: boolean
}

/** What is so about the flag that its fields do not show. */
function StateNotices({ place: { environment }, edited, isOff }: StateNoticesProps) {
  const { flag, actions } = edited
  const { data } = flag
  return (
    <>
      {data === undefined ? (
        <NotLoaded loaded={flag} subject="the flag" />
      ) : (
        flag.error && <LoadFailed loaded={flag} subject="the flag" />
      )}
      {data && <LoadFailed loaded={actions} subject="what can be changed" />}
      {data?.state === null && (
        <Notice tone="plain" icon="info" title="The current values are unknown">
          The host app has no flag gateway, so there is nothing to edit here.
        </Notice>
      )}
      {data?.state?.archived && (
        <Notice tone="plain" icon="inbox" title="This flag is archived">
          It is archived in all environments, and cannot be edited.
        </Notice>
      )}
      {isOff && (
        <Notice tone="plain" icon="lock" title="Change requests are disabled here">
          Nothing can be proposed in <bdi>{environment}</bdi>.
        </Notice>
      )}
    </>
  )
}
