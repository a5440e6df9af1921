import type { Loaded } from '../../core/api/query'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import type { EditPlace } from '../now/own-open'
import type { ReadState } from './model/edit'
import type { Edited } from './use-edit'

interface StateNoticesProps {
  readonly subject: 'flag' | 'segment'
  readonly place: EditPlace
  readonly loaded: Loaded<ReadState>
  readonly edited: Edited
}

/** What is so about a flag or segment that its fields do not show. */
export function StateNotices({ subject, place: { environment }, loaded, edited }: StateNoticesProps) {
  const { isOff, actions } = edited
  const { data, error } = loaded
  return (
    <>
      {data === undefined ? (
        <NotLoaded loaded={loaded} subject={`the ${subject}`} />
      ) : (
        error && <LoadFailed loaded={loaded} subject={`the ${subject}`} />
      )}
      {data && <LoadFailed loaded={actions} subject="what can be changed" />}
      {data?.state === null && (
        <Notice tone="plain" icon="info" title="The current values are unknown">
          The host app has no flag gateway, so there is nothing to edit here.
        </Notice>
      )}
      {data?.state?.archived === true && (
        <Notice tone="plain" icon="inbox" title="This flag is archived">
          It is archived in all environments, and cannot be edited.
        </Notice>
      )}
      {isOff && (
        <Notice tone="plain" icon="lock" title="Change requests are disabled here">
          Nothing can be proposed in <bdi>{environment}</bdi>.
        </Notice>
      )}
    </>
  )
}
