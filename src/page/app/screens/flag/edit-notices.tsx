import { namesIn } from '../../../../domain/content/json-pointer'
import { Button } from '../../parts/controls/button'
import { Notice } from '../../parts/messages/notice'
import { strategyName } from '../../words/changes'
import { labelOf } from '../../words/fields/labels'
import { listOf, objectOf } from '../../words/json'
import { valueWords } from './fields/edited'
import type { FlagEdit } from './model/edit'
import type { Edited } from './use-edit'

interface EditNoticesProps extends Omit<Edited, 'send'> {
  readonly subject: 'flag' | 'segment'
}

/** What happened to an edit besides the typing: another tab has one as well, or its fields followed those of another user. */
export function EditNotices({ subject, edit, followed, noteFollowed, isElsewhere }: EditNoticesProps) {
  return (
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
                <bdi>{fieldName(path, edit)}</bdi>: was <bdi>{valueWords(before)}</bdi>, now{' '}
                <bdi>{valueWords(now)}</bdi>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

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
