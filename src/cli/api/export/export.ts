import { type Command, parseOptions, UsageError } from '../../command'
import { exitCodes, openApi, withApiErrors } from '../api'
import { appendRows, type ExportPart, readExport } from './export-file'
import { checkCut, checkFile, type Log, rowsAfter } from './log'
import { type ExportFormat, idOf, isTrailer, nouns, type Row } from './rows'

const options = {
  url: { type: 'string' },
  project: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
  append: { type: 'boolean' },
  'change-requests': { type: 'boolean' },
} as const

export const exportLog: Command = {
  help: `express-change-requests export --out events.ndjson --format ndjson: exports the event log, oldest first

It continues a file that was interrupted: run the same command again. Of a complete file it counts the
events that are newer; --append adds them. It compares the file with the log first. A file that is not
the beginning of the export is rejected and stays as it is.

With --change-requests it exports what is stored about each change request instead, by id, without
drafts. Then --append adds those with new ids, and renews none: change requests in the file stay as
they were. For the current ones, export into another file.

  --url <url>        the URL of the router with its base path: https://flags.example/api/admin
                     default: CHANGE_REQUESTS_URL. The key comes from CHANGE_REQUESTS_KEY.
  --out <file>       the file
  --format <format>  ndjson or csv; change requests are always ndjson
  --project <name>   only the events or change requests of this project
  --append           adds newer ones to a complete file
  --change-requests  exports change requests

It exports what the key can read.

Exit codes: 0 the file is complete, 1 error, 2 wrong usage or another file, 5 a missing permission.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    const { out: file, project, append = false, 'change-requests': isOfRequests = false } = values
    if (positionals.length > 0) throw new UsageError('export takes only options. Set the file with --out.')
    if (!file) throw new UsageError('Set the file with --out.')
    const format = toFormat(values.format, isOfRequests)
    const { client } = openApi(values, io)
    const part = await readExport(file, format)
    const log: Log = { client, filter: project === undefined ? {} : { project }, format }
    return withApiErrors(io, async () => {
      await checkFile(part, log)
      io.out(`${file} is complete: ${await (part.trailer && !append ? countNewer(part, log) : addNewer(part, log))}\n`)
      return exitCodes.done
    })
  },
}

function toFormat(format: string | undefined, isOfRequests: boolean): ExportFormat {
  if (isOfRequests) {
    if (format === undefined || format === 'ndjson') return 'requests'
    throw new UsageError('--format must be ndjson for change requests.')
  }
  if (format === 'ndjson' || format === 'csv') return format
  throw new UsageError('--format must be ndjson or csv.')
}

async function countNewer(part: ExportPart, log: Log): Promise<string> {
  let newer = 0
  for await (const row of rowsAfter(log, part.lastId ?? 0)) if (idOf(row, log.format) !== undefined) newer += 1
  const noun = `${nouns[log.format]}s`
  return `${part.count} ${noun}. ${newer === 0 ? 'None is newer.' : `Newer ${noun}: ${newer}. Add them with --append.`}`
}

async function addNewer(part: ExportPart, log: Log): Promise<string> {
  const rows = rowsAfter(log, part.lastId ?? 0)
  try {
    if (part.header !== undefined) await rows.next()
    // Nothing is written before the first row has arrived.
    const { value: next } = await rows.next()
    if (next === undefined) throw new Error('The server sent no trailer.')
    checkCut(part, next)
    const isUpToDate = part.trailer !== undefined && isTrailer(next, log.format)
    const added = isUpToDate ? 0 : await appendRows(part, startingWith(next, rows))
    const count = part.count + added
    const noun = `${nouns[log.format]}s`
    const permission = log.format === 'requests' ? 'READ_CHANGE_REQUEST' : 'READ_EVENTS'
    if (count === 0) return `0 ${noun}. Check that the key has the permission ${permission}.`
    return part.trailer === undefined ? `${count} ${noun}.` : `${count} ${noun}, ${added} of them new.`
  } finally {
    await rows.return(undefined)
  }
}

async function* startingWith(first: Row, rest: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield first
  yield* rest
}
