import { useMemo, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { FlagView, OfferedActionsView } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { flagPath, type Place, useLocation } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { useSettings } from '../../reviews/projects'
import type { EditedField } from '../authoring/model/merge'
import type { Offered } from '../authoring/model/payload'
import { Effect } from './effect'
import { errorsByField } from './errors'
import { FlagFields } from './fields'
import { FirstEnvironment } from './first-environment'
import { Head } from './head'
import { changesOf } from './model/changes'
import { beginEdit, type FlagEdit } from './model/edit'
import { OpenRequests, useOpenRequests } from './open-requests'
import { Propose } from './propose'
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
  const flag = useQuery<FlagView>(['flag', project, environment, feature], (options) =>
    authoring.flag(project, environment, feature, options),
  )
  return (
    <>
      <Head place={place} flag={flag.data} />
      {flag.data === undefined ? (
        <Unread place={place} loaded={flag} />
      ) : (
        <Editor key={environment} place={place} flag={flag.data} />
      )}
    </>
  )
}

/** What can be shown without the state of the flag. */
function Unread({
  place,
  loaded,
}: {
  readonly place: FlagPlace
  readonly loaded: Parameters<typeof NotLoaded>[0]['loaded']
}) {
  const requests = useOpenRequests(place)
  return (
    <div class="stack">
      <NotLoaded loaded={loaded} subject="the flag" />
      <OpenRequests place={place} requests={requests} preview={undefined} />
    </div>
  )
}

interface EditorProps {
  readonly place: FlagPlace
  readonly flag: FlagView
}

const nothing: readonly Offered[] = []
const noConflicts: readonly EditedField[] = []

function Editor({ place, flag }: EditorProps) {
  const { project, environment, feature } = place
  const actions = useQuery<OfferedActionsView>(['actions', project, environment], (options) =>
    authoring.actions(project, environment, options),
  )
  const begin = useMemo(() => beginEdit(flag), [flag])
  const [own, write] = useState<FlagEdit>()
  const edit = own ?? begin
  const isOff = useSettings(project).data?.some((one) => one.environment === environment && !one.changeRequestEnabled)
  const isArchived = flag.state?.archived === true
  const offered = isOff || isArchived ? nothing : ((actions.data?.actions ?? nothing) as readonly Offered[])
  const changes = useMemo(() => changesOf(edit, offered, feature), [edit, offered, feature])
  const preview = usePreview(place, changes, flag.segmentNames)
  const errors = useMemo(() => errorsByField(preview.problems, preview.sent, edit), [preview.problems, edit])
  const requests = useOpenRequests(place)
  const [isOpen, setOpen] = useState(false)
  const [, setOpenRequest] = useState<ChangeRequestPlace>()
  const isEdited = changes.length > 0
  const steps = (
    <div class="steps">
      <Button
        kind="primary"
        size="wide"
        icon="send"
        off={!isEdited || preview.problems.length > 0}
        onClick={() => setOpen(true)}
      >
        Propose…
      </Button>
      {isEdited && (
        <Button kind="quiet" icon="undo" onClick={() => write(undefined)}>
          Start over
        </Button>
      )}
    </div>
  )
  return (
    <>
      <div class="cols">
        <div class="stack">
          {isArchived && (
            <Notice tone="plain" icon="inbox" title="This flag is archived">
              It is archived in all environments, and cannot be edited.
            </Notice>
          )}
          {isOff && (
            <Notice tone="plain" icon="lock" title="Change requests are disabled here">
              Nothing can be proposed in <bdi>{environment}</bdi>.
            </Notice>
          )}
          {flag.state === null && (
            <Notice tone="plain" icon="info" title="The current values are unknown">
              The host app has no flag gateway.
            </Notice>
          )}
          <LoadFailed loaded={actions} subject="the actions" />
          {flag.state !== null && (
            <FlagFields
              edit={edit}
              offered={offered}
              place={place}
              segmentNames={flag.segmentNames}
              conflicts={noConflicts}
              errors={errors}
              onChange={write}
            />
          )}
          <OpenRequests place={place} requests={requests} preview={preview.shown} />
        </div>
        <Effect
          place={place}
          preview={preview}
          isEdited={isEdited}
          names={flag.segmentNames}
          problems={[...errors.values()].map((message) => ({ message }))}
        >
          {steps}
        </Effect>
      </div>
      {isOpen && (
        <Propose
          place={place}
          draftName={`${project} ${environment} ${feature}`}
          targets={preview.shown?.targets ?? []}
          send={(call) => call(changes)}
          onSent={() => write(undefined)}
          onOpenRequest={setOpenRequest}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
