export interface Block {
  readonly language: string
  readonly text: string
  /** The last line of text before it, without backquotes. */
  readonly before: string
}

/** The fenced blocks of a document, in order. */
export function blocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: text = '', index }) => {
    const lines = markdown.slice(0, index).trimEnd().split('\n')
    return { language, text, before: (lines.at(-1) ?? '').replaceAll('`', '') }
  })
}

/** The rows of the first table below a heading whose first column is headed so; backquotes are left in. */
export function table(markdown: string, heading: string, firstColumn: string): string[][] {
  const start = markdown.indexOf(`\n## ${heading}\n`)
  const end = markdown.indexOf('\n## ', start + 1)
  if (start < 0) throw new Error(`There is no heading ${heading}.`)
  const lines = markdown.slice(start, end < 0 ? undefined : end).split('\n')
  const first = lines.findIndex((line) => cells(line)[0] === firstColumn)
  if (first < 0) throw new Error(`There is no table of ${firstColumn} below ${heading}.`)
  const rows = lines.slice(first + 2)
  const length = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, length < 0 ? undefined : length).map(cells)
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

export const plain = (cell: string) => cell.replaceAll('`', '')
