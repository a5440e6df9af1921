import { isolated } from './isolated'

/** Numbers as a person writes them. */

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** `1,204` */
export function count(value: number): string {
  return isolated(grouped.format(value))
}

/** Zero, as {@link count} writes it. */
export const none = count(0)

/** `25 %` */
export function percent(value: number): string {
  return isolated(`${grouped.format(value)} %`)
}

/** `1 change`, `2 changes` */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`
}

/** How far a percentage goes up or down, null where it stays. */
export function points(from: number, to: number): { readonly up: boolean; readonly words: string } | null {
  if (from === to) return null
  const distance = Math.abs(to - from)
  return { up: to > from, words: `${counted(distance, 'point')} ${to > from ? 'up' : 'down'}` }
}
