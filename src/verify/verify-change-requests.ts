import { byInstant } from '../domain/instants'
import { isOpen } from '../domain/lifecycle'
import type { InspectedChangeRequest } from '../ports/storage/inspection'
import { checkColumns, checkState, checkVotes } from './check-change-request'
import { type Life, livesOf } from './life-of'
import type { Verification } from './verification'
import type { ScannedLog } from './verify-events'

/** Reads all change requests, and compares each with what is stored next to it, and with its events. */
export async function verifyChangeRequests(verification: Verification, log: ScannedLog): Promise<void> {
  const { storage, reader, checked, codes, pause } = verification
  /** Those that accept changes, by project, environment and author. */
  const open = new Map<string, number>()
  for await (const page of reader.changeRequests()) {
    const lives = await livesOf(storage, new Map(page.map(({ id, lastEventId }) => [id, lastEventId])))
    for (const one of page) {
      log.created.delete(one.id)
      checked.changeRequests += 1
      // Nothing follows from a document that is not the one that was written.
      if (!isAsWritten(verification, one)) continue
      checkOne(verification, log, one, lives.get(one.id))
      await checkOpen(verification, open, one)
    }
    await pause('changeRequests', checked.changeRequests)
  }
  // Without `inspect`, drafts are not read.
  if (!codes.has('documents')) await findLost(verification, log)
}

function isAsWritten({ findings, codes }: Verification, { id, sha256 }: InspectedChangeRequest): boolean {
  if (codes.has('documents') || sha256.stored === sha256.computed) return true
  findings.add('documents', id, `SHA-256 ${sha256.stored}`, `SHA-256 ${sha256.computed}`)
  return false
}

function checkOne(
  { findings, codes, skipped }: Verification,
  { oldest, damaged }: ScannedLog,
  stored: InspectedChangeRequest,
  life: Life | undefined,
): void {
  const { id, changeRequest } = stored
  if (changeRequest === null) return
  if (!codes.has('columns')) checkColumns(stored, changeRequest, findings)
  checkVotes(changeRequest, life, findings)
  if (life?.replayed !== undefined) {
    if (!damaged.has(id) && !checkState(changeRequest, life.replayed, findings)) skipped.withoutEvent += 1
  } else if (oldest === null || byInstant(changeRequest.createdAt, oldest) < 0) skipped.older += 1
  else if (!damaged.has(id)) findings.add('state', id, 'a change-request-created event', 'none')
}

/** Of two, the newer one is read again first: one that is closed never accepts changes again. */
async function checkOpen(
  { storage, findings }: Verification,
  open: Map<string, number>,
  { changeRequest }: InspectedChangeRequest,
): Promise<void> {
  if (changeRequest === null || !isOpen(changeRequest.state)) return
  const { id, project, environment, createdBy } = changeRequest
  const key = JSON.stringify([project, environment, createdBy.id])
  const other = open.get(key)
  if (other === undefined) {
    open.set(key, id)
    return
  }
  const isStillOpen = async (one: number) => {
    const found = await storage.find({}, one)
    return found !== undefined && isOpen(found.changeRequest.state)
  }
  if (!(await isStillOpen(Math.max(id, other)))) open.set(key, Math.min(id, other))
  else if (!(await isStillOpen(Math.min(id, other)))) open.set(key, Math.max(id, other))
  else {
    const place = `user ${createdBy.id} in ${environment} of ${project}`
    findings.add('open', Math.max(id, other), `one open change request of ${place}`, `two: ${Math.min(id, other)} too`)
  }
}

/** Those that the log has created, and that are not stored. One may have been discarded since the log was read. */
async function findLost({ storage, findings }: Verification, { created, damaged }: ScannedLog): Promise<void> {
  for (const id of created.values()) {
    if (damaged.has(id)) continue
    const life = (await livesOf(storage, new Map([[id, Number.MAX_SAFE_INTEGER]]))).get(id)
    const state = life?.replayed?.state ?? null
    if (state !== null) findings.add('state', id, `a change request in the state ${state}`, 'none')
  }
}
