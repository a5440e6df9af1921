import { visibleJson } from '../../words/visible'
import { compare } from './compare'

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
