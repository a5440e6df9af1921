import { namesIn } from '../../../../domain/content/json-pointer'
import type { Loaded } from '../../core/api/query'
import { Button } from '../../parts/controls/button'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { strategyName } from '../../words/changes'
import { labelOf } from '../../words/fields/labels'
import { isBlank, type Json, listOf, objectOf, shown } from '../../words/json'
import type { FlagEdit, ReadState } from './model/edit'
import type { Edited } from './use-edit'
import type { EditPlace } from './use-preview'

interface StateNoticesProps {
  readonly subject: 'flag' | 'segment'
  readonly place: EditPlace
  readonly loaded: Loaded<ReadState>
  readonly edited: Edited
}

/** What is so about a flag or segment, or its edit, that its fields do not show. */
export function StateNotices({ subject, place: { environment }, loaded, edited }: StateNoticesProps) {
  const { isOff, actions, edit, followed, noteFollowed, isElsewhere } = edited
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
      <div role="status">
        {isElsewhere && (
          <Notice tone="care" icon="info" title={`You have this ${subject} open in another tab`}>
            Each tab has its own edit.
          </Notice>
        )}
        {edit && followed.length > 0 && (
          <Notice
            tone="info"
            icon="refresh"
            title={`The ${subject} was edited in the meantime`}
            actions={<Button onClick={noteFollowed}>OK</Button>}
          >
            <ul>
              {followed.map(({ path, before, now }) => (
                <li key={path}>
                  <bdi>{fieldName(path, edit)}</bdi>: was <bdi>{named(before)}</bdi>, now <bdi>{named(now)}</bdi>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </>
  )
}

const named = (value: Json): string => (isBlank(value) ? 'none' : shown(value))

/** `Nordics, rollout` */
function fieldName(path: string, { base, own }: FlagEdit): string {
  const [list = '', id, ...inside] = namesIn(path)
  const strategy = listOf(list === 'strategies' && [...listOf(own.strategies), ...listOf(base.strategies)])
    .map(objectOf)
    .find((one) => one.id === id)
  const names = strategy
    ? [strategyName(strategy, null), ...inside]
    : [list, ...(id === undefined ? [] : [id]), ...inside]
  return names
    .filter((name) => name !== 'parameters')
    .map((name, at) => (strategy && at === 0 ? name : labelOf(name)))
    .join(', ')
}
