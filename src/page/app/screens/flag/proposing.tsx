import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { ReviewListItemView } from '../../../../generated'
import { reachOfTargets } from '../../core/tools/production'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { DialogFallback, lazy } from '../../parts/lazy'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { effectWords } from '../../words/effects/effects'
import type { SegmentNames } from '../../words/fields/labels'
import type { EditPlace } from '../now/own-open'
import { EditNotices } from './edit-notices'
import { Effect } from './effect'
import type { Edited } from './use-edit'
import type { PreviewState } from './use-preview'

interface ProposingProps {
  /** @defaultValue a flag */
  readonly subject?: 'flag' | 'segment'
  readonly place: EditPlace
  /** The name of the edit, for the texts that belong to it. */
  readonly draftName: string
  readonly edited: Edited
  readonly preview: PreviewState
  readonly names: SegmentNames
  /** What is wrong with what was typed, by its field. */
  readonly errors: ReadonlyMap<string, string>
  /** Other open change requests of the same field. */
  readonly same?: readonly ReviewListItemView[]
  /** The fields. */
  readonly children: ComponentChildren
}

/** The fields of an edit, what it will do, and the way to propose it. */
export function Proposing(props: ProposingProps) {
  const { subject = 'flag', place, draftName, edited, preview, errors, children } = props
  const { changes, conflicts, send, startOver } = edited
  const [isOpen, setOpen] = useState(false)
  const isEdited = changes.length > 0
  const targets = preview.shown?.targets ?? []
  const reason =
    conflicts.length > 0
      ? 'Choose between your values and the current ones first.'
      : errors.size > 0
        ? 'Correct what is marked first.'
        : ''
  const button = (
    <ProposeButton off={!isEdited || reason !== '' || !preview.shown} reason={reason} onClick={() => setOpen(true)} />
  )
  const fields = (
    <div class="stack">
      <EditNotices {...edited} subject={subject} />
      {children}
    </div>
  )
  // Without the current values there is nothing to edit.
  if (edited.edit === undefined) return fields
  return (
    <>
      <div class="cols">
        {fields}
        <Effect {...props} isEdited={isEdited}>
          <div class="steps">
            {button}
            {isEdited && (
              <Button kind="quiet" icon="undo" onClick={startOver}>
                Start over
              </Button>
            )}
          </div>
        </Effect>
      </div>
      {isEdited && (
        <section class="dock" aria-label="To the proposal">
          <p class="flow small">
            <EnvironmentMark name={reachOfTargets(place.environment, targets)} />
            <span>
              {targets.map(({ key, changes, implied }) => (
                <RichText key={key} words={effectWords(changes, implied)} />
              ))}
            </span>
          </p>
          {button}
        </section>
      )}
      {isOpen && (
        <Propose
          {...{ place, draftName, targets, changes, send }}
          schema={preview.shown?.customFields ?? null}
          isReady={preview.isCurrent}
          onSent={startOver}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

const Propose = lazy(async () => (await import('./propose')).Propose, DialogFallback)

interface ProposeButtonProps {
  readonly off: boolean
  /** Why, where the edit does not show it. */
  readonly reason: string
  readonly onClick: () => void
}

function ProposeButton({ off, reason, onClick }: ProposeButtonProps) {
  const id = useId()
  return (
    <>
      <Button
        kind="primary"
        size="wide"
        icon="send"
        off={off}
        aria-describedby={reason ? id : undefined}
        onClick={onClick}
      >
        Propose…
      </Button>
      {reason && (
        <p class="fine" id={id}>
          {reason}
        </p>
      )}
    </>
  )
}
