import type { ChangeRequest } from '../change-request'
import type { State } from '../lifecycle'
import { type EventEffect, eventEffects } from './effects'
import type { EventDraft } from './events'

/** A change of the state, as one event made it. */
export interface StateChange {
  readonly from: State
  readonly to: State
  /** When it was. */
  readonly at: string
  /** For Approved, when its review began; for Applied, when it was approved. Absent for an emergency and for all other states. */
  readonly since?: string | undefined
}

const countedFrom: { readonly [to in State]?: State } = { Approved: 'In review', Applied: 'Approved' }

/** The state changes of a commit, in their order: one commit can have several. That a draft begins or is discarded is none. */
export function stateChanges(before: ChangeRequest | undefined, events: readonly EventDraft[]): StateChange[] {
  const entered: { [state in State]?: string } = { ...before?.stateTimestamps }
  const changes: StateChange[] = []
  let from: State = before?.state ?? 'Draft'
  for (const { type, createdAt: at, data } of events) {
    const effect = (eventEffects as { readonly [name in string]?: EventEffect })[type]
    const to = effect?.state[from] ?? from
    if (to === from) continue
    const counted = data?.emergency === undefined ? countedFrom[to] : undefined
    changes.push({ from, to, at, since: counted && entered[counted] })
    entered[to] = at
    from = to
  }
  return changes
}
