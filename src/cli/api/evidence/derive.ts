import { join } from 'node:path'
import { csvRow } from '../../../kernel/log/csv-row'
import {
  dismissalKey,
  type Exception,
  type ExceptionKind,
  exceptionColumns,
  exceptionKinds,
  exceptionsOf,
  person,
  requestOf,
} from './exceptions'
import type { FileSink, Sink } from './folder'
import { parsed, readEvents, readLines } from './lines'
import type { EvidenceCounts } from './manifest'
import { People, peopleColumns } from './people'
import { clockOf, isWithin, mondayOf, type Period, weeksOf, type ZonedClock } from './period'
import { pageEnd, pageStart } from './report/page'
import { exceptionRow, type Head, type RequestFile, reportEnd, reportStart, type Totals } from './report/report'
import { requestSection } from './report/request-section'
import type { RequestLine } from './source'

const requestsPerFile = 500

/**
 * Writes the files that follow from `requests.ndjson` and `events.ndjson` of a folder: the tables and the report. The same
 * input gives the same bytes.
 */
export async function derive(folder: string, head: Head, period: Period, sink: Sink): Promise<EvidenceCounts> {
  const [clock, people, reasons] = [clockOf(period.zone), new People(period), new Map<string, string>()]
  const { acknowledgements, settings, events } = await readFacts(folder, period, sink, people)
  const { requests, files } = await writeRequests(folder, sink, clock, people, (line) => {
    people.addRequest(line)
    for (const { at, ended } of line.objections) {
      if (ended?.how === 'dismissed') reasons.set(dismissalKey(line.id, at, ended.at), ended.reason ?? '')
    }
  })

  async function* exceptions(): AsyncGenerator<readonly [Exception, string]> {
    for await (const { event } of readEvents(join(folder, 'events.ndjson'))) {
      if (!isWithin(period, event.createdAt)) continue
      for (const one of exceptionsOf(event, { acknowledgements, reasons })) yield [one, event.createdAt]
    }
  }

  const counts = Object.fromEntries(exceptionKinds.map((kind) => [kind, 0])) as Record<ExceptionKind, number>
  const weeks = new Map(weeksOf(period).map((week) => [week, 0]))
  const table = sink.create('exceptions.csv')
  table.write(csvRow(exceptionColumns))
  for await (const [one, at] of exceptions()) {
    table.write(csvRow(exceptionColumns.map((column) => one[column])))
    counts[one.kind] += 1
    const week = mondayOf(clock.day(at))
    weeks.set(week, (weeks.get(week) ?? 0) + 1)
  }
  table.close()

  const rows = people.rows()
  writeAll(
    sink,
    'people.csv',
    [peopleColumns, ...rows.map((row) => peopleColumns.map((name) => row[name]))].map(csvRow),
  )

  const weekly = [...weeks].map(([week, count]) => ({ week, count }))
  const totals: Totals = { requests, settings, exceptions: counts, weeks: weekly }
  const report = sink.create('report.html')
  report.write(reportStart(head, totals).text)
  for await (const [one] of exceptions()) report.write(exceptionRow(one, clock, files).text)
  report.write(reportEnd(totals, rows, files).text)
  report.close()
  return { requests, exceptions: counts, settings, people: rows.length, events }
}

async function writeRequests(
  folder: string,
  sink: Sink,
  clock: ZonedClock,
  people: People,
  each: (line: RequestLine) => void,
) {
  const files: { name: string; first: number; last: number }[] = []
  let [requests, file]: [number, FileSink | undefined] = [0, undefined]
  const end = () => {
    file?.write(pageEnd.text)
    file?.close()
  }
  for await (const bytes of readLines(join(folder, 'requests.ndjson'))) {
    const line = parsed<RequestLine>(bytes)
    each(line)
    if (requests % requestsPerFile === 0) {
      end()
      const name = `requests-${String(files.length + 1).padStart(3, '0')}.html`
      files.push({ name, first: line.id, last: line.id })
      file = sink.create(name)
      const title = `Change requests from #${line.id}`
      file.write(`${pageStart(title).text}<p><a href="report.html">Report</a></p>\n<h1>${title}</h1>\n`)
    }
    file?.write(requestSection(line, clock, people).text)
    requests += 1
    Object.assign(files.at(-1) as RequestFile, { last: line.id })
  }
  end()
  return { requests, files: files as readonly RequestFile[] }
}

/** What is known of an exception only from later events, and what needs one pass over the events. */
async function readFacts(folder: string, period: Period, sink: Sink, people: People) {
  const acknowledgements = new Map<number, { readonly at: string; readonly by: string }>()
  const file = sink.create('settings.ndjson')
  let [settings, events] = [0, 0]
  for await (const { bytes, event } of readEvents(join(folder, 'events.ndjson'))) {
    people.addEvent(event)
    const request = requestOf(event)
    if (event.data?.afterReview === true && request !== null) {
      const by = person(event.createdBy, event.createdByUserId)
      acknowledgements.set(request, { at: event.createdAt, by })
    }
    if (event.type === 'change-request-configuration-updated' && isWithin(period, event.createdAt)) {
      file.write(bytes)
      file.write('\n')
      settings += 1
    }
    events += 1
  }
  file.close()
  return { acknowledgements, settings, events }
}

function writeAll(sink: Sink, name: string, rows: readonly string[]): void {
  const file = sink.create(name)
  for (const row of rows) file.write(row)
  file.close()
}
