import { flagPath, type Place, useLocation } from '../../core/places/navigation'
import { FlagFields } from './fields'
import { FirstEnvironment } from './first-environment'
import { Head } from './head'
import { OpenRequests, sameField, useOpenRequests } from './open-requests'
import { Proposing } from './proposing'
import { StateNotices } from './state-notices'
import { useEdit } from './use-edit'
import { type FlagPlace, useErrors, usePreview } from './use-preview'
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
  const { flag, edit, offered, changes } = edited
  const names = flag.data?.segmentNames ?? noNames
  const preview = usePreview(place, changes, names)
  const requests = useOpenRequests(place)
  const same = sameField(requests, place, preview.shown)
  const errors = useErrors(preview, edit)
  return (
    <>
      <Head place={place} flag={flag.data} />
      <OpenRequests place={place} requests={requests} same={same} />
      <Proposing
        {...{ place, preview, names, errors, same }}
        draftName={`${project} ${environment} ${feature}`}
        edited={edited}
      >
        <StateNotices subject="flag" place={place} loaded={flag} edited={edited} />
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

const noNames = {}
