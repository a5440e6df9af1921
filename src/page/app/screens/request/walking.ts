import { useLayoutEffect } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import { useKeys } from '../../core/tools/keys'
import { say } from '../../parts/messages/status-line'
import { approveId, arriving, decisionId } from './focus'

/** Keys that lead through the list of the inbox. They decide nothing; a focus among the steps stays there. */
export function useWalking({ id }: ChangeRequestPlace): void {
  useLayoutEffect(() => {
    // After the heading took the focus. What Approve is for is on the screen.
    if (arriving.atSteps) (document.getElementById(approveId) ?? document.getElementById(decisionId))?.focus()
    arriving.atSteps = false
  }, [])
  const go = (by: 1 | -1) =>
    void import('./next-request')
      .then(({ goBy }) => goBy(id, by))
      .catch(() => say('The list could not be read. Try again.'))
  useKeys({
    j: { label: 'next change request', run: () => go(1) },
    k: { label: 'previous change request', run: () => go(-1) },
  })
}
