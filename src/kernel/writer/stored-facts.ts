import type { ChangeRequest } from '../../domain/change-request'
import { subjectsOf } from '../../domain/content/grouping'
import { searchText, summarize } from '../../domain/content/summary'
import { needsAcknowledgement } from '../../domain/decisions/review'
import { dueAt } from '../../domain/decisions/schedule'
import { isOpen } from '../../domain/lifecycle'
import type { Write } from '../../ports/storage/change-requests'

type StoredFacts = Pick<
  Write,
  'summary' | 'searchText' | 'open' | 'afterReview' | 'subjects' | 'dueAt' | 'applyingSince'
>

/** What is stored next to a change request, so that lists and searches need no documents. */
export function storedFacts(changeRequest: ChangeRequest): StoredFacts {
  const summary = summarize(changeRequest)
  return {
    summary,
    searchText: searchText(summary),
    open: isOpen(changeRequest.state),
    ...(needsAcknowledgement(changeRequest) ? { afterReview: true } : {}),
    subjects: subjectsOf(changeRequest),
    dueAt: dueAt(changeRequest),
    applyingSince: changeRequest.applying?.startedAt ?? null,
  }
}
