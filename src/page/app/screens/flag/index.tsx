import { useState } from 'preact/hooks'
import { flagPath, type Place, useLocation } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { DialogFallback, lazy } from '../../parts/lazy'
import { FlagFields } from './fields'
import { FirstEnvironment } from './first-environment'
import { Head } from './head'
import { canEdit } from './model/edit'
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
  const [isOpen, setOpen] = useState(false)
  const edited = useEdit(place)
  const { flag, edit, offered, changes } = edited
  const names = flag.data?.segmentNames ?? noNames
  const preview = usePreview(place, changes, names)
  const requests = useOpenRequests(place)
  const same = sameField(requests, place, preview.shown)
  const errors = useErrors(preview, edit)
  return (
    <>
      <Head place={place} flag={flag.data}>
        {flag.data?.state?.enabled === true && canEdit(offered, 'updateEnabled') && (
          <p>
            <Button onClick={() => setOpen(true)}>Switch off now…</Button>
          </p>
        )}
      </Head>
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
      {isOpen && <SwitchOff place={place} flag={flag} onClose={() => setOpen(false)} />}
    </>
  )
}

const SwitchOff = lazy(async () => (await import('./switch-off')).SwitchOff, DialogFallback)

const noNames = {}
