import { reachOf } from '../../../core/tools/production'
import { Button } from '../../../parts/controls/button'
import { EnvironmentMark } from '../../../parts/marks/environment-mark'
import { isClosed } from '../../../parts/marks/state-traits'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { focusOn } from '../changes/places'
import { Waits } from '../head/path'
import { useRequestContext } from '../model/context'
import { isAllowed } from '../model/steps'
import { useApproval } from './approval'

/** On a phone: where one is, what is missing and the decision, always in sight. */
export function Dock() {
  const { latest, off, open, change, showChange } = useRequestContext()
  const { approve, words } = useApproval()
  const { request, review } = latest
  if (isClosed(review.state)) return null
  const isVoter = isAllowed(review, 'approve') || isAllowed(review, 'reject')
  return (
    <section class="dock" aria-label="To the decision">
      <p>
        <EnvironmentMark name={reachOf(request)} />{' '}
        <span>
          <Waits />
        </span>
      </p>
      {change ? (
        <Button kind="primary" size="wide" onClick={showChange}>
          Show what changed
        </Button>
      ) : (
        <div class="line">
          {isAllowed(review, 'approve') && (
            <Button
              icon="check"
              kind={off === null ? 'primary' : undefined}
              off={off !== null}
              busy={approve.busy && 'Approving…'}
              onClick={() => approve.press()}
            >
              {words}
            </Button>
          )}
          {isAllowed(review, 'reject') && (
            <Button icon="x" kind="danger-quiet" off={off !== null} onClick={() => open('reject')}>
              Reject…
            </Button>
          )}
          <Button onClick={() => focusOn('decide-section')}>{isVoter ? 'More steps' : 'To the steps'}</Button>
        </div>
      )}
      <OutcomeNotice action={approve} what="approve it" kept="Your comment is kept." />
    </section>
  )
}
