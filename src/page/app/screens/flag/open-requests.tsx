import { useState } from 'preact/hooks'
import type { ReviewListItemView, StateName } from '../../../../generated'
import { states } from '../../../../generated/lists'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { EnvironmentName } from '../../parts/marks/environment-mark'
import { Mark } from '../../parts/marks/mark'
import { PersonName } from '../../parts/marks/person'
import { RequestName } from '../../parts/marks/request-name'
import { isClosed } from '../../parts/marks/state'
import { StateMark } from '../../parts/marks/state-mark'
import { listedWords } from '../../words/effects/listed'
import { fieldsBetween } from '../../words/fields/compared'
import { objectOf } from '../../words/json'
import type { FlagPlace, Preview } from './use-preview'

const openStates = states.filter((state) => !isClosed(state))

/** The open change requests of a flag that the viewer can see, in all environments of the project; the newest first. */
export function useOpenRequests({ project, feature }: Pick<FlagPlace, 'project' | 'feature'>) {
  const { data = [] } = useQuery(
    ['open requests', project, feature],
    async (options) => {
      const read = (state: StateName) => client.reviews({ project, feature, state, limit: 20 }, options)
      const answers = await Promise.all(openStates.map(read))
      return { body: answers.flatMap(({ body }) => body.reviews).sort((one, other) => other.id - one.id) }
    },
    { changedBy: (events) => events.some((event) => event.project === project && event.type.startsWith('change-')) },
  )
  return data
}

/** Those that change a field that the viewer is about to change as well. */
export function sameField(
  requests: readonly ReviewListItemView[],
  place: FlagPlace,
  preview: Preview | undefined,
): readonly ReviewListItemView[] {
  const edited = new Set(preview?.targets.flatMap(({ changes }) => changes.flatMap(fieldsOf)))
  const isSame = (item: ReviewListItemView) =>
    changesIn(item, place).some((one) => fieldsOf(one).some((field) => edited.has(field)))
  return requests.filter((item) => item.environment === place.environment && isSame(item))
}

const changesIn = ({ effects }: ReviewListItemView, { feature }: FlagPlace) =>
  effects?.find(({ name }) => name === feature)?.changes ?? []

interface OpenRequestsProps {
  readonly place: FlagPlace
  readonly requests: readonly ReviewListItemView[]
  readonly same: readonly ReviewListItemView[]
}

const few = 3

/** What is about to change in the flag. */
export function OpenRequests({ place, requests, same }: OpenRequestsProps) {
  const [isLong, setLong] = useState(false)
  if (requests.length === 0) return null
  return (
    <section class="panel side open-requests edge" aria-labelledby="open-requests">
      <h2 id="open-requests">Open change requests</h2>
      <ul class="lines">
        {requests.slice(0, isLong ? undefined : few).map((item) => (
          <li key={item.id} class="flow small">
            <StateMark state={item.state} />
            <Link to={requestPath(item.project, item.id)}>
              <RequestName {...item} />
            </Link>
            <span class="muted">
              by <PersonName person={item.createdBy} />
            </span>
            <EnvironmentName name={item.environment} />
            <span>
              <RichText words={listedWords(changesIn(item, place))} />
            </span>
            {same.includes(item) && (
              <Mark tone="care" icon="warn">
                Same field
              </Mark>
            )}
          </li>
        ))}
      </ul>
      {requests.length > few && (
        <Button kind="quiet" size="tiny" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show ${requests.length - few} more`}
        </Button>
      )}
    </section>
  )
}

interface Part {
  readonly action: string
  readonly before: unknown
  readonly after: unknown
}

/** The fields that a change alters, with the strategy that they are of. */
function fieldsOf({ action, before, after }: Part): readonly string[] {
  const { id = '' } = objectOf(before ?? after)
  // What does not exist yet is changed by nobody else.
  if (action === 'addStrategy') return []
  return fieldsBetween(before, after).map(({ path }) => `${id} ${path}`)
}
