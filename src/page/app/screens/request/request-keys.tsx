import { useKeys } from '../../core/tools/keys'
import { changeAtHand, focusOn, stepFlag } from './changes/places'
import { approveId } from './decision/vote'
import { useRequestContext } from './model/context'
import { presetsSchedules } from './model/preset-schedule'
import { isAllowed } from './model/steps'

/** The keys of the screen. No key decides, and none starts an emergency. */
export function RequestKeys() {
  const { latest, off, open } = useRequestContext()
  const press = (key: 'x' | 'c' | 'v') => {
    const folded = document.activeElement?.closest('.card')?.querySelector<HTMLElement>('.folded [aria-expanded]')
    if (folded) folded.click()
    else changeAtHand()?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()
  }
  const { review } = latest
  const openIf = (allowed: boolean, dialog: 'reject' | 'schedule') => off === null && allowed && open(dialog)
  useKeys({
    n: { label: 'next flag', run: () => stepFlag(1) },
    p: { label: 'previous flag', run: () => stepFlag(-1) },
    x: { label: 'JSON of this change', run: () => press('x') },
    c: { label: 'comment on this change', run: () => press('c') },
    v: { label: 'mark this change as viewed', run: () => press('v') },
    a: { label: 'to Approve (focus, no vote)', run: () => void (focusOn(approveId) || focusOn('decide-section')) },
    r: { label: 'reject…', run: () => openIf(isAllowed(review, 'reject'), 'reject') },
    s: { label: 'schedule…', run: () => openIf(isAllowed(review, 'schedule') || presetsSchedules(review), 'schedule') },
  })
  return null
}
