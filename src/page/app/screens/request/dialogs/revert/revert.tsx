import { useState } from 'preact/hooks'
import { useLoaded } from '../../../../core/api/load'
import { client } from '../../../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../../../core/places/navigation'
import { LoadFailed } from '../../../../parts/messages/load-failed'
import { Loading } from '../../../../parts/messages/notice'
import { counted } from '../../../../words/numbers'
import { maxTitleLength } from '../../head/title'
import { useRequestContext } from '../../model/context'
import { useStep } from '../../model/use-step'
import { type DialogProps, StepDialog } from '../frame'
import { Inverses, Irreversible } from './revert-lists'

/** A draft that takes it back; nothing happens until that is reviewed and applied. */
export function RevertDialog({ onClose }: DialogProps) {
  const { place, content } = useRequestContext()
  const { path } = useLocation()
  const { title, id } = content.request
  const preview = useLoaded(`revert ${place.project} ${place.id}`, async ({ signal }) =>
    client.revertPreview(place, { signal }),
  )
  const [isPartial, setPartial] = useState(true)
  const [name, setName] = useState(`Revert "${title}"`)
  const { changes = [], irreversible = [] } = preview.data ?? {}
  const step = useStep({
    run: async (_context, { idempotencyKey, signal }) => {
      const partial = irreversible.length > 0 ? { partial: isPartial } : {}
      const { body } = await client.revert(place, partial, { idempotencyKey, signal })
      const made = { project: body.project, id: body.id }
      if (name.trim() !== '' && name.trim() !== body.title) await client.setTitle(made, name.trim(), { signal })
      navigateFrom(path, requestPath(made.project, made.id))
      return undefined
    },
    said: 'Draft created.',
    onDone: onClose,
  })
  const isReady = preview.data !== undefined && changes.length > 0 && (isPartial || irreversible.length === 0)
  return (
    <StepDialog
      title={`Revert #${id}`}
      wide
      below={
        <p>
          Makes a <b>draft of yours</b> that reverts these. It is reviewed like any other; nothing changes until then.
        </p>
      }
      words={changes.length > 0 ? `Create a draft with ${counted(changes.length, 'change')}` : 'Create a draft'}
      busy="Creating a draft…"
      icon="undo"
      leave="Close"
      step={step}
      onSubmit={() => step.press()}
      isReady={isReady}
      what="propose a revert here"
      onClose={onClose}
    >
      {preview.data === undefined &&
        (preview.error ? (
          <LoadFailed loaded={preview} what="what can be reverted" />
        ) : (
          <Loading what="what can be reverted" />
        ))}
      {changes.length > 0 && <Inverses changes={changes} />}
      {irreversible.length > 0 && (
        <>
          <Irreversible irreversible={irreversible} />
          <label class="check">
            <input
              type="checkbox"
              checked={isPartial}
              onChange={({ currentTarget }) => setPartial(currentTarget.checked)}
            />
            <span>
              <b>Leave out what can't be reverted</b>
              <br />
              <span class="help">It stays unchanged.</span>
            </span>
          </label>
        </>
      )}
      {preview.data && changes.length === 0 && <p>None of it can be reverted.</p>}
      {changes.length > 0 && (
        <div class="field">
          <label for="revert-title">Title</label>
          <input
            id="revert-title"
            class="input"
            maxLength={maxTitleLength}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </div>
      )}
    </StepDialog>
  )
}
