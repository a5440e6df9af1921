import type { Mark } from '../spans'
import { none, type Side } from './row'

/** A list now and after, with what comes and what goes marked. Lists are sets: their order says nothing. */
export function listSides(
  current: readonly string[] | null,
  proposed: readonly string[] | null,
  longest = 60,
): { readonly now: Side; readonly after: Side } {
  const [old, next] = [new Set(current), new Set(proposed)]
  const kept = [...next].filter((one) => old.has(one)).map((text) => value(text, 'value'))
  const added = [...next].filter((one) => !old.has(one)).map((text) => value(text, current ? 'added' : 'value'))
  const gone = proposed ? [...old].filter((one) => !next.has(one)).map((text) => value(text, 'removed')) : []
  return {
    now:
      current === null
        ? none
        : {
            words: spaced(
              [...old].map((text) => value(text, 'value')),
              longest,
            ),
          },
    after: proposed === null ? none : { words: spaced([...kept, ...added, ...gone], longest) },
  }
}

function value(text: string, as: Mark['as']): Mark {
  return { text, as }
}

/** More values than `longest` would hide the rest of the change; the JSON has all of them. */
function spaced(marks: readonly Mark[], longest: number): (string | Mark)[] {
  if (marks.length === 0) return [{ text: 'empty', as: 'muted' }]
  // What comes and goes is never among those that are left out.
  const news = marks.filter(({ as }) => as !== 'value')
  const rest = marks.filter(({ as }) => as === 'value').slice(0, Math.max(0, longest - news.length))
  const shown = marks.length > longest ? [...rest, ...news] : marks
  const words = shown.flatMap((mark, index): (string | Mark)[] => {
    if (index === 0) return [mark]
    return [mark.as === 'value' ? ', ' : ' ', mark]
  })
  const hidden = marks.length - shown.length
  return hidden > 0 ? [...words, ` and ${hidden} more`] : words
}

/** A parameter that holds a list as text. */
export function splitList(value: unknown): readonly string[] | null {
  if (typeof value !== 'string') return null
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
