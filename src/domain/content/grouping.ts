import { definitionOf, segmentId } from '../actions/table'
import type { Change, ChangeRequest, NewChange } from '../change-request'
import { byInstant } from '../instants'
import { isClosed } from '../lifecycle'
import { otherAuthors } from './authors'
import { mentionsOf } from './mentions'
import { objectorsOf, openObjections } from './objections'

export function namedSegment(change: NewChange): NamedSegment {
  const { name } = change.payload as { name?: unknown }
  return { id: segmentId(change), name: typeof name === 'string' ? name : null }
}

export interface NamedSegment {
  readonly id: number
  readonly name: string | null
}

export function onlyFeature({ changes }: ChangeRequest): string | null {
  const first = changes[0]?.feature ?? null
  return changes.every((change) => change.feature === first) ? first : null
}

/** The changes by flag, flags in the order of their lowest change id (contract 5.1). */
export function groupByFeature(changes: readonly Change[]): Map<string, Change[]> {
  const ofFlags = changes.filter(({ feature }) => feature !== null)
  return groupBy(ofFlags, ({ feature }) => feature as string)
}

/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

export function segmentChanges(changes: readonly Change[]): Change[] {
  return changes.filter((change) => change.feature === null)
}

export const featureSubject = (feature: string) => `feature:${feature}`
export const segmentSubject = (id: number) => `segment:${id}`
/** The subject of change requests that are not closed and whose strategies use the segment. */
export const usedSegmentSubject = (id: number) => `uses-segment:${id}`
/** The subjects of scheduled change requests with these subjects: few, however many were scheduled before. */
export const scheduledSubjects = (subjects: Iterable<string>) =>
  [...new Set(subjects)].map((subject) => `scheduled:${subject}`)
export const approverSubject = (userId: number) => `approver:${userId}`
/** The subject of change requests of which the user is an author without having created them. */
export const otherAuthorSubject = (userId: number) => `author:${userId}`
/** See {@link stoppedFor}. */
export const stoppedSubject = (userId: number) => `stopped:${userId}`
/** The subject of change requests of a project with open objections. */
export const objectedInSubject = (project: string) => `objected-in:${project}`
/** See {@link objectedFor}. */
export const objectedSubject = (userId: number) => `objected:${userId}`
/** See {@link involvedIn}. */
export const involvedSubject = (userId: number) => `involved:${userId}`
/**
 * The subject of change requests that are not closed and have a report of the check, whatever the flags are: with implied changes
 * it would be for other content.
 */
export const reportedSubject = (check: string) => `reported:${check}`
/** The subject of scheduled change requests that follow this one. */
export const followsSubject = (id: number) => `follows:${id}`
/** The subject of scheduled change requests that wait until the one that they follow is applied. */
export const waitingSubject = 'follows'
export const revertedSubject = (id: number) => `reverts:${id}`

/** Whether its schedule is pending and must not run before its predecessor is applied. */
export function isWaiting({ state, schedule, scheduling }: ChangeRequest): boolean {
  const follows = scheduling?.follows !== undefined && scheduling.predecessorAppliedAt === undefined
  return state === 'Scheduled' && schedule?.status === 'pending' && follows
}

/** The subjects that find a change request. Those that only an open one needs are left out once it is closed: they stay few. */
export function subjectsOf(changeRequest: ChangeRequest): string[] {
  const { state, changes, requestedApprovers, reverts, scheduling } = changeRequest
  const subjects = new Set(changes.map(changeSubject))
  if (!isClosed({ state })) {
    for (const id of mentionsOf(changes).segments) subjects.add(usedSegmentSubject(id))
    if (state === 'Scheduled') for (const subject of scheduledSubjects(subjects)) subjects.add(subject)
    for (const subject of reviewedSubjects(changeRequest)) subjects.add(subject)
    if (!canImply(changes)) for (const { name } of changeRequest.checkReports ?? []) subjects.add(reportedSubject(name))
  }
  for (const id of otherAuthors(changeRequest)) subjects.add(otherAuthorSubject(id))
  if (state === 'Approved') subjects.add(`${approvedBy}${approvedSince(changeRequest)}`)
  if (openObjections(changeRequest).length > 0) {
    subjects.add(objected).add(objectedInSubject(changeRequest.project))
    for (const id of objectedFor(changeRequest)) subjects.add(objectedSubject(id))
  }
  for (const id of requestedApprovers) subjects.add(approverSubject(id))
  for (const id of stoppedFor(changeRequest)) subjects.add(stoppedSubject(id))
  for (const id of involvedIn(changeRequest)) subjects.add(involvedSubject(id))
  if (scheduling?.follows !== undefined) subjects.add(followsSubject(scheduling.follows))
  if (isWaiting(changeRequest)) subjects.add(waitingSubject)
  if (reverts !== undefined) subjects.add(revertedSubject(reverts))
  return [...subjects]
}

/** The users who must look at a schedule that failed or was suspended: the author, and who scheduled it. */
export function stoppedFor({ createdBy, schedule, scheduling }: ChangeRequest): number[] {
  if (schedule === null || schedule.status === 'pending') return []
  return [createdBy.id, ...(scheduling === undefined ? [] : [scheduling.by.person.id])]
}

/** The user to whom open objections are shown: the author, unless they must look at its schedule anyway. */
function objectedFor(changeRequest: ChangeRequest): number[] {
  return [changeRequest.createdBy.id].filter((id) => !stoppedFor(changeRequest).includes(id))
}

/** The users who cannot acknowledge an emergency: who applied it, and its authors. Empty once it is acknowledged. */
export function involvedIn(changeRequest: ChangeRequest): number[] {
  const { createdBy, emergency } = changeRequest
  if (emergency === undefined || emergency.acknowledgement !== null) return []
  return [createdBy.id, emergency.appliedBy.id, ...otherAuthors(changeRequest)]
}

/**
 * The users who have approved it or object to its current changes, and its authors except for the one who created it: none of them
 * is to review it.
 */
export function notToReview(changeRequest: ChangeRequest): number[] {
  const approvers = changeRequest.approvals.map(({ createdBy }) => createdBy.id)
  return [...new Set([...approvers, ...objectorsOf(changeRequest), ...otherAuthors(changeRequest)])]
}

export function changeSubject(change: NewChange): string {
  return change.feature === null ? segmentSubject(segmentId(change)) : featureSubject(change.feature)
}

/** One subject for each user who is not to review it, with the time of an approval: see {@link notToReview}. */
function reviewedSubjects(changeRequest: ChangeRequest): string[] {
  const times = new Map(changeRequest.approvals.map(({ createdBy, createdAt }) => [createdBy.id, createdAt]))
  for (const id of [...objectorsOf(changeRequest), ...otherAuthors(changeRequest)]) times.set(id, always)
  return [...times].map(([id, at]) => `reviewed:${id}:${at}`)
}

/** In place of a time, and after all times: authors and users who object do not have to review. */
const always = 'author'

/** The subjects of change requests that are not closed and that the user is not to review, by approvals after this time. */
export function reviewedSince(userId: number, time: string | null): SubjectRange {
  const after = time === null ? '' : new Date(Date.parse(time) + 1).toISOString()
  return { from: `reviewed:${userId}:${after}`, to: `reviewed:${userId}:~` }
}

const approvedBy = 'approved:'

/** The subject of change requests with open objections. It precedes the subjects by times of approvals. */
export const objected = 'approved/objected'

/** The time of the oldest approval that the minimum needs; empty if it has fewer approvals. */
function approvedSince({ approvals, minApprovals }: ChangeRequest): string {
  const newestFirst = approvals.map(({ createdAt }) => createdAt).sort((one, other) => byInstant(other, one))
  return newestFirst[minApprovals - 1] ?? ''
}

/** The subjects of Approved change requests that have fewer approvals after this time than the minimum. */
export function notApprovedSince(time: string): SubjectRange {
  return { from: approvedBy, to: `${approvedBy}${time}` }
}

/** The same, and in addition those with open objections: none of them can be applied. */
export function notApplicableSince(time: string): SubjectRange {
  return { from: objected, to: `${approvedBy}${time}` }
}

interface SubjectRange {
  readonly from: string
  readonly to: string
}

/** Whether the content depends on the current flags: on the implied changes, or on the strategies that a change switches on. */
function canImply(changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const { effect, activates } = definitionOf(change)
    return effect !== undefined || activates !== undefined
  })
}
