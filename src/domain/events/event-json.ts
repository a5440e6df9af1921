import type { EventType } from '../../generated/index'
import { changeRequestLink, flagLink, type LinkOptions, projectLink } from '../links'
import type { EventDraft } from './events'
import { changeRequestSentences, otherSentences } from './vocabulary'

/**
 * The JSON text of an event as the log serves it, without its id: field order, label and summary are fixed here,
 * and a read copies the text (contract 9.1, 10).
 */
export function eventJson(event: EventDraft, options: LinkOptions): string {
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
    summary: summary(event, options),
    ip: event.ip,
  })
}

export function label(type: EventType): string {
  const words = type.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The sentences without the parts that only the activity of a change request shows. */
const sentences = new Map<string, string>()
for (const [type, sentence] of Object.entries({ ...changeRequestSentences, ...otherSentences })) {
  sentences.set(type, sentence.replace(/\|[^\]]*\]|[[\]*]/g, ''))
}

/** A sentence in markdown: who did what, where (contract 10). */
export function summary(event: EventDraft, options: LinkOptions): string {
  const things = thingsOf(event, options)
  const known = sentences.get(event.type) ?? '{type}'
  const request = requestIn(event, options)
  const sentence = known.includes('{request}') || request === '' ? known : `${known} through change request {request}`
  const facts = event.data ?? event.preData ?? {}
  const fixed = new Map([
    ['actor', bold(escaped(event.createdBy))],
    ['request', request],
    ['place', placeOf(sentence, things)],
    ['type', bold(escaped(event.type))],
  ])
  const filled = (blank: string) => {
    const noun = /^an? (.+)$/.exec(blank)?.[1]
    if (noun === undefined) return fixed.get(blank) ?? escaped(String(facts[blank] ?? ''))
    const thing = things.get(noun) ?? (placeNouns.includes(noun) ? undefined : nameIn(event))
    return thing === undefined ? blank : `${noun} ${thing}`
  }
  const whole = sentence.includes('{place}') ? sentence : `{actor} ${sentence} {place}`
  const parts = whole
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? filled(part.slice(1, -1)) : part.trim()))
  return parts.filter((part) => part !== '').join(' ')
}

const placeNouns: readonly string[] = ['flag', 'environment', 'project']

function thingsOf(event: EventDraft, options: LinkOptions): ReadonlyMap<string, string> {
  const { featureName, environment, project } = event
  const things = new Map<string, string>()
  if (featureName !== null) things.set('flag', bold(link(escaped(featureName), flagLink(options, featureName, event))))
  if (environment !== null) things.set('environment', bold(escaped(environment)))
  if (project !== null) things.set('project', bold(link(escaped(project), projectLink(options, project))))
  return things
}

function placeOf(sentence: string, things: ReadonlyMap<string, string>): string {
  const where = [...things].filter(([noun]) => !sentence.includes(` ${noun}}`))
  return where.length === 0 ? '' : `in ${where.map(([noun, thing]) => `${noun} ${thing}`).join(', ')}`
}

function requestIn({ project, data, preData }: EventDraft, options: LinkOptions): string {
  const id = (data ?? preData)?.changeRequestId
  if (project === null || typeof id !== 'number') return ''
  return bold(link(`#${id}`, changeRequestLink(options, project, id)))
}

const maxNameLength = 100

function nameIn({ data, preData }: EventDraft): string | undefined {
  const name = data?.name ?? preData?.name
  const isShown = typeof name === 'string' && name.trim() !== '' && name.length <= maxNameLength
  return isShown ? bold(escaped(name.trim())) : undefined
}

function link(text: string, address: string | undefined): string {
  return address === undefined ? text : `[${text}](${address})`
}

function bold(text: string): string {
  return `**${text}**`
}

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#|~!&]/g, '\\$&')
}
