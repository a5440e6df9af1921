import { writesRightToLeft } from './isolated'

const emoji = '\\p{ExtPict}[\\ufe0e\\ufe0f\\p{EMod}]?'

/** Emoji, ideographs and dates of a right-to-left locale, with what gives them their shape. */
const shapes = [
  '\\u{1f3f4}\\u{e0067}\\u{e0062}[\\u{e0061}-\\u{e007a}]{3}\\u{e007f}',
  `${emoji}(?:\\u200d${emoji})*`,
  '[#*\\d]\\ufe0f\\u20e3',
  '\\p{Ideographic}[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  ...(writesRightToLeft ? ['\\u2068[\\u0590-\\u08ff\\u200c-\\u200f\\d\\s.,:/%-]+\\u2069'] : []),
]

/** A line break with the indentation after it, blanks, and all else that has no shape of its own. */
const unseen = '(\\r?\\n *| +|[\\p{Cc}\\p{Cf}\\p{Z}\\p{DI}\\u2800])'

const pattern = new RegExp([...shapes, unseen].join('|'), 'gu')

/**
 * The pieces of a text that a reader sees, and a sign for each character between them that can't be seen. A blank is seen only
 * between two other characters, and not next to the quotation marks around a name.
 *
 * @param before the character before the text: nothing, if it is a whole value
 */
export function withSigns<Sign>(
  text: string,
  toSign: (char: string) => Sign,
  before = '',
  after = '',
): readonly (string | Sign)[] {
  const pieces: (string | Sign)[] = []
  let start = 0
  for (const { 0: match, 1: found, index } of text.matchAll(pattern)) {
    const end = index + match.length
    const isBetween = () =>
      !/^[\s“]?$/.test(text[index - 1] ?? before) && !/^(?:[\s”]|[,.](?!\S)|$)/.test(text.slice(end, end + 2) || after)
    if (!found || (found === ' ' && isBetween())) continue
    pieces.push(text.slice(start, index), ...(found.includes('\n') ? [found] : [...found]).map(toSign))
    start = end
  }
  return [...pieces, text.slice(start)]
}

/** How a character that can't be seen is shown. */
export function signOf(char: string): string {
  if (char === ' ') return '␣'
  return char.includes('\n') ? '↵' : `[U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
}

/** The text with signs, for titles of tabs, labels and tooltips. */
export function visible(text: string): string {
  return withSigns(text, signOf).join('')
}

/** The same JSON, with an escape for each character of its texts that can't be seen. */
export function visibleJson(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text) => {
    // The indentation after an escaped line break is seen.
    const parts = text.slice(1, -1).split(/(\\n *)/)
    return `"${parts.map((part) => (part.startsWith('\\n') ? part : withSigns(part, escapeOf).join(''))).join('')}"`
  })
}

function escapeOf(char: string): string {
  return char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Whether a value has characters that can't be seen in one of its texts or keys. Line breaks of long texts are seen. */
export function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string') return withSigns(value.replace(/\r?\n */g, 'x'), signOf).length > 1
  return typeof value === 'object' && value !== null && Object.entries(value).some((entry) => entry.some(hasUnseen))
}
