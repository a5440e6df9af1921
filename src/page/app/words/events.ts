import { changeRequestSentences } from '../../../domain/events/vocabulary'
import { changeWords } from './changes'
import { fieldsBetween } from './fields/compared'
import { lineOf } from './fields/row'
import { rowsOf } from './fields/rows'
import { type JsonObject, listOf, objectOf, shown, textIn } from './json'
import { counted } from './numbers'
import { flag, joined, listed, plainText, strong, type Words } from './spans'

/** What of an event its words need. */
interface TimelineEvent {
  readonly type: string
  readonly data?: unknown
  readonly preData?: unknown
}

/** What the page knows in addition to the event. */
export interface EventContext {
  readonly nameOf: (id: number) => string | undefined
  /** A moment in the zone of the viewer. */
  readonly time: (iso: string) => string
}

/** What happened, in the words of the log and with what its data says beyond them. They follow the name of the actor. */
export function eventWords(event: TimelineEvent, context: EventContext): Words {
  const { afterReview, emergency, reverts, takenBack } = objectOf(event.data)
  const words = filled(sentenceFor(), (blank) => factOf(blank, event, context))
  return [...words, ...(reverts === undefined ? editWords(event) : [`, which reverts #${shown(reverts)}`])]

  function sentenceFor(): string {
    if (emergency !== undefined) return '*applied it in an emergency*, with {missing}: “{reason}”'
    if (takenBack === true) return 'returned it to review'
    if (afterReview === true) return '*acknowledged* the emergency'
    return isKept(event) ? 'rebased {change}' : sentenceOf(event.type)
  }
}

/** What one person did to several changes in a row: `added 3 changes`. */
export function repeatedWords(type: string, count: number): Words {
  return filled(sentenceOf(type), () => [counted(count, 'change')])
}

/** Whether the sentence begins with who did it; what runs by itself does not. */
export function hasActor({ type }: TimelineEvent): boolean {
  return !sentenceOf(type).includes('{place}')
}

function sentenceOf(type: string): string {
  return Object.hasOwn(changeRequestSentences, type)
    ? changeRequestSentences[type as keyof typeof changeRequestSentences]
    : type
}

/** A sentence of the vocabulary with its facts and what it emphasizes, without what only summaries have. */
function filled(sentence: string, fact: (blank: string) => Words): Words {
  return between(sentence, '[', ']', (choice) => (choice.includes('|') ? [choice.slice(choice.indexOf('|') + 1)] : []))
    .flatMap((text) => between(text as string, '*', '*', (words) => [strong(words)]))
    .flatMap((word) => (typeof word === 'string' ? between(word, '{', '}', fact) : [word]))
}

/** The text with other words in place of each part between the two marks. */
function between(text: string, open: string, close: string, words: (part: string) => Words): Words {
  const start = text.indexOf(open)
  const end = text.indexOf(close, start + 1)
  if (start < 0 || end < 0) return [text]
  const rest = between(text.slice(end + 1), open, close, words)
  return [text.slice(0, start), ...words(text.slice(start + 1, end)), ...rest]
}

function factOf(blank: string, { type, data, preData }: TimelineEvent, context: EventContext): Words {
  const { emergency, reviewers } = objectOf(data)
  switch (blank) {
    case 'change':
      return oneChange(type === 'change-discarded' ? preData : data)
    case 'scheduledDate':
      return [strong(context.time(textIn(data, blank)))]
    case 'reviewers':
      return [listed(listOf(reviewers).map((id) => context.nameOf(id as number) ?? `user ${id}`)) || 'an unknown user']
    case 'missing':
      return [missingWords(listOf(objectOf(emergency).missing))]
    default:
      return [plainText(textIn(emergency ?? data, blank))]
  }
}

/** `1 requirement not met and 2 open objections` */
function missingWords(missing: readonly unknown[]): string {
  const objections = missing.filter((one) => objectOf(one).code === 'objection').length
  const unmet = missing.length - objections
  return listed([
    ...(unmet > 0 || objections === 0 ? [`${counted(unmet, 'requirement')} not met`] : []),
    ...(objections > 0 ? [counted(objections, 'open objection')] : []),
  ])
}

/** `checkout: Strategy “Nordics” edited`. Only the event knows what it was called then. */
function oneChange(data: unknown): Words {
  const { action, feature, payload, segmentId } = objectOf(data)
  if (typeof action !== 'string') return ['a change']
  const { what, how } = changeWords({ action, payload })
  const about = [what, how].filter((one) => one !== '').join(' ')
  if (typeof feature === 'string') return [flag(feature), `: ${about}`]
  return [segmentId === undefined ? about : about.charAt(0).toLowerCase() + about.slice(1)]
}

/** An edited change has a new number; a rebase may leave it as it was. */
function isKept({ data, preData }: TimelineEvent): boolean {
  const { changeId } = objectOf(data)
  return changeId !== undefined && changeId === objectOf(preData).changeId
}

/** Which of the values that were sent are others now. */
function editWords({ type, data, preData }: TimelineEvent): Words {
  if (type !== 'change-edited' || !preData) return []
  const [before, after] = [preData, data].map((one) => objectOf(objectOf(one).payload)) as [JsonObject, JsonObject]
  const action = textIn(data, 'action')
  const fields = fieldsBetween(before, after)
  const rows = rowsOf({ id: 0, action, feature: null, conflict: null, before, after, fields })
  return rows.length === 0 || rows.length > 2 ? [] : [' (', ...joined(rows.map(lineOf), ', '), ')']
}
