import { useKeys } from '../../core/tools/keys'
import { changeAtHand, focusOn, stepFlag } from './changes/places'
import { approveId } from './decision/vote'
import { useRequestContext } from './model/context'
import { isAllowed } from './model/steps'

/** The keys of the screen. No key decides, and none starts an emergency. */
export function RequestKeys() {
  const { latest, off, open } = useRequestContext()
  const press = (key: 'x' | 'c') => {
    const folded = document.activeElement?.closest('.card')?.querySelector<HTMLElement>('.folded [aria-expanded]')
    if (folded) folded.click()
    else changeAtHand()?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()
  }
  const may = (step: 'reject' | 'schedule') => off === null && isAllowed(latest.review, step)
  useKeys({
    n: { label: 'next flag', run: () => stepFlag(1) },
    p: { label: 'previous flag', run: () => stepFlag(-1) },
    x: { label: 'JSON of this change', run: () => press('x') },
    c: { label: 'comment on this change', run: () => press('c') },
    a: { label: 'to Approve (focus, no vote)', run: () => void (focusOn(approveId) || focusOn('decide-section')) },
    r: { label: 'reject…', run: () => may('reject') && open('reject') },
    s: { label: 'schedule…', run: () => may('schedule') && open('schedule') },
  })
  return null
}
