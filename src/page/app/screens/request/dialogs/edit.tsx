import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { say } from '../../../parts/messages/status-line'
import type { EditorProps } from '../../authoring'
import { draftOfChange } from '../unsaved-edits'
import type { DialogProps } from './step-dialog'

/** Edits or adds a change. The form is loaded when it is opened, because most users only review. */
export function EditDialog({ id, request, review, targets, actions, onClose }: DialogProps) {
  const [loaded, setLoaded] = useState<{ readonly Editor: ComponentType<EditorProps> }>()
  useEffect(() => {
    import('../../authoring').then(setLoaded, () => {
      say('The form could not be loaded. Try again.')
      onClose()
    })
  }, [])
  if (loaded === undefined) return null
  return (
    <loaded.Editor
      {...{ request, review, targets, onClose }}
      place={request}
      refresh={actions.refresh}
      changeId={id}
      draftName={draftOfChange(request, id)}
    />
  )
}
