import { compare } from '../lists/compare'

export interface JsonProps {
  readonly label: string
  readonly value: unknown
  /** What it was before: lines that went and came are marked. */
  readonly before?: unknown
}

/** A value as indented JSON, always as text; with `before`, line by line against it. */
export function Json({ label, value, before }: JsonProps) {
  const lines =
    before === undefined
      ? toLines(value).map((text) => ({ mark: ' ', text }))
      : compare(toLines(before), toLines(value))
  return (
    // It scrolls, and so must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <section class="json" aria-label={label} tabIndex={0}>
      <pre>
        {lines.map(({ mark, text }, index) => (
          <span key={index} class={mark === '+' ? 'ins' : mark === '-' ? 'del' : undefined}>
            {before === undefined ? text : `${mark} ${text}`}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}

const toLines = (value: unknown): string[] => (JSON.stringify(value, null, 2) ?? 'null').split('\n')
