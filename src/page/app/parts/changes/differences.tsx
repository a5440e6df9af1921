import { visibleJson } from '../../words/visible'
import { withMarks } from '../marks/unseen'
import { compare, compareWords } from './compare'

interface JsonProps {
  readonly label: string
  readonly value: unknown
  /** The value before, to mark the lines that were removed and added. */
  readonly before?: unknown
}

/** A value as indented JSON, always as text; with `before`, line by line against it. */
export function Json({ label, value, before }: JsonProps) {
  const after = toLines(value)
  const pieces = before === undefined ? [{ mark: ' ', texts: after }] : compare(toLines(before), after)
  const lines = pieces.flatMap(({ mark, texts }) => texts.map((text) => ({ mark, text })))
  return (
    // It scrolls, and so must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <section class="json" aria-label={label} tabIndex={0}>
      <pre>
        {lines.map(({ mark, text }, index) => (
          <span key={index} class={mark === '+' ? 'ins' : mark === '-' ? 'del' : undefined}>
            {before !== undefined && `${mark} `}
            {' '.repeat(text.length - text.trimStart().length)}
            {text.trimStart()}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}

const toLines = (value: unknown): string[] => visibleJson(JSON.stringify(value, null, 2) ?? 'null').split('\n')

/** A text with the words that were removed and added. Each piece is isolated from the others in any direction. */
export function WordDiff({ texts: [from, to] }: { readonly texts: readonly [from: unknown, to: unknown] }) {
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
