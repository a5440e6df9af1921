import { Button } from '../../parts/controls/button'
import { Notice } from '../../parts/messages/notice'
import { isBlank, shown } from '../../words/json'
import type { EditedField } from './model/merge'
import { labelOf } from './model/schema'

interface EditedMeanwhileProps {
  readonly edited: readonly EditedField[]
  /** Takes the current values where both sides edited a field. */
  readonly onUseCurrent: () => void
}

/** What was edited while the change was being written: both values where it alters the same field. */
export function EditedMeanwhile({ edited, onUseCurrent }: EditedMeanwhileProps) {
  if (edited.length === 0) return null
  return (
    <Notice
      tone="care"
      icon="warn"
      title="This was edited in the meantime"
      actions={edited.some(({ isOwn }) => isOwn) && <Button onClick={onUseCurrent}>Use the current values</Button>}
    >
      <ul>
        {edited.map(({ path, before, now, own, isOwn }) => (
          <li key={path}>
            {path.split('/').slice(1).map(labelOf).join(', ')}:{' '}
            {isOwn ? (
              <>
                you have <bdi>{named(own)}</bdi>, now it is <bdi>{named(now)}</bdi>
              </>
            ) : (
              <>
                was <bdi>{named(before)}</bdi>, now it is <bdi>{named(now)}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      What you typed is kept. All other fields have the current values.
    </Notice>
  )
}

const named = (value: unknown): string => (isBlank(value) ? 'none' : shown(value))
