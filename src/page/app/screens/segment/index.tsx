import { useMemo, useState } from 'preact/hooks'
import type { OfferedActionsView, SegmentView } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { Link } from '../../core/places/link'
import { flagPath, type Place, segmentPath, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { everywhere } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { EnvironmentMark, ProductionBand } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { counted } from '../../words/numbers'
import type { Offered } from '../authoring/model/payload'
import { Effect } from '../flag/effect'
import { errorsByField } from '../flag/errors'
import { FirstEnvironment } from '../flag/first-environment'
import { beginEdit, type FlagEdit } from '../flag/model/edit'
import { Propose } from '../flag/propose'
import { usePreview } from '../flag/use-preview'
import { segmentChanges } from './changes'
import { SegmentFields } from './fields'

interface SegmentPlace {
  readonly project: string
  /** Where it is proposed; it takes effect in all. */
  readonly environment: string
  readonly id: number
}

/** A segment as it is, and what one would change in it. */
export function Segment({ place: { project, id } }: { readonly place: Extract<Place, { screen: 'segment' }> }) {
  const environment = useLocation().query.get('environment') ?? ''
  if (environment !== '') return <SegmentIn place={{ project, environment, id }} />
  return <FirstEnvironment project={project} title={`Segment ${id}`} pathIn={(one) => segmentPath(project, id, one)} />
}

function SegmentIn({ place }: { readonly place: SegmentPlace }) {
  const { project, environment, id } = place
  const segment = useQuery<SegmentView>(
    ['segment', project, environment, String(id)],
    (options) => authoring.segment(project, environment, id, options),
    // Polls, because the host app can edit a segment without an event.
    { changedBy: (events) => events.some(({ type }) => type.startsWith('segment-')), pollMs },
  )
  const path = segmentPath(project, id, environment)
  const edited = useEditOf(segment, place, path, (edit, offered) => segmentChanges(edit, offered, id))
  const { edit, offered, changes, conflicts } = edited
  const isOff = useSettings(project).data?.some((one) => one.environment === environment && !one.changeRequestEnabled)
  const preview = usePreview(place, changes, noNames)
  const errors = useMemo(
    () => (edit ? errorsByField(preview.problems, preview.sent, edit) : noErrors),
    [preview.problems, edit],
  )
  return (
    <>
      <Head place={place} segment={segment.data} />
      TODO
    </>
  )
}

interface HeadProps {
  readonly place: SegmentPlace
  readonly segment: SegmentView | undefined
}

function Head({ place: { project, environment, id }, segment }: HeadProps) {
  const name = segment?.state?.name ?? `Segment ${id}`
  return (
    <>
      <nav class="crumbs flow muted small" aria-label="You are here">
        <Link to="/">Inbox</Link>
        <Icon name="chevronRight" />
        <bdi>{project}</bdi>
        <Icon name="chevronRight" />
        <span>Segment</span>
      </nav>
      <header class="panel req-head edge">
        <ProductionBand name={everywhere} />
        <div class="req-head-in">
          <div class="flow">
            <EnvironmentMark name={everywhere} big />
            <span>
              of <bdi class="strong">{project}</bdi> · live for all users
            </span>
          </div>
          <PageTitle title={name}>
            <bdi>{name}</bdi>
          </PageTitle>
          {segment?.usedBy && <Users place={{ project, environment, id }} usedBy={segment.usedBy} />}
        </div>
      </header>
    </>
  )
}

interface UsersProps {
  readonly place: SegmentPlace
  readonly usedBy: NonNullable<SegmentView['usedBy']>
}

/** The flags that use the segment. */
function Users({ place, usedBy }: UsersProps) {
  if (usedBy.length === 0) return <p class="muted">No flag uses it.</p>
  return (
    <p>
      Used by{' '}
      {usedBy.map((user, index) => (
        <>
          {index > 0 && ', '}
          {'others' in user ? (
            counted(user.others, 'other flag')
          ) : (
            <Link
              to={flagPath(user.project, user.feature, user.project === place.project ? place.environment : undefined)}
            >
              <bdi class="flag">
                {user.project === place.project ? user.feature : `${user.project}/${user.feature}`}
              </bdi>
            </Link>
          )}
        </>
      ))}
      .
    </p>
  )
}

const nothing: readonly Offered[] = []
const noConflicts = [] as const

function Editor({ place, segment }: { readonly place: SegmentPlace; readonly segment: SegmentView }) {
  const { project, environment, id } = place
  const actions = useQuery<OfferedActionsView>(['actions', project, environment], (options) =>
    authoring.actions(project, environment, options),
  )
  const begin = useMemo(() => beginEdit(segment), [segment])
  const [own, write] = useState<FlagEdit>()
  const edit = own ?? begin
  const offered = (actions.data?.actions ?? nothing) as readonly Offered[]
  const changes = useMemo(() => segmentChanges(edit, offered, id), [edit, offered, id])
  const preview = usePreview(place, changes, {})
  const errors = useMemo(() => errorsByField(preview.problems, preview.sent, edit), [preview.problems, edit])
  const [isOpen, setOpen] = useState(false)
  const isEdited = changes.length > 0
  return (
    <>
      <div class="cols">
        <div class="stack">
          {segment.state === null && (
            <Notice tone="plain" icon="info" title="The current values are unknown">
              The host app has no flag gateway.
            </Notice>
          )}
          <LoadFailed loaded={actions} subject="the actions" />
          {segment.state !== null && (
            <SegmentFields {...{ id, edit, offered, place, errors }} conflicts={noConflicts} onChange={write} />
          )}
        </div>
        <Effect
          place={place}
          preview={preview}
          isEdited={isEdited}
          names={{}}
          problems={[...errors.values()].map((message) => ({ message }))}
        >
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
        </Effect>
      </div>
      {isOpen && (
        <Propose
          place={place}
          draftName={`${project} ${environment} segment ${id}`}
          targets={preview.shown?.targets ?? []}
          send={(call) => call(changes)}
          onSent={() => write(undefined)}
          onOpenRequest={() => undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
