import { useEffect, useState } from 'preact/hooks'
import type { DialogName } from './context'

/** What the screen shows only after it stands: dialogs and past events. Their code is loaded then; undefined before. */
export type Later = typeof import('../later')

export function useLater(dialog: DialogName | null): Later | undefined {
  const [later, setLater] = useState<Later>()
  useEffect(() => {
    if (later !== undefined) return
    // What could not be loaded is requested again when the next dialog is opened.
    import('../later').then(setLater, () => undefined)
  }, [dialog])
  return later
}
