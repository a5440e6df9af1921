import { isDeepStrictEqual } from 'node:util'
import type { ChangeRequest } from '../domain/change-request'
import { isOwn } from '../domain/content/authors'
import { approvalsAreKnown, type Replayed } from '../domain/events/replay'
import { storedFacts } from '../kernel/writer/stored-facts'
import { columnsOf, type InspectedChangeRequest } from '../ports/storage/inspection'
import { type Difference, differencesOf, type Findings } from './findings'
import type { Life } from './life-of'

/** Compares the stored columns, subjects, summary and text with the document. */
export function checkColumns(stored: InspectedChangeRequest, changeRequest: ChangeRequest, findings: Findings): void {
  const facts = storedFacts(changeRequest)
  const { dueAt, ...expected } = columnsOf({ changeRequest, ...facts })
  const differences: Difference[] = differencesOf(
    { id: changeRequest.id, ...expected },
    { ...stored.columns, id: stored.id },
  )
  const add = (name: string, expected: unknown, found: unknown) => differences.push({ name, expected, found })
  const { held, holdEndedAt } = changeRequest.scheduling ?? {}
  // A hold moves the time without a write of the document.
  const isMoved = held !== undefined || holdEndedAt !== undefined
  const { dueAt: storedDueAt } = stored.columns
  if (isMoved ? (dueAt === null) !== (storedDueAt === null) : dueAt !== storedDueAt) add('dueAt', dueAt, storedDueAt)
  if (facts.searchText !== stored.searchText) add('search text', facts.searchText, stored.searchText)
  const [subjects, storedSubjects] = [facts.subjects, stored.subjects].map((list) => [...new Set(list)].sort())
  if (!isDeepStrictEqual(subjects, storedSubjects)) add('subjects', subjects, storedSubjects)
  const summary = JSON.stringify(facts.summary)
  if (summary !== stored.summary && !isSameJson(summary, stored.summary)) add('summary', summary, stored.summary)
  findings.addDifferences('columns', stored.id, differences)
}

function isSameJson(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
  } catch {
    return false
  }
}

/** Compares state, schedule and approvals with the events. Returns false if these do not show which approvals are left. */
export function checkState(changeRequest: ChangeRequest, replayed: Replayed, findings: Findings): boolean {
  const { id, state, schedule, approvals } = changeRequest
  const { unexpected } = replayed
  if (unexpected !== null) {
    const { type, state: before } = unexpected
    findings.add('state', id, 'events that follow from each other', `event ${unexpected.id} ${type} in state ${before}`)
    return true
  }
  const isKnown = approvalsAreKnown(changeRequest, replayed)
  const voters = (ids: readonly number[]) => [...ids].sort((one, other) => one - other).join()
  const expected = {
    state: replayed.state,
    schedule: replayed.schedule,
    'change-request-applied events': replayed.state === 'Applied' ? 1 : 0,
    ...(isKnown ? { 'approvals of users': voters(replayed.approvals.map(({ userId }) => userId)) } : {}),
  }
  const found = {
    state,
    schedule: schedule?.status ?? null,
    'change-request-applied events': replayed.applied,
    'approvals of users': voters(approvals.map(({ createdBy }) => createdBy.id)),
  }
  findings.addDifferences('state', id, differencesOf(expected, found))
  return isKnown
}

/** Compares each approval with its event, and with who can vote. */
export function checkVotes(changeRequest: ChangeRequest, life: Life | undefined, findings: Findings): void {
  const { id, approvals } = changeRequest
  for (const { createdBy, digest } of approvals) {
    const found = `an approval of user ${createdBy.id}`
    const event = life?.replayed?.approvals.find(({ userId }) => userId === createdBy.id)
    if (createdBy.kind !== undefined)
      findings.add('votes', id, 'votes of people', `${found}, a machine (${createdBy.kind})`)
    else if (life !== undefined && isOwn(changeRequest, createdBy.id) && !life.selfApprovals.has(createdBy.id)) {
      findings.add('votes', id, 'votes of other users than the authors', `${found}, an author`)
    } else if (event?.digest != null && event.digest !== digest) {
      findings.add('votes', id, `${found} for ${event.digest}`, `${found} for ${digest}`)
    }
  }
}
