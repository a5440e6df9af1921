import type { KeyObject } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import release from 'express-change-requests/package.json'
import { flawOfSignature } from '../../../ledger/checkpoint'
import { checkRequest } from './check-request'
import { belongsToNoRequest } from './collect'
import { derive } from './derive'
import { EventIndex } from './event-index'
import { requestOf } from './exceptions'
import { comparingSink, type Sink, sha256Of } from './folder'
import { type LoggedEvent, parsed, readLines } from './lines'
import { type Manifest, sources } from './manifest'
import { isWithin, type Period, toPeriod } from './period'
import type { RequestLine } from './source'

/** What is wrong with a folder, and what could not be checked. */
export interface FolderCheck {
  readonly manifest: Manifest | undefined
  readonly findings: readonly string[]
  /** All findings; the list has at most 1,000. */
  readonly total: number
  readonly notChecked: readonly string[]
}

const maxFindings = 1_000

/** Checks the folder alone. @throws Error if there is no such folder */
export async function checkFolder(folder: string, publicKey: KeyObject | undefined): Promise<FolderCheck> {
  const findings: string[] = []
  const notChecked: string[] = []
  let total = 0
  const report = (text: string) => {
    total += 1
    if (findings.length < maxFindings) findings.push(text)
  }
  const manifest = readManifest(folder, report)
  if (manifest !== undefined) {
    try {
      checkFiles(folder, manifest, report)
      await checkContent(folder, manifest, report, (text) => notChecked.push(text))
    } catch (error) {
      report(`The folder cannot be read to its end: ${(error as Error).message}`)
    }
    checkLedger(manifest, publicKey, report, (text) => notChecked.push(text))
  }
  return { manifest, findings, total, notChecked }
}

type Report = (text: string) => void

function readManifest(folder: string, report: Report): Manifest | undefined {
  if (!existsSync(folder)) throw new Error(`The folder ${folder} does not exist.`)
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
    const { query, files, counts, asOf } = manifest
    toPeriod(query.from, query.to, query.zone)
    if (Array.isArray(query.projects) && typeof files === 'object' && counts && Number.isSafeInteger(asOf))
      return manifest
    report('manifest.json: it is malformed')
  } catch (error) {
    report(`manifest.json: ${(error as Error).message}`)
  }
  return undefined
}

function checkFiles(folder: string, { files }: Manifest, report: Report): void {
  const found = new Set(readdirSync(folder))
  for (const name of new Set([...Object.keys(files), ...sources])) {
    if (!found.has(name)) report(`${name}: it is missing`)
    else if (files[name] === undefined) report(`${name}: the manifest does not have it`)
    else if (sha256Of(join(folder, name)) !== files[name]) report(`${name}: its SHA-256 is not that of the manifest`)
  }
  for (const name of found) {
    if (files[name] === undefined && name !== 'manifest.json') report(`${name}: the manifest does not have it`)
  }
}

async function checkContent(folder: string, manifest: Manifest, report: Report, skip: Report): Promise<void> {
  const { from, to, zone } = manifest.query
  const period = toPeriod(from, to, zone)
  const index = await EventIndex.open(folder, (event) => checkEvent(event, manifest, period, report))
  try {
    const older = await checkRequests(folder, period, index, report)
    if (older > 0) skip(`${older} change requests whose first event is no longer in the log: their state and votes`)
    checkUnreferred(index, report)
  } finally {
    index.close()
  }
  await checkDerived(folder, manifest, period, report, skip)
  skip('titles, comments, custom fields and checks: the log has no event for them')
}

function checkEvent(event: LoggedEvent, { asOf, query }: Manifest, period: Period, report: Report): void {
  const { id, project } = event
  // A change request that changed while it was read has newer ones.
  if (id > asOf && requestOf(event) === null)
    report(`events.ndjson: event ${id} is newer than event ${asOf} of the manifest`)
  if (query.projects.length > 0 && !query.projects.includes(project ?? ''))
    report(`events.ndjson: event ${id} is of another project`)
  if (requestOf(event) === null && !(belongsToNoRequest(event) && isWithin(period, event.createdAt)))
    report(`events.ndjson: event ${id} is no evidence`)
}

/** Returns the number of change requests whose first events were removed from the log. */
async function checkRequests(folder: string, period: Period, index: EventIndex, report: Report): Promise<number> {
  let [last, older] = [0, 0]
  for await (const bytes of readLines(join(folder, 'requests.ndjson'))) {
    const line = parsed<RequestLine>(bytes)
    const finding = (text: string) => report(`requests.ndjson: change request ${line.id}: ${text}`)
    if (!(line.id > last)) finding(`it is behind change request ${last}`)
    last = line.id
    const events = line.events.flatMap((id) => {
      const event = index.read(id)
      if (event === undefined) finding(`event ${id} is missing`)
      else if (requestOf(event) !== line.id || event.project !== line.project || event.environment !== line.environment)
        finding(`event ${id} is about another one`)
      else {
        index.refer(id)
        return [event]
      }
      return []
    })
    if (line.lastEvent !== line.events.at(-1)) finding(`its last event is not ${line.lastEvent}`)
    if (!events.some(({ createdAt }) => isWithin(period, createdAt))) finding('it has no event in the period')
    if (!checkRequest(line, events, finding)) older += 1
  }
  return older
}

function checkUnreferred(index: EventIndex, report: Report): void {
  for (const id of index.unreferred()) {
    const event = index.read(id)
    if (event !== undefined && requestOf(event) !== null)
      report(`events.ndjson: no change request of the folder has event ${id}`)
  }
}

/** Makes the tables and the report again, and compares them byte for byte. */
async function checkDerived(folder: string, manifest: Manifest, period: Period, report: Report, skip: Report) {
  const isSameRelease = manifest.release === release.version
  const written = new Set<string>(sources)
  const comparing = comparingSink(folder, ({ name, line }) => {
    if (line === undefined) report(`${name}: it is missing`)
    else report(`${name}: line ${line} does not follow from requests.ndjson and events.ndjson`)
  })
  const sink: Sink = {
    create(name) {
      written.add(name)
      const isCompared = isSameRelease || !name.endsWith('.html')
      return isCompared ? comparing.create(name) : { write: () => undefined, close: () => undefined }
    },
  }
  const counts = await derive(folder, manifest, period, sink)
  if (!isDeepStrictEqual(manifest.counts, counts)) report('manifest.json: its counts are not those of the files')
  for (const name of Object.keys(manifest.files)) if (!written.has(name)) report(`${name}: it is no evidence`)
  for (const name of written) if (manifest.files[name] === undefined) report(`${name}: the manifest does not have it`)
  if (!isSameRelease) skip(`the report, which release ${manifest.release} made: this is release ${release.version}`)
}

function checkLedger({ ledger }: Manifest, publicKey: KeyObject | undefined, report: Report, skip: Report): void {
  if (ledger === null) {
    skip('whether the events are those that were logged: the folder was made without a ledger')
    if (publicKey !== undefined) report('manifest.json: it has no checkpoint for the public key')
    return
  }
  skip('the events against the ledger: the folder does not have all events of the log')
  if (publicKey === undefined) skip('the signature of the checkpoint in the manifest: set --public-key')
  else {
    const flaw = flawOfSignature(ledger, 0, publicKey)
    if (flaw !== undefined) report(`manifest.json: ${flaw}`)
  }
}
