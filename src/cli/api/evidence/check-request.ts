import { isDeepStrictEqual } from 'node:util'
import { approvalsAreKnown, type Replayed, replay } from '../../../domain/events/replay'
import type { LoggedEvent } from './lines'
import type { RequestLine } from './source'

/** `data` of the events of a change request, as far as it is compared with the line. */
interface RequestData {
  readonly afterReview?: true
  readonly digest?: string
  readonly changeId?: number
  readonly action?: string
  readonly payload?: unknown
  readonly approvals?: readonly { readonly by: { readonly id: number }; readonly at: string }[]
  readonly requirements?: readonly Requirement[]
  readonly emergency?: { readonly reason: string }
  readonly objections?: readonly { readonly by: { readonly id: number }; readonly at: string; readonly how: string }[]
  readonly takenBack?: readonly { readonly by: { readonly id: number }; readonly at: string }[] | true
}

interface Requirement {
  readonly name: string
  readonly approvals: number
  readonly given: number | null
}

/**
 * Compares a change request with its events. Returns whether they have its beginning: what was removed from the log cannot be
 * compared.
 */
export function checkRequest(
  line: RequestLine,
  events: readonly LoggedEvent[],
  report: (text: string) => void,
): boolean {
  const replayed = events.reduce<Replayed | undefined>((before, event) => replay(before, event), undefined)
  const added = events.filter(({ type, data }) => type === 'change-request-approval-added' && !data?.afterReview)
  const hasApproval = (id: number, at: string) =>
    added.some((event) => event.createdByUserId === id && event.createdAt === at)
  checkApply(line, events, report)
  for (const { by, at } of dataOf(events, 'change-request-applied').approvals ?? []) {
    if (replayed !== undefined && !hasApproval(by.id, at)) report(`no event has the approval of user ${by.id} ${at}`)
  }
  checkClosing(line, events, report)
  if (replayed === undefined) return false
  checkLife(line, replayed, report)
  checkAuthor(line, events[0] as LoggedEvent, report)
  checkChanges(line, events, report)
  checkVoters(line, added, report)
  for (const { kind, person, at, digest } of line.votes) {
    const own = kind === 'approval' ? added : events.filter(({ type }) => type === 'change-request-rejected')
    const event = own.find((one) => one.createdByUserId === person.id && one.createdAt === at)
    if (event === undefined) report(`no event has the vote of user ${person.id} ${at}`)
    else if (((event.data as RequestData).digest ?? digest) !== digest)
      report(`the vote of user ${person.id} is for other content than event ${event.id}`)
  }
  return true
}

function dataOf(events: readonly LoggedEvent[], type: string): RequestData {
  return (events.find((event) => event.type === type)?.data ?? {}) as RequestData
}

function checkLife(line: RequestLine, replayed: Replayed, report: (text: string) => void): void {
  const { unexpected } = replayed
  if (unexpected !== null) {
    report(`event ${unexpected.id} ${unexpected.type} cannot follow the state ${unexpected.state}`)
    return
  }
  if (replayed.state !== line.state) report(`its state is ${line.state}, by its events ${replayed.state}`)
  const [schedule, found] = [replayed.schedule, line.schedule?.status ?? null]
  if (schedule !== found) report(`its schedule is ${found}, by its events ${schedule}`)
  const approvals = line.votes.filter(({ kind }) => kind === 'approval')
  const voters = (ids: readonly number[]) => [...ids].sort((one, other) => one - other).join()
  const [voted, expected] = [approvals.map(({ person }) => person.id), replayed.approvals.map(({ userId }) => userId)]
  const isKnown = approvalsAreKnown({ voidedApprovals: line.voidedApprovals as never }, replayed)
  if (isKnown && voters(voted) !== voters(expected))
    report(`its votes are of users ${voters(voted)}, by its events ${voters(expected)}`)
}

function checkAuthor(line: RequestLine, created: LoggedEvent, report: (text: string) => void): void {
  if (line.author.id !== created.createdByUserId) report(`its author is not that of event ${created.id}`)
  if (line.createdAt !== created.createdAt) report(`it was not created at the time of event ${created.id}`)
}

function checkChanges(line: RequestLine, events: readonly LoggedEvent[], report: (text: string) => void): void {
  const added = new Map(events.map(({ data }) => [(data as RequestData | null)?.changeId, data as RequestData]))
  for (const { id, action, payload = {} } of line.changes) {
    const found = added.get(id)
    if (found === undefined) report(`no event has its change ${id}`)
    else if (found.action !== action || !isDeepStrictEqual(found.payload ?? {}, payload))
      report(`its change ${id} is not that of its event`)
  }
}

/** An approval by an author is marked, and machines do not approve. Authors whose changes were all replaced are not in the line. */
function checkVoters(line: RequestLine, added: readonly LoggedEvent[], report: (text: string) => void): void {
  const authors = [line.author, ...line.changes.map(({ author }) => author)]
  const ids = new Set<number | null>(
    authors.flatMap(({ id, onBehalfOf }) => [id, ...(onBehalfOf ? [onBehalfOf.id] : [])]),
  )
  for (const { id, createdByUserId, data } of added) {
    if (data?.actor !== undefined) report(`event ${id} is an approval by a machine`)
    if (ids.has(createdByUserId) && data?.selfApproval !== true)
      report(`event ${id} is an approval by an author, and not marked as one`)
  }
}

function checkApply(line: RequestLine, events: readonly LoggedEvent[], report: (text: string) => void): void {
  const count = events.filter(({ type }) => type === 'change-request-applied').length
  const expected = line.state === 'Applied' ? 1 : 0
  if (count !== expected) report(`it has ${count} events change-request-applied instead of ${expected}`)
  const { emergency, requirements } = dataOf(events, 'change-request-applied')
  if ((line.emergency?.reason ?? null) !== (emergency?.reason ?? null))
    report('its emergency is not that of its events')
  const acknowledged = events.find(({ data }) => data?.afterReview === true)
  if ((line.emergency?.acknowledgedAt ?? null) !== (acknowledged?.createdAt ?? null))
    report('its acknowledgement is not that of its events')
  const required = line.requirements?.filter(({ mode }) => mode === 'enforce') ?? null
  const facts = (list: readonly Requirement[]) => list.map(({ name, approvals, given }) => [name, approvals, given])
  if (requirements && required && !isDeepStrictEqual(facts(required), facts(requirements)))
    report('its requirements are not those of its apply')
}

const closingTypes = ['change-request-applied', 'change-request-rejected', 'change-request-cancelled']

function checkClosing(line: RequestLine, events: readonly LoggedEvent[], report: (text: string) => void): void {
  const closing = events.find(({ type }) => closingTypes.includes(type))
  if (closing === undefined) {
    if (line.ended !== null) report('no event has its end')
    return
  }
  const { createdByUserId, createdAt, id } = closing
  if (line.ended?.by.id !== createdByUserId || line.ended?.at !== createdAt)
    report(`its end is not that of event ${id}`)
  const { objections = [], takenBack = [] } = closing.data as RequestData
  const ended = line.objections.filter((one) => one.ended !== null)
  const facts = (list: readonly (readonly [number, string, string])[]) => list.map((one) => one.join(' ')).sort()
  const [found, expected] = [
    facts(ended.map((one) => [one.person.id, one.at, one.ended?.how ?? ''])),
    facts(objections.map((one) => [one.by.id, one.at, one.how])),
  ]
  if (!isDeepStrictEqual(found, expected)) report(`its objections are not those of event ${id}`)
  const back = line.voidedApprovals.filter(({ cause }) => cause === 'taken-back')
  const taken = takenBack === true ? [] : takenBack
  const texts = (list: readonly (readonly [number, string | null])[]) => list.map((one) => one.join(' ')).sort()
  if (!isDeepStrictEqual(texts(back.map((one) => [one.by.id, one.at])), texts(taken.map((one) => [one.by.id, one.at]))))
    report(`its approvals that were taken back are not those of event ${id}`)
}
