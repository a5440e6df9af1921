import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import * as times from '../../core/tools/times'
import type { FlagPlace } from './use-preview'

/** Who changed the flag last there, and its log; nothing for those who cannot read the log. */
export function LastChange({ project, environment, feature }: FlagPlace) {
  const { data } = useQuery(
    ['last change', project, environment, feature],
    (options) => client.searchEvents({ project, environment, feature, type: [...changeTypes] }, { limit: 1 }, options),
    { changedBy: (events) => events.some(({ featureName }) => featureName === feature) },
  )
  const me = useQuery(['me', project, environment], (options) => client.me({ project, environment }, options))
  const mayRead = me.data?.permissions?.includes('READ_EVENTS')
  const creators = useQuery(['event-creators'], mayRead ? client.eventCreators : undefined)
  if (!mayRead) return null
  const [last] = data?.events ?? []
  const name = creators.data?.find(({ id }) => id === last?.createdByUserId)?.name
  return (
    <p class="byline flow end soft small">
      {last && (
        <span>
          changed by <bdi class="strong">{name ?? last.createdBy}</bdi>, {times.ago(last.createdAt)}
        </span>
      )}
      <Link to={`/log?${new URLSearchParams({ project, feature })}`}>Log</Link>
    </p>
  )
}

/** Events that are about a changed flag, and not about a change request. */
const changeTypes = [
  'feature-created',
  'feature-archived',
  'feature-revived',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-environment-variants-updated',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
] as const
