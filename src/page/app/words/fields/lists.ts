import { shown } from '../json'
import type { Mark, ValueList } from '../spans'
import { none, type Side, side, unlikeOurs } from './row'

/** A list now and after, with what comes and what goes marked. Lists are sets: their order says nothing. */
export function listSides(
  current: readonly string[] | null,
  proposed: readonly string[] | null,
): { readonly now: Side; readonly after: Side } {
  const [old, next] = [new Set(current), new Set(proposed)]
  const isIn = (set: ReadonlySet<string>, isMember: boolean) => (text: string) => set.has(text) === isMember
  const kept = [...old].filter(isIn(next, true))
  const gone = [...old].filter(isIn(next, false))
  const added = [...next].filter(isIn(old, false))
  const values = (texts: readonly string[], as: Mark['as'] = 'value') =>
    texts.map((text): Mark => ({ text: inList(text), as }))
  return {
    // In the order of a long list, in which values that come or go are the first.
    now: current === null ? none : listSide(values(old.size > maxValues ? [...gone, ...kept] : [...old])),
    after:
      proposed === null
        ? none
        : listSide([
            ...values(current === null ? added : kept),
            ...(current === null ? [] : [...values(added, 'added'), ...values(gone, 'removed')]),
          ]),
  }
}

/** A comma in a value is none between two values. */
function inList(text: string): string {
  return text.includes(',') ? `“${text}”` : unlikeOurs(text)
}

/** A longer list begins with the values that come and go, and is shown in steps. */
export const maxValues = 60

function listSide(values: readonly Mark[]): Side {
  if (values.length === 0) return side({ text: 'empty', as: 'muted' })
  const list: ValueList = { values }
  return side(list)
}

/** A parameter that holds a list as text. */
export function splitList(value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return null
  return (Array.isArray(value) ? value.map(shown).join(',') : shown(value))
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
