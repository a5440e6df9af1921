import type { EventView } from '../../../../../generated'

/** A piece of a sentence. A `request` is the number of a change request, which the page links itself. */
export interface SentencePiece {
  readonly kind: 'text' | 'strong' | 'request'
  readonly text: string
}

/** What of an event its sentence needs. */
export type EventSentence = Pick<EventView, 'summary' | 'label' | 'createdBy' | 'environment' | 'project'> & {
  readonly type: string
}

/**
 * The sentence of an event in pieces, without the place at its end, which has a column of its own. The markdown of the
 * log is read for bold, links and escapes; an address in it is never followed.
 */
export function sentencePieces(event: EventSentence, actor?: string): SentencePiece[] {
  const summary = event.summary ?? ''
  if (summary === '')
    return [
      { kind: 'strong', text: actor ?? event.createdBy },
      { kind: 'text', text: ` ${event.label ?? event.type}` },
    ]
  const pieces = withoutPlace(readMarkdown(summary), event)
  if (actor === undefined) return pieces
  // A flag can have the same name as the actor, who is at the start, else at the end.
  const named = collapsed(event.createdBy)
  const isActor = ({ kind, text }: SentencePiece) => kind === 'strong' && text === named
  const place = pieces[0] && isActor(pieces[0]) ? 0 : pieces.findLastIndex(isActor)
  return pieces.map((piece, index) => (index === place ? { ...piece, text: actor } : piece))
}

/** Bold, links and escapes of markdown; whatever else is in it is text. */
export function readMarkdown(markdown: string): SentencePiece[] {
  const pieces: SentencePiece[] = []
  const state = { bold: false, link: false, request: false, text: '' }
  const flush = () => {
    const { bold, link, request, text } = state
    if (text !== '') pieces.push({ kind: link && request ? 'request' : bold || link ? 'strong' : 'text', text })
    state.text = ''
  }
  for (let at = 0; at < markdown.length; at += 1) {
    const end = state.link && markdown.startsWith('](', at) ? markdown.indexOf(')', at) : -1
    if (markdown.startsWith('**', at)) {
      flush()
      state.bold = !state.bold
      at += 1
    } else if (markdown[at] === '[' || end > 0) {
      flush()
      state.link = end < 0
      // In a name, `#` is escaped.
      state.request = markdown[at + 1] === '#'
      if (end > 0) at = end
    } else {
      if (markdown[at] === '\\' && at < markdown.length - 1) at += 1
      state.text += markdown[at]
    }
  }
  flush()
  return pieces
}

/** `… in environment production, project shop` loses what is shown next to it anyway; a flag stays. */
function withoutPlace(pieces: SentencePiece[], { environment, project }: EventSentence): SentencePiece[] {
  const rest = [...pieces]
  for (const [noun, name] of [
    ['project', project],
    ['environment', environment],
  ] as const) {
    const [lead, last] = rest.slice(-2)
    if (name == null || last?.kind !== 'strong' || last.text !== collapsed(name) || lead?.kind !== 'text') continue
    const end = [` in ${noun} `, `, ${noun} `].find((one) => lead.text.endsWith(one))
    if (end === undefined) continue
    const text = lead.text.slice(0, -end.length)
    rest.splice(-2, 2, ...(text === '' ? [] : [{ ...lead, text }]))
  }
  return rest
}

/** As the log writes names: blanks and line breaks become one blank. */
function collapsed(text: string): string {
  let all = ''
  for (const one of text) all += one.trim() !== '' ? one : all.endsWith(' ') ? '' : ' '
  return all
}

/** The comment, in the line of an event: the opened event has all of it. */
export const longestText = 200

/** A name of any length leaves room for what was done. */
export function shortened(text: string, most = 60): string {
  if (text.length <= most) return text
  return `${[...text.slice(0, most)].slice(0, -1).join('').trimEnd()}…`
}
