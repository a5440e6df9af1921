import type { ChangedSinceView, EventView } from '../../../../generated'
import { objectOf } from '../json'

/** The digests of changes, by id. */
export type Digests = Readonly<Record<number, string>>

/** The id that a change has now: each edit gives it a new one, which the log knows and the change that replaced it. */
export function followEdits(
  changes: readonly { readonly id: number; readonly replaces: number | null }[],
  events: readonly EventView[],
): (id: number) => number {
  const edited = new Map<unknown, unknown>([
    ...events.flatMap(({ type, data, preData }) => {
      const [before, after] = [objectOf(preData).changeId, objectOf(data).changeId]
      return type === 'change-edited' && before !== after ? [[before, after] as const] : []
    }),
    ...changes.map(({ id, replaces }) => [replaces, id] as const),
  ])
  return (id) => {
    let current: unknown = id
    while (edited.has(current)) current = edited.get(current)
    return current as number
  }
}

/** How the changes differ from those that a user saw. */
export function changedSince(seen: Digests, now: Digests, events: readonly EventView[]): readonly ChangedSinceView[] {
  const currentId = followEdits([], events)
  const before = new Map(Object.entries(seen).map(([key, digest]) => [currentId(Number(key)), digest]))
  const compared = Object.entries(now).map(([key, digest]): ChangedSinceView => {
    const [id, old] = [Number(key), before.get(Number(key))]
    before.delete(id)
    return { id, status: old === undefined ? 'new' : old === digest ? 'same' : 'edited' }
  })
  return [...compared, ...[...before.keys()].map((id) => ({ id, status: 'gone' }) as const)]
}

/** `2 edited, 1 new, 1 removed`; empty if nothing differs. */
export function sinceWords(changes: readonly ChangedSinceView[]): string {
  const counts = (['edited', 'new', 'gone'] as const).flatMap((status) => {
    const count = changes.filter((change) => change.status === status).length
    return count > 0 ? `${count} ${status === 'gone' ? 'removed' : status}` : []
  })
  return counts.join(', ')
}
