import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Command, parseOptions, UsageError } from '../command'
import { exitCodes, openApi, withApiErrors } from './api'
import { type ExportFormat, joinTrailers, keepRows, readExport } from './export-file'

const options = {
  url: { type: 'string' },
  project: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
} as const

export const exportLog: Command = {
  help: `express-change-requests export --out events.ndjson --format ndjson: exports the event log, oldest first

It continues a file that was interrupted: run the same command again. A complete file is left as it is.

  --url <url>        the URL of the router with its base path: https://flags.example/api/admin
                     default: CHANGE_REQUESTS_URL. The key comes from CHANGE_REQUESTS_KEY.
  --out <file>       the file
  --format <format>  ndjson or csv
  --project <name>   only the events of this project

It exports the events that the key can read.

Exit codes: 0 the file is complete, 1 error, 2 wrong usage.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    const { out: file, format, project } = values
    if (positionals.length > 0) throw new UsageError('export takes only options. Set the file with --out.')
    if (!file) throw new UsageError('Set the file with --out.')
    if (format !== 'ndjson' && format !== 'csv') throw new UsageError('--format must be ndjson or csv.')
    const { client } = openApi(values, io)
    const first = await readExport(file, format)
    if (first.isComplete) {
      io.out(`${file} is complete: ${first.count} events.\n`)
      return exitCodes.done
    }
    return withApiErrors(io, async () => {
      const after = first.lastId === null ? {} : { after: first.lastId }
      const filter = project === undefined ? {} : { project }
      const rows = await client.exportEvents(filter, { format, order: 'asc', ...after })
      await keepRows(file, first)
      await pipeline(
        Readable.fromWeb(rows as ReadableStream),
        withoutHeader(format, first.bytes > 0),
        createWriteStream(file, { flags: 'a' }),
      )
      const count = await joinTrailers(file, format, first)
      const hint = count === 0 ? ' Check that the key has the permission READ_EVENTS.' : ''
      io.out(`${file} is complete: ${count} events.${hint}\n`)
      return exitCodes.done
    })
  },
}

/** A file has one header. */
function withoutHeader(format: ExportFormat, hasHeader: boolean): Transform {
  let isSkipped = format === 'ndjson' || !hasHeader
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = isSkipped ? -1 : chunk.indexOf('\n')
      if (!isSkipped && end < 0) return done()
      isSkipped = true
      done(null, chunk.subarray(end + 1))
    },
  })
}
