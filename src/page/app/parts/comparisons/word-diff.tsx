import type { Json } from '../../words/json'
import { compareWords } from '../lists/compare'

/** A text with the words that come and go. */
export function WordDiff({ texts: [before, after] }: { readonly texts: readonly [before: Json, after: Json] }) {
  return (
    <bdi class="text">
      {compareWords(toText(before), toText(after)).map(({ mark, text }, index) => {
        if (mark === ' ') return text
        const Element = mark === '+' ? 'ins' : 'del'
        return (
          <Element key={index}>
            <span class="vh">{mark === '+' ? 'added: ' : 'removed: '}</span>
            {text}
          </Element>
        )
      })}
    </bdi>
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
