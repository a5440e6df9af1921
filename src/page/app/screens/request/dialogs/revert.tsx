import { useState } from 'preact/hooks'
import { maxTitleLength } from '../../../../../domain/content/title'
import type { RevertPreviewView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../../core/places/navigation'
import { RichText } from '../../../parts/changes/rich-text'
import { TextField } from '../../../parts/controls/field'
import { Mark } from '../../../parts/marks/mark'
import { NotLoaded } from '../../../parts/messages/load-failed'
import { changeWords } from '../../../words/changes'
import { toInverses } from '../../../words/content/inverses'
import type { ChangeItem } from '../../../words/content/items'
import { effectOf } from '../../../words/effects/effects'
import { counted } from '../../../words/numbers'
import { useRevertPreview } from '../revert'
import { useStep } from '../use-step'
import { type DialogProps, StepDialog } from './step-dialog'

/** Creates a draft that reverts it; nothing happens until the draft is reviewed and applied. */
export function RevertDialog({ request, targets, actions, onClose }: DialogProps) {
  const { path } = useLocation()
  const { title, id } = request
  const preview = useRevertPreview(request)
  const [isPartial, setPartial] = useState(true)
  const [name, setName] = useState(`Revert "${title}"`)
  const { changes = [], irreversible = [] } = preview.data ?? {}
  const step = useStep(actions, {
    run: async ({ idempotencyKey, signal }) => {
      const partial = irreversible.length > 0 ? { partial: isPartial } : {}
      const { body } = await client.revert(request, partial, { idempotencyKey, signal })
      const made = { project: body.project, id: body.id }
      if (name.trim() !== '' && name.trim() !== body.title) await client.setTitle(made, name.trim(), { signal })
      navigateFrom(path, requestPath(made.project, made.id))
      return undefined
    },
    doneMessage: 'Draft created.',
    onDone: onClose,
  })
  const applied = targets.flatMap((target) => target.changes)
  return (
    <StepDialog
      title={`Revert #${id}`}
      wide
      subtitle={
        <p>
          Creates a <b>draft of yours</b> that reverts these. It is reviewed like any other; nothing changes until then.
        </p>
      }
      submitLabel={changes.length > 0 ? `Create a draft with ${counted(changes.length, 'change')}` : 'Create a draft'}
      busyLabel="Creating a draft…"
      icon="undo"
      cancelLabel="Close"
      isReady={preview.data !== undefined && changes.length > 0 && (isPartial || irreversible.length === 0)}
      verb="propose a revert here"
      {...{ request, actions, step, onClose }}
    >
      {!preview.data && <NotLoaded loaded={preview} subject="what can be reverted" />}
      {changes.length > 0 && <Inverses changes={changes} applied={applied} />}
      {irreversible.length > 0 && (
        <>
          <Irreversible irreversible={irreversible} applied={applied} />
          <label class="check">
            <input
              type="checkbox"
              checked={isPartial}
              onChange={({ currentTarget }) => setPartial(currentTarget.checked)}
            />
            <span>
              <b>Leave out what can't be reverted</b>
              <br />
              <span class="muted small">It stays unchanged.</span>
            </span>
          </label>
        </>
      )}
      {preview.data && changes.length === 0 && <p>None of it can be reverted.</p>}
      {changes.length > 0 && <TextField label="Title" maxLength={maxTitleLength} value={name} onText={setName} />}
    </StepDialog>
  )
}

interface AppliedChanges {
  readonly applied: readonly ChangeItem[]
}

/** The changes of the draft: from what the change request made, to what was before. */
function Inverses({ changes, applied }: Pick<RevertPreviewView, 'changes'> & AppliedChanges) {
  return (
    <section aria-labelledby="inverses">
      <h3 id="inverses">Goes into the draft</h3>
      <ul class="back lines">
        {toInverses(changes, applied).map(({ name, changes: [change] }, index) => (
          <li key={index}>
            <bdi class="flag">{name}</bdi>
            <span>{change && <RichText words={effectOf(change)} />}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Irreversible({ irreversible, applied }: Pick<RevertPreviewView, 'irreversible'> & AppliedChanges) {
  return (
    <section aria-labelledby="irreversible">
      <h3 id="irreversible">Can't be reverted</h3>
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
