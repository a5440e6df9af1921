import type { EventView } from '../../../../../generated'
import { Notice } from '../../../parts/messages/notice'
import { pastReview } from './event-facts'

/** Why an event got past the review, and what was missing then; nothing for what was reviewed. */
export function PastReviewNotice({ event }: { readonly event: EventView }) {
  const past = pastReview(event)
  if (past === undefined) return null
  const isEmergency = past.kind === 'emergency'
  return (
    <Notice
      tone={isEmergency ? 'stop' : 'care'}
      icon={isEmergency ? 'bolt' : 'warn'}
      title={isEmergency ? 'Applied in emergency' : 'Nobody reviewed this'}
    >
      <bdi>{past.reason === '' ? 'No reason was given.' : `“${past.reason}”`}</bdi>
      {past.missing.length > 0 && (
        <p>
          Missing: <bdi>{past.missing.join('; ')}</bdi>
        </p>
      )}
    </Notice>
  )
}
