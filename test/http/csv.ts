/** Reads RFC 4180 as a program that knows nothing of us would: rows of cells, quotes taken off. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const [, quoted, bare = '', end] = pattern.exec(text) ?? []
    if (end === undefined) throw new Error(`No cell at ${at}: ${text.slice(at, at + 80)}`)
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) throw new Error('The last row does not end with a line break.')
  return rows
}
