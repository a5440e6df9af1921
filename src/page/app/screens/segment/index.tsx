import type { SegmentView } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { pollMs } from '../../core/api/live'
import { useQuery } from '../../core/api/query'
import { Link } from '../../core/places/link'
import { flagPath, type Place, segmentPath, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { everywhere } from '../../core/tools/production'
import { Crumbs } from '../../parts/controls/crumbs'
import { EnvironmentMark, ProductionBand } from '../../parts/marks/environment-mark'
import { counted } from '../../words/numbers'
import { FirstEnvironment } from '../flag/first-environment'
import { Proposing } from '../flag/proposing'
import { StateNotices } from '../flag/state-notices'
import { useEditOf } from '../flag/use-edit'
import { useErrors, usePreview } from '../flag/use-preview'
import { segmentChanges } from './changes'
import { SegmentFields } from './fields'
import '../flag/flag.css'

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
  const { edit, offered, changes, conflicts, write } = edited
  const preview = usePreview(place, changes, noNames)
  const errors = useErrors(preview, edit)
  return (
    <>
      <Head place={place} segment={segment.data} />
      <Proposing
        subject="segment"
        {...{ place, preview, errors, edited }}
        names={noNames}
        draftName={`${project} ${environment} segment ${id}`}
      >
        <StateNotices subject="segment" place={place} loaded={segment} edited={edited} />
        {edit && segment.data?.state && (
          <SegmentFields {...{ id, edit, offered, place, errors, conflicts }} onChange={write} />
        )}
      </Proposing>
    </>
  )
}

const noNames = {}

interface HeadProps {
  readonly place: SegmentPlace
  readonly segment: SegmentView | undefined
}

function Head({ place: { project, environment, id }, segment }: HeadProps) {
  const name = segment?.state?.name ?? `Segment ${id}`
  return (
    <>
      <Crumbs project={project} current="Segment" />
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
