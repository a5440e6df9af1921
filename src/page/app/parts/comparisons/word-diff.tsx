import type { Json } from '../../words/json'
import { compareWords } from '../lists/compare'

/** A text with the words that come and go. Each piece is kept apart from its neighbours, whatever its direction. */
export function WordDiff({ texts: [before, after] }: { readonly texts: readonly [before: Json, after: Json] }) {
  return (
    <span class="text">
      {compareWords(toText(before), toText(after)).map(({ mark, text }, index) => {
        const piece = <bdi key={index}>{text}</bdi>
        if (mark === ' ') return piece
        const Element = mark === '+' ? 'ins' : 'del'
        return (
          <Element key={index}>
            <span class="vh">{mark === '+' ? 'added: ' : 'removed: '}</span>
            {piece}
          </Element>
        )
      })}
    </span>
  )
}

/** JSON has a line for each value. As text it stays as it is where that would alter it, such as a long number. */
function toText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  try {
    const parsed: Json = JSON.parse(value)
    return JSON.stringify(parsed) === value ? JSON.stringify(parsed, null, 2) : value
  } catch {
    return value
  }
}
