import { byteWords, fileName } from '../../../src/page/app/screens/log/export/formats'
import { jsonWriter } from '../../../src/page/app/screens/log/export/to-json'

/** The document that is made of an export which comes in pieces of some bytes. */
function documentOf(text: string, pieceBytes: number): unknown {
  const bytes = new TextEncoder().encode(text)
  const writer = jsonWriter()
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) out.push(...writer.add(bytes.slice(at, at + pieceBytes)))
  out.push(...writer.end())
  const decoder = new TextDecoder()
  return JSON.parse(out.map((piece) => decoder.decode(piece, { stream: true })).join(''))
}

const lines = (...events: object[]) =>
  [...events, { trailer: { count: events.length } }].map((line) => `${JSON.stringify(line)}\n`).join('')

describe('an export as one JSON document', () => {
  it.each([1, 7, 10_000])('is the same for all sizes of chunks: %d bytes', (pieceBytes) => {
    const events = [{ id: 3, name: 'æ\n' }, { id: 2 }, { id: 1 }]
    expect(documentOf(lines(...events), pieceBytes)).toEqual({ events, total: 3 })
  })

  it.each([
    ['one event', [{ id: 1 }]],
    ['no event', []],
  ])('has %s', (_, events) => {
    expect(documentOf(lines(...events), 5)).toEqual({ events, total: events.length })
  })
})

describe('the file of an export', () => {
  it('is named after its content', () => {
    const filter = { values: { project: ['my shop/../x'] }, from: '2026-11-18', to: '2026-11-18', zone: 'Europe/Oslo' }
    expect(fileName(filter, 'csv')).toBe('events-my-shop-..-x-2026-11-18-Europe-Oslo.csv')
  })

  it.each([
    [12, '12 bytes'],
    [12_345, '12.3 kB'],
    [234_000_000, '234 MB'],
  ])('of %d bytes has its size in words', (bytes, words) => {
    expect(byteWords(bytes)).toBe(words)
  })
})
