import type { ComponentChildren } from 'preact'

interface GridTableProps {
  readonly headings: readonly string[]
  readonly class?: string
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table in a panel. On a phone, each row is a list, whose values have the heading in `data-l`. */
export function GridTable({ headings, class: own = '', children }: GridTableProps) {
  return (
    <div class="panel edge">
      <table class={`grid-table ${own}`}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
