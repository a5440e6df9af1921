import { count } from './numbers'

/**
 * A highlighted piece of a sentence. `added` and `removed` are elements of a list that come and go; `text` is a value of which
 * only blanks at its ends are marked.
 */
export interface Mark {
  readonly text: string
  readonly as: 'strong' | 'flag' | 'value' | 'added' | 'removed' | 'muted' | 'text'
}

/** The values of a list: of a comparison those that stay, then those that come, then those that go. */
export interface ValueList {
  readonly values: readonly Mark[]
}

/** A sentence as data: texts of users stay text wherever they are shown. */
export type Words = readonly (string | Mark | ValueList)[]

export function isList(word: Words[number]): word is ValueList {
  return typeof word !== 'string' && 'values' in word
}

export const strong = (text: string): Mark => ({ text, as: 'strong' })
export const muted = (text: string): Mark => ({ text, as: 'muted' })
/** A value without emphasis. */
export const plainText = (text: string): Mark => ({ text, as: 'text' })
export const flag = (text: string): Mark => ({ text, as: 'flag' })

/** Between two values. */
export const comma = ', '

/**
 * The first values of a list, with commas.
 *
 * @param isLong Not all have room: those that come and go are the first, after their numbers, such as `+2, −1 of 5,001`.
 */
export function valueWords({ values }: ValueList, shown: number, isLong: boolean): readonly (string | Mark)[] {
  const all = isLong ? [...values.filter(isNews), ...values.filter((one) => !isNews(one))] : values
  const words = all.slice(0, shown).flatMap((mark, index): (string | Mark)[] => {
    return index === 0 ? [mark] : [isNews(mark) ? ' ' : comma, mark]
  })
  const [added, removed] = (['added', 'removed'] as const).map((as) => values.filter((one) => one.as === as).length)
  const numbers = [...(added ? [`+${count(added)}`] : []), ...(removed ? [`−${count(removed)}`] : [])].join(', ')
  return isLong && numbers !== '' ? [`${numbers} of ${count(values.length - (removed ?? 0))}: `, ...words] : words
}

const isNews = ({ as }: Mark): boolean => as !== 'value'

/** A line has room for this many values. */
const most = 8

/** The words in one line: of long lists what comes and goes, else the first values. */
export function brief(words: Words): readonly (string | Mark)[] {
  return words.flatMap((one) => {
    if (!isList(one)) return [one]
    const { length } = one.values
    const news = one.values.filter(isNews).length
    const shown = length > most && news > 0 ? Math.min(news, most) : most
    const rest = length > most && news === 0 ? [` and ${count(length - most)} more`] : []
    // Values that stay are plain text in a line.
    const line = valueWords(one, shown, length > most).map((word) =>
      typeof word === 'string' || isNews(word) ? word : plainText(word.text),
    )
    return [...line, ...rest]
  })
}

/** The words without their marks, for titles and labels. */
export function textOf(words: Words): string {
  return brief(words)
    .map((one) => (typeof one === 'string' ? one : toText(one)))
    .join('')
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
