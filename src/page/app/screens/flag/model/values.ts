import { count, counted } from '../../../words/numbers'

/** What `express-change-requests/unleash-rules` accepts in one constraint. */
export const maxValues = 250

export interface PastedValues {
  readonly values: readonly string[]
  /** What became of the text, such as `2 values were added, 1 duplicate was left out.` */
  readonly message: string
}

// A quoted field, in which a doubled quote is one, or all up to the next separator.
const field = / *"((?:[^"]|"")*)" *(?=[,\t\r\n]|$)|[^,\t\r\n]+/g

/** A list with the values of a pasted text: one per line, or CSV. */
export function valuesOf(text: string, existing: readonly string[] = [], max = maxValues): PastedValues {
  const found = [...text.matchAll(field)]
    .map(([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((value) => value !== '')
  const all = [...new Set([...existing, ...found])]
  const values = all.slice(0, Math.max(max, existing.length))
  const added = values.length - existing.length
  const duplicates = existing.length + found.length - all.length
  const dropped = all.length - values.length
  const was = (number: number) => (number === 1 ? 'was' : 'were')
  const parts = [
    `${counted(added, 'value')} ${was(added)} added`,
    duplicates > 0 && `${counted(duplicates, 'duplicate')} ${was(duplicates)} left out`,
    dropped > 0 && `${counted(dropped, 'value')} over the limit of ${count(max)} ${was(dropped)} left out`,
  ]
  return { values, message: `${parts.filter(Boolean).join(', ')}.` }
}
