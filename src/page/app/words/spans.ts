/**
 * A piece of a sentence that stands out. `added` and `removed` are elements of a list that come and go; `text` is a value that
 * stands out in nothing but its blanks at the ends.
 */
export interface Mark {
  readonly text: string
  readonly as: 'strong' | 'flag' | 'value' | 'added' | 'removed' | 'muted' | 'text'
}

/** A sentence as data: texts of users stay text wherever they are shown. */
export type Words = readonly (string | Mark)[]

export function strong(text: string): Mark {
  return { text, as: 'strong' }
}

export function muted(text: string): Mark {
  return { text, as: 'muted' }
}

/** A value without emphasis. */
export function plainText(text: string): Mark {
  return { text, as: 'text' }
}

export function flag(text: string): Mark {
  return { text, as: 'flag' }
}

/** The words without their marks, for titles and labels. */
export function textOf(words: Words): string {
  return words.map((one) => (typeof one === 'string' ? one : toText(one))).join('')
}

function toText({ text, as }: Mark): string {
  if (as === 'added') return `+ ${text}`
  return as === 'removed' ? `− ${text}` : text
}

/** The lists one after the other, with the separator between them. */
export function joined(lists: readonly Words[], separator: string): Words {
  return lists.flatMap((words, index) => (index === 0 ? words : [separator, ...words]))
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[], conjunction = 'and'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}
