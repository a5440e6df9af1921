import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { people } from '../../../support/app'
import { parseCsv } from './csv'

export interface ExportRequest {
  readonly port: number
  /** Below the base path. */
  readonly path: string
  /** If it is missing, the header is not sent. */
  readonly accept?: string | undefined
  readonly key?: string
  readonly method?: string
}

export interface ExportAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** False if the connection was closed early. */
  readonly complete: boolean
}

/** Requests events; resolves with the status and headers of the response. */
export function openExport({
  port,
  path,
  accept,
  key = people.ann.key,
  method = 'GET',
}: ExportRequest): Promise<IncomingMessage> {
  const headers = { Authorization: key, ...(accept === undefined ? {} : { Accept: accept }) }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: `/api/admin${path}`, headers, agent: false }, resolve)
    sent.on('error', reject).end()
  })
}

/** The received part of a response, complete or not. */
export async function readExport(answer: IncomingMessage): Promise<ExportAnswer> {
  const chunks: Buffer[] = []
  answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  answer.resume()
  await new Promise((resolve) => answer.once('close', resolve))
  const { statusCode: status = 0, headers, complete } = answer
  return { status, headers, text: Buffer.concat(chunks).toString(), complete }
}

/** Waits until `value` is the same in three successive reads. */
export async function settled(value: () => number): Promise<number> {
  for (let seen = -1, times = 0; ; ) {
    const now = value()
    times = now === seen ? times + 1 : 0
    if (times === 3) return now
    seen = now
    await setTimeout(50)
  }
}

export const ndjson = 'application/x-ndjson'
export const csv = 'text/csv'

export interface Trailer {
  readonly count: number
  readonly firstId: number | null
  readonly lastId: number | null
  readonly filter: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it.
export type Exported = any

/** The lines of a whole NDJSON export. */
export function parseNdjson(text: string): { events: Exported[]; trailer: Trailer } {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
  const { trailer } = lines.pop()
  return { events: lines, trailer }
}

/** The rows of a whole CSV export, by name of their column. */
export function parseCsvExport(text: string): { events: Exported[]; trailer: Trailer } {
  const [names = [], ...rows] = parseCsv(text)
  const [mark, count, firstId, lastId, filter = '', ...empty] = rows.pop() ?? []
  if (mark !== '#trailer' || empty.some((cell) => cell !== '')) throw new Error('There is no trailer.')
  const number = (cell = '') => (cell === '' ? null : Number(cell))
  return {
    events: rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
    trailer: { count: Number(count), firstId: number(firstId), lastId: number(lastId), filter: JSON.parse(filter) },
  }
}
