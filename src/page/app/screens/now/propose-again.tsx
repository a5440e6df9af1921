import { useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import { useAction } from '../../core/api/action'
import { client } from '../../core/api/session'
import { navigate, requestPath } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'

interface ProposeAgainProps {
  /** A closed change request. */
  readonly place: ChangeRequestPlace
  readonly onDone: () => void
}

/** Creates a draft with the changes of a change request that was cancelled for another one, and goes there. */
export function ProposeAgain({ place, onDone }: ProposeAgainProps) {
  const made = useRef(place)
  const copy = useAction(async (attempt) => {
    made.current = (await client.copy(place, attempt)).body
  })
  const press = async () => {
    if ((await copy.start())?.kind !== 'done') return
    onDone()
    say('A draft was created.')
    navigate(requestPath(made.current.project, made.current.id))
  }
  return (
    <>
      <Button icon="plus" busy={copy.busy && 'Sending…'} onClick={() => void press()}>
        Propose #{place.id} again
      </Button>
      <OutcomeNotice action={copy} verb="propose it again" />
    </>
  )
}
