import { existsSync, readFileSync } from 'node:fs'
import { fileLedger } from '../../ledger/file-ledger'
import { type VerifyLedger, type VerifyProgress, type VerifyResult, verifyStorage } from '../../verify/verify-storage'
import { type Command, type ProcessIo, parseOptions, printable, UsageError } from '../command'
import { connected, databaseHelp, databaseOptions, installHelp, refusePositionals } from './on-database'

const options = {
  ...databaseOptions,
  ledger: { type: 'string' },
  'public-key': { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export const verify: Command = {
  help: `express-change-requests verify: checks that what is stored is consistent; changes nothing

It works next to a running app, on a standby and on a restored copy.
After you have removed events, run recount() first.

${databaseHelp}  --ledger <file>             the file of fileLedger(): compares all events with it
  --public-key <file>         with --ledger: the Ed25519 key as PEM
  --after <id>                with --ledger: the last event that you have removed
  --json                      prints the result as JSON

Exit codes: 0 consistent, 6 findings, 1 failure, 2 wrong usage, 3 pending migrations.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    refusePositionals('verify', positionals)
    const ledger = toLedger(values)
    return connected({ ...values, readOnly: true }, io, async ({ target, storage }) => {
      try {
        const onProgress = progressOn(io)
        const result = await verifyStorage(storage, { onProgress, ...(ledger && { ledger }) })
        if (values.json) io.out(`${JSON.stringify(result)}\n`)
        else printResult(io, target.name, result)
        return result.total > 0 ? 6 : 0
      } catch (error) {
        if (storage.failureOf(error) !== 'unmigrated') throw error
        io.out(`${target.name}: migrations are pending: run migrate\n`)
        return 3
      }
    })
  },
}

function toLedger(values: ReturnType<typeof parseOptions<typeof options>>['values']): VerifyLedger | undefined {
  const { ledger: path, 'public-key': key, after = '0' } = values
  if (path === undefined) {
    if (key === undefined && values.after === undefined) return undefined
    throw new UsageError('--public-key and --after work only with --ledger.')
  }
  if (key === undefined) throw new UsageError('--ledger needs --public-key.')
  if (!/^\d{1,15}$/.test(after)) throw new UsageError('--after must be the id of an event.')
  if (!existsSync(path)) throw new Error(`The ledger file ${path} does not exist.`)
  return { ledger: fileLedger(path), publicKey: readFileSync(key, 'utf8'), after: Number(after) }
}

/** After this many of a kind, a line reports the progress. */
const progressStep = 100_000

function progressOn(io: ProcessIo): (progress: VerifyProgress) => void {
  let last = ''
  return ({ part, done }) => {
    const line = `Reading ${partNames[part]}: ${Math.floor(done / progressStep) * progressStep}\n`
    if (line !== last) io.error(line)
    last = line
  }
}

const partNames: { readonly [Part in VerifyProgress['part']]: string } = {
  changeRequests: 'change requests',
  events: 'events',
  counts: 'counts',
  consumers: 'consumers',
  ledger: 'the ledger',
}

function printResult(io: ProcessIo, name: string, { checked, skipped, findings, total }: VerifyResult): void {
  for (const { code, id, expected, found } of findings) {
    io.out(printable(`${code}${id === null ? '' : ` ${id}`}: expected ${expected}; found ${found}\n`))
  }
  const { changeRequests, events, consumers } = checked
  io.out(`${name}: ${changeRequests} change requests, ${events} events and ${consumers} consumers: `)
  io.out(total === 0 ? 'consistent\n' : `${total} ${total === 1 ? 'finding' : 'findings'}\n`)
  const { older, withoutEvent, recorded, codes } = skipped
  if (codes.length > 0) io.out(`Not compared: ${codes.join(', ')}\n`)
  io.out(`Skipped: ${older} older than the log, ${withoutEvent} with approvals removed without an event, `)
  io.out(`${recorded} events of the host app\n`)
}
