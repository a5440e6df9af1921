import { client } from '../../../core/api/session'
import { Link } from '../../../core/places/link'
import * as times from '../../../core/tools/times'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import { nameOf } from '../../../parts/marks/person'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import type { ChangeItem } from '../../../words/content/items'
import { count } from '../../../words/numbers'
import { useRequestContext } from '../model/context'
import { isAllowed } from '../model/steps'
import { isWithout, useStep } from '../model/use-step'
import { Voids } from './overwrite/voids'

/** Why a change cannot be applied, and who can do what about it. */
export function Conflict({ change }: { readonly change: ChangeItem }) {
  const { content, latest, off } = useRequestContext()
  const { causedBy, conflict } = change
  const takeOut = useStep({
    run: ({ place }, write) => client.discardChange(place, change.id, write),
    said: 'The change was discarded.',
    isDone: (latest, before) => isWithout(latest, before, change.id),
    adopts: true,
  })
  const mayEdit = isAllowed(latest.review, 'edit')
  return (
    <div class="box m-stop">
      <h4>
        <Icon name="stop" />
        <span>
          <bdi>{conflict}</bdi>
        </span>
      </h4>
      <p class="small">
        {causedBy && (
          <>
            By <bdi>{causedBy.createdBy}</bdi>, {times.dayAndTime(causedBy.createdAt)} (
            <Link to={`/log?id=${causedBy.eventId}`}>event {count(causedBy.eventId)}</Link>).{' '}
          </>
        )}
        Until this is resolved, nothing in this change request can be applied or scheduled.{' '}
        {!mayEdit && <>{<bdi>{nameOf(content.request.createdBy)}</bdi>} can take the change out.</>}
      </p>
      {mayEdit && (
        <div class="box-foot">
          <Button
            size="tiny"
            icon="trash"
            off={off !== null}
            busy={takeOut.busy && 'Discarding…'}
            onClick={() => takeOut.press()}
          >
            Discard the change
          </Button>
          <Voids />
        </div>
      )}
      <OutcomeNotice action={takeOut} what="discard a change" />
    </div>
  )
}
