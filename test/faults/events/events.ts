import type { EventRow } from '../../../src/ports/storage/events'

/** Events of a project of about 1.3 kB each, with `data.n` counting from `first`. */
export function many(project: string, first: number, count: number): EventRow[] {
  const createdAt = '2026-03-04T12:00:00.000Z'
  const type = 'feature-updated'
  const about = {
    environment: 'production',
    featureName: 'checkout',
    createdByUserId: 1,
    groupType: null,
    groupId: null,
    changeRequestId: null,
  }
  return Array.from({ length: count }, (_, index) => {
    const facts = { data: { n: first + index, text: 'Ä'.repeat(250) }, preData: { text: 'b'.repeat(400) }, tags: [] }
    const event = { createdAt, type, project, createdBy: 'ann@example.com', ...about, ...facts }
    return { type, createdAt, project, ...about, json: JSON.stringify(event) }
  })
}
