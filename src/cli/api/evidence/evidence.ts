import { existsSync } from 'node:fs'
import { join } from 'node:path'
import release from 'express-change-requests/package.json'
import { type Command, type ProcessIo, parseOptions, printable, UsageError } from '../../command'
import { exitCodes, openApi, withApiErrors } from '../api'
import { collect } from './collect'
import { compareLedger, LedgerMismatch, readPublicKey } from './compare-ledger'
import { derive } from './derive'
import { createFolder, folderSink, refuseExisting, type Sink, sha256Of } from './folder'
import { type Manifest, sources } from './manifest'
import { openSource, requireAccess } from './open-source'
import { type Period, toPeriod } from './period'
import type { Source } from './source'

const options = {
  url: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  project: { type: 'string', multiple: true },
  zone: { type: 'string', default: 'UTC' },
  ledger: { type: 'string' },
  'public-key': { type: 'string' },
  out: { type: 'string' },
} as const

export const evidence: Command = {
  help: `express-change-requests evidence --from 2026-07-01 --to 2026-09-30 --out q3

It makes a folder that shows who approved what, and every exception: tables, a report for people, and the
events behind them. verify-evidence checks it.

  --url <url>          the URL of the router with its base path: https://flags.example/api/admin
                       default: CHANGE_REQUESTS_URL. The key comes from CHANGE_REQUESTS_KEY.
  --from <date>        the first day
  --to <date>          the last day
  --zone <zone>        the time zone of the days, such as Europe/Berlin; default: UTC
  --project <name>     only this project; repeat it for several
  --out <folder>       the folder; it must not exist
  --ledger <file>      the file of fileLedger(): verifies it, and compares the events with it
  --public-key <file>  with --ledger: the Ed25519 key as PEM

The key needs READ_EVENTS and READ_CHANGE_REQUEST in each project, or without --project for the instance.

Exit codes: 0 done, 1 error, 2 wrong usage, 5 a missing permission, 6 the events are not those of the ledger.
After any other code than 0 there is no folder.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    const { from, to, zone, out } = values
    if (positionals.length > 0) throw new UsageError('evidence takes only options. Set the folder with --out.')
    if (!from || !to) throw new UsageError('Set the first and the last day with --from and --to.')
    if (!out) throw new UsageError('Set the folder with --out.')
    const query = { from, to, zone, projects: [...new Set(values.project ?? [])].sort() }
    const period = toPeriod(from, to, zone)
    const ledger = toLedger(values)
    refuseExisting(out)
    const api = openApi(values, io)
    return withApiErrors(io, async () => {
      await requireAccess(api, query.projects, ledger !== undefined)
      const { asOf, counts } = await createFolder(out, io, (folder, signal) =>
        fillFolder(folder, openSource(api.client, query.projects, signal, io), { query, period, ledger, io }),
      )
      const exceptions = Object.values(counts.exceptions).reduce((sum, count) => sum + count, 0)
      io.out(`${out}: ${counts.requests} change requests, ${exceptions} exceptions, ${counts.events} events, `)
      io.out(`as of event ${asOf}\nSHA-256 of manifest.json: ${sha256Of(join(out, 'manifest.json'))}\n`)
      return exitCodes.done
    }).catch((error) => {
      if (!(error instanceof LedgerMismatch)) throw error
      io.error(printable(`${error.message}\n`))
      return 6
    })
  },
}

interface Task {
  readonly query: Manifest['query']
  readonly period: Period
  readonly ledger: ReturnType<typeof toLedger>
  readonly io: ProcessIo
}

async function fillFolder(folder: string, source: Source, { query, period, ledger, io }: Task): Promise<Manifest> {
  const asOf = await collect(source, period, folder)
  const compared = ledger && (await compareLedger(source, folder, ledger))
  const [head, sink] = [{ query, release: release.version, asOf }, recordingSink(folder, source.signal)]
  const counts = await derive(folder, head, period, sink)
  const files = Object.fromEntries(sink.names().map((name) => [name, sha256Of(join(folder, name))]))
  const manifest: Manifest = {
    ...{ query, release: head.release, createdAt: new Date().toISOString(), asOf },
    ...{ counts, files, ledger: compared?.last ?? null },
  }
  const file = sink.create('manifest.json')
  file.write(`${JSON.stringify(manifest, null, 2)}\n`)
  file.close()
  const { unsealed = 0, removed = 0 } = compared ?? {}
  if (unsealed > 0) io.error(`${unsealed} events are newer than the last checkpoint of the ledger.\n`)
  if (removed > 0) io.error(`${removed} events were not compared: the log lacks events of their checkpoint.\n`)
  return manifest
}

function toLedger(values: { readonly ledger?: string; readonly 'public-key'?: string }) {
  const { ledger: path, 'public-key': key } = values
  if (path === undefined && key !== undefined) throw new UsageError('--public-key works only with --ledger.')
  if (path === undefined) return undefined
  if (key === undefined) throw new UsageError('--ledger needs --public-key.')
  if (!existsSync(path)) throw new Error(`The ledger file ${path} does not exist.`)
  return { path, publicKey: readPublicKey(key) }
}

/** Remembers the names, for the manifest. */
function recordingSink(folder: string, signal: AbortSignal): Sink & { names(): string[] } {
  const [files, names] = [folderSink(folder, signal), [...sources] as string[]]
  return {
    create(name) {
      names.push(name)
      return files.create(name)
    },
    names: () => [...names].sort(),
  }
}
