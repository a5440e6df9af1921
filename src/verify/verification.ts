import type { InspectionPart } from '../ports/storage/inspection'
import type { Storage } from '../ports/storage/storage'
import type { Findings, VerifyCode } from './findings'
import type { Reader } from './reader'

/** A running {@link verifyStorage}, which its parts add to. */
export interface Verification {
  readonly storage: Storage
  readonly reader: Reader
  readonly findings: Findings
  readonly checked: { changeRequests: number; events: number; consumers: number }
  readonly skipped: { older: number; withoutEvent: number; recorded: number }
  /** The comparisons that are left out. */
  readonly codes: Set<VerifyCode>
  /** Reports progress, ends a check that was aborted, and lets other work run. */
  pause(part: InspectionPart | 'ledger', done: number): Promise<void>
}
