import type { Storage } from '../../../src'
import type { ChangeRequest } from '../../../src/domain/change-request'
import { subjectsOf } from '../../../src/domain/content/grouping'
import { listedFacts, summarize } from '../../../src/domain/content/summary'
import { isOpen } from '../../../src/domain/lifecycle'

/** Changes a stored change request to the state that a flag gateway would have left. */
export async function rewrite(storage: Storage, id: number, alter: (current: ChangeRequest) => Partial<ChangeRequest>) {
  const { version, changeRequest } = (await storage.find({}, id)) ?? {}
  if (version === undefined || changeRequest === undefined) throw new Error(`There is no change request ${id}.`)
  const altered = { ...changeRequest, ...alter(changeRequest) }
  await storage.commit({
    changeRequest: altered,
    version: version + 1,
    expectedVersion: version,
    before: listedFacts(changeRequest),
    searchText: listedFacts(altered).searchText,
    open: isOpen(altered.state),
    subjects: subjectsOf(altered),
    dueAt: null,
    applyingSince: altered.applying?.startedAt ?? null,
    summary: summarize(altered),
    events: [],
  })
}

/** The flags were off before it was applied. */
export const flagsWereOff = ({ changes }: ChangeRequest) => ({
  changes: changes.map((change) => ({ ...change, snapshot: { enabled: false } })),
})
