import { changeRequestEventTypes } from '../../../generated/lists'
import type { LoggedEvent } from './lines'

/** What can be an exception, in the order of the report. */
export const exceptionKinds = [
  'emergency',
  'gate-skipped',
  'own-approval',
  'objection-dismissed',
  'approval-taken-back',
  'freeze-passed',
  'trial-not-met',
  'overwrite',
  'settings-lowered',
  'settings-off',
  'settled',
  'no-gateway',
] as const

export type ExceptionKind = (typeof exceptionKinds)[number]

/** A row of `exceptions.csv`. */
export interface Exception {
  readonly kind: ExceptionKind
  /** UTC, ISO 8601 with milliseconds. */
  readonly when: string
  /** The name of the user or machine, and the id in parentheses. */
  readonly who: string
  readonly why: string
  /** The id of the change request; null for none. */
  readonly request: number | null
  /** The id of the event that shows it. */
  readonly event: number
}

export const exceptionColumns = ['kind', 'when', 'who', 'why', 'request', 'event'] as const

/** What other events and the change requests say about an exception. */
export interface ExceptionFacts {
  /** When and by whom an emergency was acknowledged, by the id of its change request. */
  readonly acknowledgements: ReadonlyMap<number, { readonly at: string; readonly by: string }>
  /** The reasons of dismissals, by {@link dismissalKey}. */
  readonly reasons: ReadonlyMap<string, string>
}

export function dismissalKey(request: number | null, objectedAt: string, endedAt: string): string {
  return `${request} ${objectedAt} ${endedAt}`
}

export function person(name: string | null | undefined, id: number | null | undefined): string {
  return [name, id == null ? '' : `(${id})`].filter(Boolean).join(' ')
}

const routerTypes: ReadonlySet<string> = new Set(changeRequestEventTypes)

/** The change request that an event is about; null for settings, flags and events of the host app. */
export function requestOf({ type, data, preData }: Pick<LoggedEvent, 'type' | 'data' | 'preData'>): number | null {
  if (!routerTypes.has(type)) return null
  const id = data?.changeRequestId ?? preData?.changeRequestId
  return typeof id === 'number' ? id : null
}

interface By {
  readonly id: number
  readonly username: string | null
}

/** `data` of the events that show exceptions, as the router writes it. */
interface ExceptionData {
  readonly selfApproval?: true
  readonly afterReview?: true
  readonly emergency?: {
    readonly reason: string
    readonly missing: readonly { readonly code?: string; readonly name: string }[]
  }
  readonly objections?: readonly {
    readonly by: By
    readonly at: string
    readonly how: string
    readonly endedBy: By
    readonly endedAt: string
  }[]
  readonly takenBack?: readonly { readonly by: By; readonly approvedAt: string | null; readonly at: string }[] | true
  readonly trial?: readonly { readonly kind: string; readonly name: string; readonly met: boolean }[]
  readonly overwrote?: readonly { readonly feature?: string; readonly segment?: number; readonly path: string }[]
  readonly settled?: string
  readonly recordOnly?: true
  readonly changeRequestsEnabled?: boolean
  readonly requiredApprovals?: number
  readonly skippedChangeRequest?: SkippedChangeRequest
}

/** What the gate adds to an event that passed without a change request. */
export interface SkippedChangeRequest {
  readonly by: string | null
  readonly id?: number | null
  readonly kind?: string
  readonly reason: string | null
  readonly freeze: string | null
}

export function skipOf({ data }: Pick<LoggedEvent, 'data'>): SkippedChangeRequest | undefined {
  return (data as ExceptionData | null)?.skippedChangeRequest
}

type Found = Pick<Exception, 'kind' | 'why'> & Partial<Pick<Exception, 'when' | 'who'>>

/** The exceptions that an event shows: at most one of a kind, except for what has no event of its own. */
export function exceptionsOf(event: LoggedEvent, facts: ExceptionFacts): Exception[] {
  const [data, request] = [(event.data ?? {}) as ExceptionData, requestOf(event)]
  const who = person(event.createdBy, event.createdByUserId)
  const found = [...(byType[event.type]?.(event, data, facts) ?? []), ...skipped(data)]
  return found.map(({ kind, why, ...own }) => {
    return { kind, when: own.when ?? event.createdAt, who: own.who ?? who, why, request, event: event.id }
  })
}

const byType: {
  readonly [type: string]: (event: LoggedEvent, data: ExceptionData, facts: ExceptionFacts) => readonly Found[]
} = {
  'change-request-applied': (event, data, facts) => [...applied(event, data, facts), ...stopped(event, data, facts)],
  'change-request-rejected': stopped,
  'change-request-cancelled': stopped,
  'change-request-approval-added': (_, { selfApproval }) =>
    selfApproval === true ? [{ kind: 'own-approval', why: 'Approved own changes.' }] : [],
  'change-request-configuration-updated': settings,
}

function applied(event: LoggedEvent, data: ExceptionData, { acknowledgements }: ExceptionFacts): readonly Found[] {
  const { emergency, trial = [], overwrote = [], settled, recordOnly } = data
  const frozen = emergency?.missing.filter(({ code }) => code === 'frozen') ?? []
  const unmet = trial.filter(({ met }) => !met)
  const acknowledged = acknowledgements.get(requestOf(event) ?? 0)
  const outcome = acknowledged ? `Acknowledged ${acknowledged.at} by ${acknowledged.by}.` : 'Not acknowledged.'
  const found: (Found | undefined)[] = [
    emergency && { kind: 'emergency', why: `${emergency.reason} ${outcome}` },
    frozen.length > 0 ? { kind: 'freeze-passed', why: names(frozen) } : undefined,
    unmet.length > 0
      ? { kind: 'trial-not-met', why: unmet.map(({ kind, name }) => `${kind} ${name}`).join(', ') }
      : undefined,
    overwrote.length > 0 ? { kind: 'overwrite', why: overwrote.map(overwritten).join(', ') } : undefined,
    settled === 'operator' ? { kind: 'settled', why: 'An operator stored the outcome.' } : undefined,
    recordOnly === true ? { kind: 'no-gateway', why: 'Recorded without a flag gateway.' } : undefined,
  ]
  return found.filter((one) => one !== undefined)
}

/** What was stopped without an event of its own is in the event that closes the change request. */
function stopped(event: LoggedEvent, data: ExceptionData, { reasons }: ExceptionFacts): readonly Found[] {
  const { objections = [] } = data
  const takenBack = data.takenBack === true ? [] : (data.takenBack ?? [])
  return [
    ...objections
      .filter(({ how }) => how === 'dismissed')
      .map(({ at, by, endedBy, endedAt }): Found => {
        const reason = reasons.get(dismissalKey(requestOf(event), at, endedAt)) ?? ''
        const why = `Objection of ${person(by.username, by.id)} ${at}. ${reason}`.trimEnd()
        return { kind: 'objection-dismissed', when: endedAt, who: person(endedBy.username, endedBy.id), why }
      }),
    ...takenBack.map(({ by, approvedAt, at }): Found => {
      const why = approvedAt === null ? '' : `Approved ${approvedAt}.`
      return { kind: 'approval-taken-back', when: at, who: person(by.username, by.id), why }
    }),
  ]
}

function settings({ environment, preData }: LoggedEvent, data: ExceptionData): readonly Found[] {
  const old = (preData ?? {}) as ExceptionData
  const [before, after] = [old.requiredApprovals ?? 0, data.requiredApprovals ?? 0]
  const isOff = old.changeRequestsEnabled === true && data.changeRequestsEnabled === false
  const lowered: Found = {
    kind: 'settings-lowered',
    why: `${environment}: ${before} approvals before, ${after} after.`,
  }
  const off: Found = { kind: 'settings-off', why: `${environment}: change requests were disabled.` }
  return [...(after < before ? [lowered] : []), ...(isOff ? [off] : [])]
}

function skipped({ skippedChangeRequest: skip }: ExceptionData): readonly Found[] {
  if (skip === undefined) return []
  const who = person(skip.by, skip.id)
  const passed: Found = { kind: 'freeze-passed', who, why: skip.freeze ?? '' }
  return [{ kind: 'gate-skipped', who, why: skip.reason ?? '' }, ...(skip.freeze === null ? [] : [passed])]
}

function names(list: readonly { readonly name: string }[]): string {
  return list.map(({ name }) => name).join(', ')
}

function overwritten({ feature, segment, path }: NonNullable<ExceptionData['overwrote']>[number]): string {
  return `${feature ?? `segment ${segment}`} ${path}`
}
