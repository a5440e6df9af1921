import type { EventType } from '../generated/index'
import type { Author } from './author'
import type { ChangeRequest, JsonValue } from './change-request'

export interface Tag {
  readonly type: string
  readonly value: string
}

type Facts = { readonly [key: string]: JsonValue }

/** What happened, before the log gives it an id. */
export interface EventDraft {
  readonly type: EventType
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByUserId: number | null
  readonly environment: string | null
  readonly project: string | null
  readonly featureName: string | null
  readonly data: Facts | null
  readonly preData: Facts | null
  readonly tags: readonly Tag[]
  readonly ip: string | null
  readonly groupType: string | null
  readonly groupId: string | null
}

/** Who writes an event when nobody is named (contract 8.3). */
export const systemUserId = -1337

interface Occasion {
  readonly author: Author
  readonly now: string
  readonly featureName: string | null
  /** What `data` holds beside the id of the change request. */
  readonly facts?: Facts | undefined
}

/** An event of a change request with what all of them share (contract 8.1). */
export function changeRequestEvent(type: EventType, changeRequest: ChangeRequest, occasion: Occasion): EventDraft {
  const { author, now, featureName, facts } = occasion
  return {
    type,
    createdAt: now,
    createdBy: author.signature,
    createdByUserId: author.person.id,
    environment: changeRequest.environment,
    project: changeRequest.project,
    featureName,
    data: { changeRequestId: changeRequest.id, ...facts },
    preData: null,
    tags: [],
    ip: author.ip,
    groupType: null,
    groupId: null,
  }
}

/**
 * The JSON text of an event as the log serves it, all but its id: field order, label and summary are settled here once,
 * and a read copies the text (contract 9.1, 10).
 */
export function eventJson(event: EventDraft, linkBase: string): string {
  return JSON.stringify({
    createdAt: event.createdAt,
    type: event.type,
    createdBy: event.createdBy,
    createdByUserId: event.createdByUserId,
    environment: event.environment,
    project: event.project,
    featureName: event.featureName,
    data: event.data,
    preData: event.preData,
    tags: event.tags,
    label: label(event.type),
    summary: summary(event, linkBase),
    ip: event.ip,
  })
}

/** `Change request created` for `change-request-created`. */
export function label(type: EventType): string {
  const words = type.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A sentence in markdown: who did what, where (contract 10). */
export function summary(event: EventDraft, linkBase: string): string {
  const link = (text: string, ...path: string[]) => bold(`[${text}](${[linkBase, ...path.map(segment)].join('/')})`)
  const facts = event.data ?? event.preData ?? {}
  const id = facts.changeRequestId
  const changeRequest =
    event.project !== null && typeof id === 'number'
      ? link(`#${id}`, 'projects', event.project, 'change-requests', String(id))
      : ''
  const actor = bold(escaped(event.createdBy))
  const where = [
    event.project !== null && event.featureName !== null
      ? `flag ${link(escaped(event.featureName), 'projects', event.project, 'features', event.featureName)}`
      : '',
    event.environment === null ? '' : `environment ${bold(escaped(event.environment))}`,
    event.project === null ? '' : `project ${link(escaped(event.project), 'projects', event.project)}`,
  ].filter((part) => part !== '')
  const place = where.length === 0 ? '' : `in ${where.join(', ')}`
  return sentence(event.type, { actor, changeRequest, place, text: (name) => escaped(String(facts[name] ?? '')) })
}

interface Parts {
  readonly actor: string
  readonly changeRequest: string
  readonly place: string
  readonly text: (fact: string) => string
}

const phrases: { readonly [type in EventType]?: string } = {
  'change-request-created': 'started change request',
  'change-added': 'added a change to',
  'change-edited': 'edited a change of',
  'change-discarded': 'took a change out of',
  'change-request-discarded': 'threw away the draft',
  'change-request-sent-to-review': 'asked for a review of',
  'change-request-approval-added': 'gave an approval to',
  'change-request-approved': 'completed the approvals of',
  'change-request-rejected': 'rejected',
  'change-request-cancelled': 'cancelled',
  'change-request-applied': 'applied',
  'change-request-requested-approvers-updated': 'changed the requested approvers of',
}

function sentence(type: EventType, { actor, changeRequest, place, text }: Parts): string {
  const parts = (...words: string[]) => words.filter((word) => word !== '').join(' ')
  const phrase = phrases[type]
  if (phrase !== undefined) return parts(actor, phrase, changeRequest, place)
  switch (type) {
    case 'change-request-scheduled':
      return parts(actor, 'scheduled', changeRequest, 'for', text('scheduledDate'), place)
    case 'change-request-schedule-suspended':
      return parts(changeRequest, 'will not run as scheduled:', text('reason'), place)
    case 'change-request-scheduled-application-success':
      return parts(changeRequest, 'was applied on schedule', place, 'scheduled by', actor)
    case 'change-request-scheduled-application-failure':
      return parts(changeRequest, 'could not be applied on schedule:', text('reason'), place, 'scheduled by', actor)
    case 'change-request-configuration-updated':
      return parts(actor, 'changed the change request settings', place)
    default:
      return parts(actor, 'caused', bold(type), changeRequest, place)
  }
}

function bold(text: string): string {
  return `**${text}**`
}

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#|~!&]/g, '\\$&')
}

/** A path segment; the marks that encodeURIComponent leaves would end a markdown link. */
function segment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
