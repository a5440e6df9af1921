import { withMarks } from '../marks/unseen'
import { compareWords } from './compare'

export interface WordDiffProps {
  readonly texts: readonly [from: unknown, to: unknown]
}

/** A text with the words that were removed and added. Each piece is isolated from the others in any direction. */
export function WordDiff({ texts: [from, to] }: WordDiffProps) {
  const pieces = compareWords(toText(from), toText(to)).map(({ mark, texts }) => ({ mark, text: texts.join('') }))
  return (
    <span class="text">
      {pieces.map(({ mark, text }, index, all) => {
        const piece = <bdi key={index}>{withMarks(text, all[index - 1]?.text.at(-1), all[index + 1]?.text[0])}</bdi>
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
function toText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  try {
    const parsed: unknown = JSON.parse(value)
    return JSON.stringify(parsed) === value ? JSON.stringify(parsed, null, 2) : value
  } catch {
    return value
  }
}
