import { Said } from '../../parts/changes/said'
import { Button } from '../../parts/controls/button'
import { Bar } from '../../parts/messages/bar'
import { counted } from '../../words/numbers'
import { isEdit as isEditEvent } from './discussion/entries'
import { useRequestContext } from './model/context'

/** Another user changed the content that is shown: nothing moves until the viewer loads it. */
export function ChangedBar() {
  const { change, content, latest, events, actorOf, showChange } = useRequestContext()
  if (change === null) return null
  const isEdit = content.review.digest !== latest.review.digest
  const edited = events.findLast(isEditEvent)
  const name = edited && actorOf(edited)
  const void_ = content.request.approvals.length - latest.request.approvals.length
  return (
    <Bar
      tone="care"
      icon="warn"
      title={
        isEdit && name ? (
          <>
            <bdi>{name}</bdi> changed the content while you looked.
          </>
        ) : isEdit ? (
          'The content changed while you looked.'
        ) : (
          'The flags changed while you looked.'
        )
      }
      actions={
        <Button kind="primary" onClick={showChange}>
          Show what changed
        </Button>
      }
    >
      <Said words={change.words} />.
      {void_ > 0 && ` ${void_ === 1 ? 'The 1 approval given is' : `${counted(void_, 'approval')} are`} void.`}
    </Bar>
  )
}
