import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import { ChangedMark } from '../../../parts/changes/field-table'
import { list } from '../../../parts/marks/from'
import { MachineMark } from '../../../parts/marks/machine-mark'
import { Mark } from '../../../parts/marks/mark'
import { PersonName } from '../../../parts/marks/person'
import type { ChangeItem } from '../../../words/content/items'
import { useRequestContext } from '../model/context'

/** What must not be missed about a change. */
export function ChangeMarks({
  change,
  isOverwriting,
  isNew,
}: {
  readonly change: ChangeItem
  readonly isOverwriting: boolean
  readonly isNew: boolean
}) {
  const { content, latest, later, me } = useRequestContext()
  const author = latest.review.changes.find(({ id }) => id === change.id)?.author
  const vote = content.review.votes.find(({ person }) => person.id === me.id)
  const since = vote?.changes?.find(({ id, status }) => id === change.id && status !== 'same')
  return (
    <>
      {since ? (
        <ChangedMark>{since.status === 'new' ? 'New' : 'Edited'} since your approval</ChangedMark>
      ) : (
        later && <later.SinceMark id={change.id} isNew={isNew} />
      )}
      {change.conflict !== null && (
        <Mark tone="stop" icon="stop">
          Conflict
        </Mark>
      )}
      {isOverwriting && (
        <Mark tone="care" icon="warn">
          Overwrites
        </Mark>
      )}
      {change.endsAtEverybody && (
        <Mark tone="care" icon="users">
          Everybody
        </Mark>
      )}
      {author && JSON.stringify(author) !== JSON.stringify(latest.review.author) && (
        <span class="muted small">
          by <PersonName person={author} />
          <MachineMark author={author} />
        </span>
      )}
    </>
  )
}

/** Another schedule is about the same: whichever runs first suspends the other. */
export function Beside({ change: { beside } }: { readonly change: ChangeItem }) {
  const { place } = useRequestContext()
  if (beside.length === 0) return null
  const links = beside.map(({ id, title }) => (
    <Link key={id} to={requestPath(place.project, id)}>
      #{id} <bdi>{title ?? ''}</bdi>
    </Link>
  ))
  return <p class="small beside">Also scheduled: {list(links, 'and')}. Whichever runs first suspends the other.</p>
}
