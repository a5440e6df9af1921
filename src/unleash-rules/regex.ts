/**
 * Why a pattern is not valid in RE2; undefined if it is. It accepts the part of RE2 that JavaScript can compile as well:
 * literals, classes with `\d \w \s` and `[[:alpha:]]`, `\p{...}`, `^ $ \A \z \b`, groups with and without a name, the
 * flags `i m s U`, alternatives, `* + ?` and `{n,m}` up to 1000, each also lazy. Rejected are look-around and back
 * references, which RE2 does not have, and its octal escapes, `\C` and `\Q...\E`.
 */
export function problemOfRegex(pattern: string): string | undefined {
  const parts = partsOf(pattern)
  for (const part of parts) {
    const unsupported = unsupportedIn(part)
    if (unsupported !== undefined) return `${unsupported} is not supported`
  }
  try {
    new RegExp(parts.map(toJavaScript).join(''), 'u')
    return undefined
  } catch {
    return 'it does not compile'
  }
}

/** A piece of a pattern, and whether it is inside the brackets of a class. */
interface Part {
  readonly text: string
  readonly place: 'outside' | 'in class' | 'bracket'
}

/** Each escape is one piece, so that `\\(?=` is not a look-ahead. */
const piece =
  /\\[pP](?:\{\^?\w+\}|[A-Z])|\\x\{[0-9a-fA-F]{1,6}\}|\\[\s\S]|\[:\^?\w+:\]|\(\?<?[=!]|\(\?P?<\w+>|\(\?[imsU-]+[:)]|\{\d+(?:,\d*)?\}|[\s\S]/gu

/** At the start of a class, `]` is a literal. */
function partsOf(pattern: string): Part[] {
  let inClass = false
  let begins = false
  return Array.from(pattern.matchAll(piece), ([text]): Part => {
    const first = begins
    begins = (!inClass && text === '[') || (inClass && first && text === '^')
    const bracket = begins || (inClass && !first && text === ']')
    if (text === '[' && !inClass) inClass = true
    else if (bracket && text === ']') inClass = false
    return { text, place: bracket ? 'bracket' : inClass ? 'in class' : 'outside' }
  })
}

const letters = 'AabBdDfnpPrsStvwWxz'
const classes = 'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' ')

function unsupportedIn({ text, place }: Part): string | undefined {
  if (/^\\(?:[1-9]|k)$/.test(text)) return 'a back reference'
  if (/^\\[a-z0]$/i.test(text) && !letters.includes(text.charAt(1))) return text
  if (place === 'in class') {
    return /^\[:/.test(text) && !classes.includes(text.replace(/\W/g, '')) ? text : undefined
  }
  if (/^\(\?<?[=!]$/.test(text)) return 'look-around'
  const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(text)
  return counts?.slice(1).some((count) => Number(count || 0) > 1000) ? 'a repetition of more than 1000' : undefined
}

/** The same piece in the syntax of JavaScript with the flag `u`. */
function toJavaScript({ text, place }: Part): string {
  if (place === 'bracket') return text
  if (text.startsWith('\\')) return toEscape(text)
  if (place === 'in class') return /^\[:/.test(text) ? '\\w' : text.replace(/[[\]]/g, '\\$&')
  if (/^\(\?P<\w+>$/.test(text)) return text.replace('P', '')
  if (/^\(\?[imsU-]+[:)]$/.test(text)) return text.endsWith(':') ? '(?:' : ''
  // Braces that are not a repetition are literals.
  return /^[{}\]]$/.test(text) ? `\\${text}` : text
}

const escapes: Readonly<Record<string, string>> = { '\\A': '^', '\\z': '$', '\\a': '\\x07', '\\_': '_' }

function toEscape(text: string): string {
  const property = /^\\([pP])\{?(\^?)(\w+)\}?$/.exec(text)
  if (property !== null) {
    const [, letter = '', , name = ''] = property
    return `\\${letter}{${name.length < 3 ? name : `Script=${name}`}}`
  }
  if (text.startsWith('\\x{')) return text.replace('\\x', '\\u')
  if (/^\\[^\w\s]$/u.test(text)) return `\\u{${(text.codePointAt(1) ?? 0).toString(16)}}`
  return escapes[text] ?? text
}
