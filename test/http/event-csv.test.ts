import * as fc from 'fast-check'
import { csvColumns, csvRow, csvRows } from '../../src/http/event-csv'
import { parseCsv } from './csv'

const cellOf = (value: unknown) => parseCsv(csvRow([value]))[0]?.[0]

/** What spreadsheet programs do before they look for a formula, and what they take for one. */
function isFormula(cell: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) || /^[=+\-@＝＋－＠]/.test(cell.replace(/^["\s\u200b]+/, ''))
}

describe('a cell of a CSV export', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\ttab', "'\ttab"],
    ['\r=1', "'\r=1"],
    ['\nline', "'\nline"],
    [' =1', "' =1"],
    ['"=1', `'"=1`],
    ['" \u00a0=1"', `'" \u00a0=1"`],
    ["'=1", "''=1"],
    ['\u200b@a', "'\u200b@a"],
    ['\ufeff-a', "'\ufeff-a"],
    ['＝1', "'＝1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ])('has an apostrophe in front where it would be a formula: %j', (text, guarded) => {
    expect(cellOf(text)).toBe(guarded)
  })

  it.each([
    ['checkout'],
    ['a=b'],
    ['1-2'],
    ['ann@example.com'],
    ['**ann** =x'],
    ["'quoted'"],
    ['"quoted"'],
    [' x'],
    ['::1'],
  ])('is left as it is otherwise: %j', (text) => {
    expect(cellOf(text)).toBe(text)
  })

  it.each([
    ['a number, also below zero', -42, '-42'],
    ['nothing', null, ''],
    ['nothing at all', undefined, ''],
    ['an object', { a: '=1', b: [1, 'x"y,z'] }, '{"a":"=1","b":[1,"x\\"y,z"]}'],
    ['a list', ['=1'], '["=1"]'],
  ])('holds %s', (_, value, text) => {
    expect(cellOf(value)).toBe(text)
  })

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['plain', 'plain'],
  ])('is quoted where RFC 4180 asks for it: %j', (text, cell) => {
    expect(csvRow([text, 1])).toBe(`${cell},1\r\n`)
  })
})

describe('a row of a CSV export', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ' ', '\u00a0', 'a', '1', '＝'),
    }),
  )

  it('is read back as it was, apart from the apostrophe, and holds no formula', () => {
    void fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (values) => {
        const [row = [], ...others] = parseCsv(csvRow(values))
        expect(others).toEqual([])
        expect(row).toHaveLength(values.length)
        for (const [index, cell] of row.entries()) {
          const value = values[index] ?? ''
          expect(isFormula(cell)).toBe(false)
          expect([value, `'${value}`]).toContain(cell)
          // Whoever takes the apostrophe off where it guards has the text again.
          const bare = cell.startsWith("'") && cellOf(cell.slice(1)) === cell ? cell.slice(1) : cell
          expect(bare).toBe(value)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('has a cell for each property of an event, objects as JSON text', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.nat(), data: fc.dictionary(texts, fc.jsonValue()), createdBy: texts }), {
          maxLength: 20,
        }),
        (events) => {
          const json = Buffer.from(events.map((event) => JSON.stringify(event)).join(',\n'))
          const page = { json, count: events.length, searched: events.length, lastId: 1 }
          const rows = parseCsv(Buffer.concat([...csvRows(page)].flat()).toString())
          const column = (row: string[], name: (typeof csvColumns)[number]) => row[csvColumns.indexOf(name)] ?? ''
          expect(rows.map((row) => Number(column(row, 'id')))).toEqual(events.map(({ id }) => id))
          expect(rows.map((row) => JSON.parse(column(row, 'data')))).toEqual(
            events.map(({ data }) => JSON.parse(JSON.stringify(data))),
          )
        },
      ),
    )
  })

  it('comes with others a piece at a time, however large the page', () => {
    const json = Buffer.from(
      Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, summary: 'x'.repeat(10_000) })).join(',\n'),
    )
    const pieces = [...csvRows({ json, count: 100, searched: 100, lastId: 1 })].flat()
    expect(parseCsv(Buffer.concat(pieces).toString())).toHaveLength(100)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
  })
})
