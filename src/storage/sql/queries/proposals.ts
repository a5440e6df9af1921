import { hash } from 'node:crypto'
import type { Write } from '../../../ports/storage/change-requests'
import type { StoredSettings } from '../../../ports/storage/settings'
import type { ProposalEntry } from '../database/database'

/** Undefined unless the write prepares the next proposal. */
export function toProposalEntry({ changeRequest, nextChangeIds, remembered }: Write): ProposalEntry | undefined {
  if (nextChangeIds === undefined) return undefined
  const expected = remembered && {
    document: remembered.document,
    settings: settingsText(remembered.settings),
    changeIds: remembered.changeIds,
  }
  return { document: JSON.stringify(changeRequest), changeIds: nextChangeIds, ...(expected && { expected }) }
}

/** Postgres computes the same of the stored text. */
export function fingerprintOf(document: string): string {
  return hash('sha256', document, 'hex')
}

/** All that settings consist of, as one text to compare; empty if nothing is set. Postgres builds the same. */
export function settingsText(stored: StoredSettings | undefined): string {
  if (stored === undefined || stored.settings === null) return ''
  const { changeRequestsEnabled, requiredApprovals } = stored.settings
  return [Number(changeRequestsEnabled), requiredApprovals, stored.version].join()
}
