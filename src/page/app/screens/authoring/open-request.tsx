import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { LoadFailed } from '../../parts/messages/load-failed'
import { Loading, Notice } from '../../parts/messages/notice'
import { voidedBy } from '../../reviews/voids'

interface OpenRequestProps {
  readonly place: ChangeRequestPlace
  /** Counts the attempts, so that each one is followed by a new look. */
  readonly attempt: number
  readonly busy: boolean
  readonly onAdd: (review: ReviewView) => void
}

/** The caller has an open change request there: what adding to it means. Nothing is added before this is shown. */
export function OpenRequest({ place, attempt, busy, onAdd }: OpenRequestProps) {
  const { project, id } = place
  const loaded = useQuery(['open request', project, id, attempt], (options) => client.review(place, options))
  const review = loaded.data
  if (review === undefined) {
    return loaded.error ? <LoadFailed loaded={loaded} subject={`#${id}`} /> : <Loading subject={`#${id}`} />
  }
  const { environment, title } = review.changeRequest
  const isTaking = review.steps.some(({ step, offered }) => step === 'edit' && offered)
  return (
    <Notice
      tone="care"
      icon="info"
      title={
        <>
          You have an open change request in <bdi>{environment}</bdi>
        </>
      }
      actions={
        <>
          {isTaking && (
            <Button icon="plus" busy={busy && 'Adding…'} onClick={() => onAdd(review)}>
              Add to #{id}
            </Button>
          )}
          <Link class="btn" to={requestPath(project, id)}>
            Open #{id}
          </Link>
        </>
      }
    >
      #{id} <bdi>{title}</bdi> is {review.state}.{' '}
      {isTaking
        ? `Add your change to it, or finish it first. ${voidedBy(review)}`
        : 'It takes no changes any more: propose again.'}{' '}
      Nothing was changed yet.
    </Notice>
  )
}
