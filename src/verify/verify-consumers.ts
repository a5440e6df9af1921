import { nextTo, readIds } from '../kernel/log/position'
import type { Verification } from './verification'

/** Compares the positions of consumers with the log. */
export async function verifyConsumers({ storage, reader, findings, checked, pause }: Verification): Promise<void> {
  const oldest = await nextTo(storage, { after: Number.MIN_SAFE_INTEGER })
  for await (const page of reader.consumers()) {
    // Read after the positions, which increase meanwhile.
    const { lastId } = await storage.eventHead({})
    const ids = page.flatMap(({ event }) => (event === null ? [] : [event.id]))
    const fingerprints = ids.length === 0 ? new Map<number, string>() : await readIds(storage, ids)
    for (const { name, position, event } of page) {
      checked.consumers += 1
      if (position > lastId) findings.add('consumers', name, `a position up to ${lastId}`, `${position}`)
      // The event may have been removed by retention.
      if (event === null || oldest === undefined || event.id < oldest.id) continue
      const expected = fingerprints.get(event.id)
      if (expected === event.fingerprint) continue
      findings.add('consumers', name, `event ${event.id} ${expected ?? ''}`, `event ${event.id} ${event.fingerprint}`)
    }
    await pause('consumers', checked.consumers)
  }
}
