import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DialogName } from '../model/context'

interface OpenDialogProps {
  readonly name: DialogName | null
}

/** The window that is open over the screen, if one is. Their code is loaded after the screen stands. */
export function OpenDialog({ name }: OpenDialogProps) {
  const [dialogs, setDialogs] = useState<{ readonly Shown: ComponentType<{ readonly name: DialogName }> }>()
  useEffect(() => {
    if (dialogs !== undefined) return
    // What could not be loaded is requested again at the next press.
    import('./dialogs').then(
      ({ ShownDialog }) => setDialogs({ Shown: ShownDialog }),
      () => undefined,
    )
  }, [name])
  return name !== null && dialogs !== undefined ? <dialogs.Shown name={name} /> : null
}
