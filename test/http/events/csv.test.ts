import * as fc from 'fast-check'
import { csvColumns, csvRows } from '../../../src/capabilities/log/csv'
import { csvRow } from '../../../src/kernel/log/csv-row'
import { random } from '../../support/random'
import { misreadCsv, parseCsv } from './support/csv'

const cellOf = (value: unknown) => parseCsv(csvRow([value]))[0]?.[0]

/** The text of a cell, without the apostrophes that guard formulas. */
function unguarded(cell: string): string {
  const text = cell.replace(/(?<=[;\t\r\n])'([^;\t\r\n]*)/g, (found, rest) =>
    cellOf(`x;${rest}`) === `x;'${rest}` ? rest : found,
  )
  return text.startsWith("'") && cellOf(text.slice(1)) === cell ? text.slice(1) : text
}

/** What spreadsheet programs strip before they look for a formula, and how a formula begins. */
function isFormula(cell: string): boolean {
  return /^[\t\r\n]/.test(cell) || runs(cell)
}

function runs(cell: string): boolean {
  return /^[=+\-@＝＋－＠]/.test(cell.replace(/^["\s\u200b]+/, ''))
}

describe('a cell of a CSV export', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\ttab', "'\ttab"],
    ['\r=1', "'\r'=1"],
    ['a;=1', "a;'=1"],
    ['a; =1', "a;' =1"],
    ['a;"=1', `a;'"=1`],
    ['a\t+1', "a\t'+1"],
    ['a\r\n@x', "a\r\n'@x"],
    ['a;\n-1', "a;\n'-1"],
    ['=1;=2;=3', "'=1;'=2;'=3"],
    ['\nline', "'\nline"],
    [' =1', "' =1"],
    ['"=1', `'"=1`],
    ['" \u00a0=1"', `'" \u00a0=1"`],
    ["'=1", "''=1"],
    ['\u200b@a', "'\u200b@a"],
    ['\ufeff-a', "'\ufeff-a"],
    ['＝1', "'＝1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ])('begins with an apostrophe if it would be a formula: %j', (text, guarded) => {
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
    ['a;b'],
    ['a;b=1'],
    ['a\tb; c'],
    [';'],
  ])('is unchanged otherwise: %j', (text) => {
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
    ['a;b', '"a;b"'],
    ['a\tb', '"a\tb"'],
    ['plain', 'plain'],
  ])('is quoted as RFC 4180 requires, and if it contains another separator: %j', (text, cell) => {
    expect(csvRow([text, 1])).toBe(`${cell},1\r\n`)
  })
})

const separators = [',', ';', '\t']

describe.each(separators)('a cell read by a program that separates by %j', (separator) => {
  it.each<[unknown, string]>([
    ['a;b', 'a;b'],
    ['a\tb', 'a\tb'],
    ['a,b', 'a,b'],
    ['a;=1+1', "a;'=1+1"],
    ['two\nlines; three', 'two\nlines; three'],
    [{ a: 'x;=1+1' }, '{"a":"x\\u003b=1+1"}'],
    [{ 'k;\t': ['\t=1', '\n;', '\\;'] }, '{"k\\u003b\\t":["\\t=1","\\n\\u003b","\\\\\\u003b"]}'],
    [[';'], '["\\u003b"]'],
  ])('stays one cell: %j', (value, cell) => {
    expect(parseCsv(csvRow([value]), separator)).toEqual([[cell]])
    if (typeof value === 'object') expect(JSON.parse(cell)).toEqual(value)
  })

  it.each(['x;=1+1', 'x; =1+1', 'x\t=1+1', 'x\n=1+1', 'x\r\n=1+1', ';;=1'].map((text) => [text]))(
    'contains no formula if that program interprets quotes: %j',
    (text) => {
      const row = [7, text, { text }, 'plain']
      expect(misreadCsv(csvRow(row), separator, true).flat().filter(runs)).toEqual([])
    },
  )
})

describe('a row of a CSV export', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ';', ' ', '\u00a0', 'a', '1', '＝'),
    }),
  )

  it('is read back unchanged except for the apostrophe, and contains no formula', () => {
    void fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (values) => {
        const [row = [], ...others] = parseCsv(csvRow(values))
        expect(others).toEqual([])
        expect(row).toHaveLength(values.length)
        for (const [index, cell] of row.entries()) {
          const value = values[index] ?? ''
          expect(isFormula(cell)).toBe(false)
          // Removing the guarding apostrophes restores the text.
          expect(unguarded(cell)).toBe(value)
        }
      }),
      random(100),
    )
  })

  it('contains no formula for programs with other separators, and the same cells for those with all separators', () => {
    void fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (values) => {
        const text = csvRow(values)
        for (const separator of [';', '\t']) {
          expect(misreadCsv(text, separator, false).flat().filter(runs)).toEqual([])
        }
        expect(parseCsv(text, separators)).toEqual(parseCsv(text))
      }),
      random(100),
    )
  })

  it('has a cell for each property of an event, as if the event was parsed', () => {
    const json = fc.oneof(
      fc.constant(null),
      fc.dictionary(texts, fc.jsonValue()),
      fc.array(fc.record({ type: texts, value: texts })),
    )
    const event = fc.record({
      id: fc.nat(),
      project: fc.option(texts),
      data: json,
      tags: json,
      createdBy: texts,
      ip: texts,
    })
    void fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const page = Buffer.from(events.map((event) => JSON.stringify(event)).join(',\n'))
        const pieces = [...csvRows({ json: page, count: events.length, searched: events.length, lastId: 1 })].flat()
        const rows = events.map((event) => csvRow(csvColumns.map((name) => ({ ...event })[name as keyof typeof event])))
        expect(Buffer.concat(pieces).toString()).toBe(rows.join(''))
      }),
      random(100),
    )
  })

  it('yields rows in chunks of bounded size for a page of any size', () => {
    const json = Buffer.from(
      Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, summary: 'x'.repeat(10_000) })).join(',\n'),
    )
    const pieces = [...csvRows({ json, count: 100, searched: 100, lastId: 1 })].flat()
    expect(parseCsv(Buffer.concat(pieces).toString())).toHaveLength(100)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
  })
})
