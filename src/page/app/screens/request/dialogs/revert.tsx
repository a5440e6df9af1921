import type { RevertPreviewView, SubmittedChange } from '../../../../../generated'
import { Mark } from '../../../parts/marks/mark'
import { NotLoaded } from '../../../parts/messages/load-failed'
import { changeWords } from '../../../words/changes'
import type { ChangeItem } from '../../../words/content/items'
import { ActNow } from '../../now/act-now'
import { useRevertPreview } from '../revert'
import type { DialogProps } from './step-dialog'

/**
 * Reverts it in an emergency or after a review, as a new change request; what can't be reverted stays. What is scheduled is
 * reverted later: after a review, and after it was applied.
 */
export function RevertDialog({ request, review, targets, onClose }: DialogProps) {
  const { project, environment, id } = request
  const preview = useRevertPreview(request)
  const { changes, irreversible = [] } = preview.data ?? {}
  const isLater = request.state === 'Scheduled'
  return (
    <ActNow
      title={isLater ? `Switch #${id} back at…` : `Revert #${id}`}
      isLater={isLater}
      place={{ project, environment }}
      draftName={`revert ${project} ${id}`}
      changes={
        changes?.map(({ feature, ...change }) => ({
          ...change,
          ...(feature !== null && { feature }),
        })) as readonly SubmittedChange[]
      }
      names={review.segmentNames}
      step={{ kind: 'revert', of: { project, id }, partial: irreversible.length > 0 }}
      onClose={onClose}
    >
      {!preview.data && <NotLoaded loaded={preview} subject="what can be reverted" />}
      {isLater && (
        <p>
          This restores the values of now, some time after #{id} was applied. Once it is in review, “Schedule…” proposes
          to follow #{id}.
        </p>
      )}
      {changes?.length === 0 && <p>None of it can be reverted.</p>}
      {irreversible.length > 0 && (
        <Irreversible
          isLater={isLater}
          irreversible={irreversible}
          applied={targets.flatMap((target) => target.changes)}
        />
      )}
    </ActNow>
  )
}

interface IrreversibleProps extends Pick<RevertPreviewView, 'irreversible'> {
  readonly applied: readonly ChangeItem[]
  readonly isLater: boolean
}

function Irreversible({ irreversible, applied, isLater }: IrreversibleProps) {
  return (
    <section aria-labelledby="irreversible">
      <h3 id="irreversible">
        {isLater ? "Can't be reverted before it is applied" : "Can't be reverted, and stays as it is"}
      </h3>
      <ul class="back lines">
        {irreversible.map(({ id, action, feature }) => {
          const change = applied.find((one) => one.id === id)
          const { what, how } = changeWords(change ?? { action, payload: null }, change?.before ?? change?.after)
          return (
            <li key={id}>
              <bdi class="flag">{feature ?? 'segment'}</bdi>
              <bdi>{`${what} ${how}`.trim()}</bdi>
              <Mark tone="care" icon="warn">
                irreversible
              </Mark>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
