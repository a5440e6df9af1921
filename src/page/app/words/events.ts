import { changeWords } from './changes'
import { isSame, objectOf, shown, textIn } from './json'
import { counted } from './numbers'
import { flag, listed, strong, type Words } from './spans'

/** An event of the timeline. */
export interface TimelineEvent {
  readonly id: number
  readonly type: string
  readonly createdAt: string
  readonly createdBy: string
  readonly featureName?: string | null
  readonly data?: unknown
  readonly preData?: unknown
}

type EventIcon =
  | 'applied'
  | 'approved'
  | 'bolt'
  | 'cancelled'
  | 'check'
  | 'draft'
  | 'list'
  | 'met'
  | 'paused'
  | 'pencil'
  | 'plus'
  | 'rejected'
  | 'review'
  | 'scheduled'
  | 'trash'
  | 'users'
  | 'warn'

export interface EventWords {
  readonly icon: EventIcon
  /** Goes on after the name of who did it. */
  readonly words: Words
}

/** What the page knows beside the event. */
export interface EventContext {
  readonly nameOf: (id: number) => string | undefined
  /** A moment in the zone of the viewer. */
  readonly time: (iso: string) => string
  /** The strategy or segment with this id, where it is known: it has a name that payloads leave out. */
  readonly targetOf?: (id: unknown) => unknown
}

type Describe = (event: TimelineEvent, context: EventContext) => EventWords

function fixed(icon: EventIcon, ...words: Words): Describe {
  return () => ({ icon, words })
}

const descriptions: Readonly<Record<string, Describe>> = {
  'change-request-created': (event) => {
    const reverted = objectOf(event.data).reverts
    return {
      icon: 'draft',
      words: ['started the request', reverted === undefined ? '' : `, which reverts #${shown(reverted)}`],
    }
  },
  'change-added': (event, context) => ({ icon: 'plus', words: ['added ', ...oneChange(event.data, context)] }),
  'change-edited': (event, context) => ({
    icon: 'pencil',
    words: [isKept(event) ? 'rebased ' : 'edited ', ...oneChange(event.data, context), ...editWords(event)],
  }),
  'change-discarded': (event, context) => ({
    icon: 'trash',
    words: ['took out ', ...oneChange(event.preData, context)],
  }),
  'change-request-discarded': fixed('trash', 'threw the draft away'),
  'change-request-sent-to-review': fixed('review', 'asked for a review'),
  'change-request-approval-added': (event) =>
    objectOf(event.data).afterReview === true
      ? { icon: 'met', words: ['had the ', strong('second look')] }
      : { icon: 'check', words: ['gave an approval'] },
  'change-request-approved': fixed('approved', 'completed the approvals; ', strong('not applied yet')),
  'change-request-rejected': fixed('rejected', 'rejected it'),
  'change-request-cancelled': fixed('cancelled', 'cancelled it'),
  'change-request-applied': (event) => appliedWords(event),
  'change-request-scheduled': (event, { time }) => ({
    icon: 'scheduled',
    words: ['scheduled it for ', strong(time(textIn(event.data, 'scheduledDate')))],
  }),
  'change-request-schedule-suspended': (event) => ({
    icon: 'paused',
    words: [strong('It will not run as scheduled: '), textIn(event.data, 'reason')],
  }),
  'change-request-scheduled-application-success': fixed('applied', 'It was ', strong('applied on schedule')),
  'change-request-scheduled-application-failure': (event) => ({
    icon: 'warn',
    words: ['It could ', strong('not be applied on schedule'), ': ', textIn(event.data, 'reason')],
  }),
  'change-request-requested-approvers-updated': (event, { nameOf }) => {
    const { reviewers } = objectOf(event.data)
    const names = (Array.isArray(reviewers) ? reviewers : []).map((id) => nameOf(id) ?? `user ${id}`)
    return {
      icon: 'users',
      words: names.length === 0 ? ['asked nobody in particular to approve'] : [`asked ${listed(names)} to approve`],
    }
  },
}

/** What happened, in words; an event of a type that nobody here knows is called by it. */
export function eventWords(event: TimelineEvent, context: EventContext): EventWords {
  const describe = Object.hasOwn(descriptions, event.type) ? descriptions[event.type] : undefined
  return describe ? describe(event, context) : { icon: 'list', words: [event.type] }
}

/** Whether the sentence begins with who did it; what runs by itself does not. */
export function hasActor({ type }: TimelineEvent): boolean {
  return !type.startsWith('change-request-schedule-') && !type.startsWith('change-request-scheduled-')
}

/** `Strategy “Nordics” of checkout`. */
function oneChange(data: unknown, { targetOf }: EventContext): Words {
  const { action, feature, payload, segmentId } = objectOf(data)
  if (typeof action !== 'string') return ['a change']
  const { what, how } = changeWords({ action, payload }, targetOf?.(objectOf(payload).id))
  const about = [what, how].filter((one) => one !== '').join(' ')
  if (typeof feature === 'string') return [flag(feature), `: ${about}`]
  return [segmentId === undefined ? about : about.toLowerCase()]
}

/** An edited change has a new number; a rebase may leave it as it was. */
function isKept({ data, preData }: TimelineEvent): boolean {
  const { changeId } = objectOf(data)
  return changeId !== undefined && changeId === objectOf(preData).changeId
}

/** Which of the values that were sent are others now. */
function editWords({ data, preData }: TimelineEvent): Words {
  const [next, old] = [objectOf(objectOf(data).payload), objectOf(objectOf(preData).payload)]
  const altered = preData && data ? leaves(next, old).filter(([name]) => name !== '') : []
  if (altered.length === 0 || altered.length > 2) return []
  return [' (', altered.map(([name, from, to]) => `${name} ${from} → ${to}`).join(', '), ')']
}

function leaves(next: unknown, old: unknown, name = ''): [string, string, string][] {
  const [present, former] = [objectOf(next), objectOf(old)]
  const names = new Set([...Object.keys(present), ...Object.keys(former)])
  if (names.size > 0)
    return [...names].flatMap((one) =>
      isSame(present[one], former[one]) ? [] : leaves(present[one], former[one], one),
    )
  const [from, to] = [shown(old ?? 'none'), shown(next ?? 'none')]
  return [[name, from.length > 40 ? '…' : from, to.length > 40 ? '…' : to]]
}

function appliedWords({ data }: TimelineEvent): EventWords {
  const { emergency } = objectOf(data)
  if (emergency === undefined) return { icon: 'applied', words: ['applied it'] }
  const missing = objectOf(emergency).missing
  const said = Array.isArray(missing) ? counted(missing.length, 'requirement') : 'requirements'
  return {
    icon: 'bolt',
    words: [strong('applied it in an emergency'), `, with ${said} not met: “${textIn(emergency, 'reason')}”`],
  }
}
