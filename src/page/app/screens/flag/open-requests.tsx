import type { ReviewListItemView, StateName } from '../../../../generated'
import { states } from '../../../../generated/lists'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { Mark } from '../../parts/marks/mark'
import { PersonName } from '../../parts/marks/person'
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

interface OpenRequestsProps {
  readonly place: FlagPlace
  readonly requests: readonly ReviewListItemView[]
  /** What the viewer is about to propose. */
  readonly preview: Preview | undefined
}

/** What others are about to change in the flag. */
export function OpenRequests({ place, requests, preview }: OpenRequestsProps) {
  if (requests.length === 0) return null
  const edited = new Set(preview?.targets.flatMap(({ changes }) => changes.flatMap(fieldsOf)))
  return (
    <section class="panel side edge" aria-labelledby="open-requests">
      <h2 id="open-requests">Open change requests</h2>
      <ul class="open-requests lines">
        {requests.map((item) => {
          const { id, project, environment, title, state, createdBy } = item
          const changes = item.effects?.find(({ name }) => name === place.feature)?.changes ?? []
          const isSame =
            environment === place.environment && changes.some((one) => fieldsOf(one).some(edited.has, edited))
          return (
            <li key={id}>
              <p class="flow">
                <Link to={requestPath(project, id)}>
                  #{id} <bdi>{title}</bdi>
                </Link>
                <EnvironmentMark name={environment} />
                {isSame && (
                  <Mark tone="care" icon="warn">
                    Same field
                  </Mark>
                )}
              </p>
              <p class="soft small">
                <RichText words={listedWords(changes)} />
              </p>
              <p class="muted small flow">
                <StateMark state={state} /> by <PersonName person={createdBy} />
              </p>
            </li>
          )
        })}
      </ul>
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
