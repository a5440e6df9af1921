import type { Change, ChangeRequest } from '../change-request'
import { segmentId } from '../segment-id'
import { type Attribution, changeRequestEvent, type EventData, type EventDraft } from './events'

/** An event about one change: `data` is the change as it is now, `preData` the change before. */
export function changeEvent(
  type: 'change-added' | 'change-edited' | 'change-discarded',
  changeRequest: ChangeRequest,
  attribution: Attribution,
  change: Change | null,
  old: Change | null = null,
): EventDraft {
  const featureName = (change ?? old)?.feature ?? null
  const event = changeRequestEvent(
    type,
    changeRequest,
    attribution,
    change === null ? {} : toFacts(change),
    featureName,
  )
  return old === null ? event : { ...event, preData: { changeRequestId: changeRequest.id, ...toFacts(old) } }
}

function toFacts(change: Change): EventData {
  const subject = change.feature === null ? { segmentId: segmentId(change) } : { feature: change.feature }
  return { changeId: change.id, action: change.action, ...subject, payload: change.payload }
}
