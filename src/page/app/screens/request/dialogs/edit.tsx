import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { say } from '../../../parts/messages/status-line'
import type { EditorProps } from '../../authoring'
import { useRequestContext } from '../model/context'
import { draftOfChange } from '../model/unsaved'
import type { DialogProps } from './frame'

/** Edits or adds a change. Its code is loaded when it is needed: most people only review. */
export function EditDialog({ id, onClose }: DialogProps & { readonly id: number | null }) {
  const { latest, place, refresh } = useRequestContext()
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
      {...latest}
      {...{ place, refresh, onClose }}
      changeId={id ?? undefined}
      draftName={draftOfChange(place, id)}
    />
  )
}
