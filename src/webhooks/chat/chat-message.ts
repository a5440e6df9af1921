import type { EventView, ReviewListItemView } from '../../generated/index'

/** A part of a line. */
export interface Span {
  readonly text: string
  readonly isBold?: boolean
  readonly url?: string | undefined
}

/** What is posted about an event; each format writes it in its own way. */
export interface ChatMessage {
  /** Who did what. */
  readonly sentence: readonly Span[]
  /** The title of the change request, with a link. */
  readonly title: Span | undefined
  /** What it is waiting for, and what it does. */
  readonly details: readonly string[]
}

/** @param row the change request of the event; null without one, and for a draft: others must not see its content */
export function toChatMessage(event: EventView, row: ReviewListItemView | null): ChatMessage {
  const { summary } = event
  return {
    sentence: summary ? spansIn(summary) : [{ text: `${event.createdBy}: ${event.type}` }],
    title: row === null ? undefined : { text: titleOf(row), isBold: true, url: absolute(row.url) },
    details: row === null ? [] : detailsOf(row),
  }
}

/** The default title has the id. */
function titleOf({ id, title }: ReviewListItemView): string {
  return title === `Change request #${id}` ? title : `#${id} ${title}`
}

const token = /\*\*|\[((?:\\.|[^\]\\])*)\]\(([^)]*)\)|(?:\\.|[^\\*[])+|[\\*[]/gs

/** The parts of the Markdown that summaries use: bold, links and escaped characters (contract 10). */
function spansIn(markdown: string): Span[] {
  let isBold = false
  return [...markdown.matchAll(token)].flatMap(([whole, label, address]): Span[] => {
    if (whole === '**') {
      isBold = !isBold
      return []
    }
    return [{ text: (label ?? whole).replace(/\\(.)/gs, '$1'), isBold, url: absolute(address) }]
  })
}

/** A relative link leads nowhere in a chat. */
function absolute(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//.test(address) ? address : undefined
}

function detailsOf({ waitsFor, effects, features, segments, conflict, overwrites }: ReviewListItemView): string[] {
  const missing = waitsFor.map(({ name, given, approvals }) => {
    const count = `${given ?? '?'} of ${approvals}`
    return name === 'minimum' ? count : `${count} by ${name}`
  })
  const others = features.length + segments.length - (effects?.length ?? 0)
  return [
    ...(missing.length === 0 ? [] : [`Approvals: ${missing.join(', ')}`]),
    ...(effects ?? []).map(({ name, changes }) => `${name}: ${changes.map(effectText).join('; ')}`),
    ...(effects === null ? ['The flags cannot be read at the moment.'] : []),
    ...(effects !== null && others > 0
      ? [`${others} more ${others === 1 ? 'flag or segment' : 'flags or segments'}`]
      : []),
    ...(conflict ? ['It has a conflict, and cannot be applied.'] : []),
    ...(overwrites ? ['It would overwrite newer changes.'] : []),
  ]
}

type Effect = NonNullable<ReviewListItemView['effects']>[number]['changes'][number]

const maxFields = 3

/** The fields that change, such as `enabled: false → true`; else the action in words, such as `add strategy`. */
function effectText({ action, before, after }: Effect): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (before === null || after === null) return words
  const [old, current] = [leavesOf(before), leavesOf(after)]
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter((path) => old.get(path) !== current.get(path))
  if (changed.length === 0) return words
  const shown = changed
    .slice(0, maxFields)
    .map((path) => `${path}: ${textOf(old.get(path))} → ${textOf(current.get(path))}`)
  return [...shown, ...(changed.length > maxFields ? ['…'] : [])].join(', ')
}

/** The values inside an object, as JSON, by path. */
function leavesOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, path === '' ? name : `${path}.${name}`)]),
  )
}

const maxValue = 60

function textOf(json: string | undefined): string {
  return json === undefined ? 'none' : shortened(json, maxValue)
}

function shortened(text: string, max: number): string {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text
}

/** The longest text of a part, tried until the message fits; the last one drops the links. */
const limits: readonly number[] = [2_000, 500, 100, 20]

/** Writes a message as a body. Its parts are shortened before they are escaped, until the body fits. */
export function fitting<Body>(
  { sentence, title, details }: ChatMessage,
  write: (message: ChatMessage) => Body,
  fits: (body: Body) => boolean,
): Body {
  const at = (limit: number) => {
    const fit = (text: string) => shortened(text.replace(/\s+/g, ' '), limit)
    const short = ({ url, ...span }: Span): Span => ({
      ...span,
      text: fit(span.text),
      url: limit === limits.at(-1) ? undefined : url,
    })
    return write({
      sentence: sentence.map(short),
      title: title && short(title),
      details: details.map(fit),
    })
  }
  const longest = limits.find((limit) => fits(at(limit)))
  return at(longest ?? (limits.at(-1) as number))
}
