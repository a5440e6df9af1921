import type { ChangeRequest, EventRow, Storage } from '../../src'
import { listedFacts } from '../../src/domain/content/summary'
import { storedFacts } from '../../src/kernel/writer/stored-facts'

/** Changes a stored change request as the router would store it, with these events, whatever its rules say. */
export async function rewrite(
  storage: Storage,
  id: number,
  alter: (current: ChangeRequest) => Partial<ChangeRequest>,
  events: readonly EventRow[] = [],
): Promise<void> {
  const stored = await storage.find({}, id)
  if (stored === undefined) throw new Error(`There is no change request ${id}.`)
  const { version } = stored
  const changeRequest = { ...stored.changeRequest, ...alter(stored.changeRequest) }
  const before = listedFacts(stored.changeRequest)
  const facts = storedFacts(changeRequest)
  const write = { changeRequest, ...facts, version: version + 1, expectedVersion: version, before, events }
  expect(await storage.commit(write)).toBe(true)
}

/** The flags were off before it was applied. */
export const flagsWereOff = ({ changes }: ChangeRequest) => ({
  changes: changes.map((change) => ({ ...change, snapshot: { enabled: false } })),
})
