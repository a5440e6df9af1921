import { Button } from '../../../parts/controls/button'
import { Notice } from '../../../parts/messages/notice'
import { useRequestContext } from '../model/context'
import { useUnsavedEdits } from '../model/unsaved'

/** Edits that were typed and not sent: the steps below would go on without them. */
export function UnsavedEdits() {
  const { open } = useRequestContext()
  const edits = useUnsavedEdits()
  return (
    <div role="status">
      {edits.map(({ id, feature, discard }) => (
        <Notice
          key={id}
          tone="care"
          icon="pencil"
          title={id === null ? 'A change is not added yet' : 'An edit is not saved'}
          actions={
            <>
              <Button onClick={() => open({ edit: id })}>Open it</Button>
              <Button kind="quiet" onClick={discard}>
                Discard it
              </Button>
            </>
          }
        >
          What you typed{feature !== '' && ' for '}
          <bdi>{feature}</bdi> is only in this tab. No step includes it.
        </Notice>
      ))}
    </div>
  )
}
