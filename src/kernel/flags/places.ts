import { closedStates, type State } from '../../domain/lifecycle'

/** Where a change request belongs; a flag gateway is asked for one place at a time. */
interface Placed {
  readonly project: string
  readonly environment: string
}

/** True for what nothing is computed for on read. */
export function isClosed({ state }: { readonly state: State }): boolean {
  return closedStates.includes(state)
}

export function placeOf({ project, environment }: Placed): string {
  return `${project}/${environment}`
}

export function groupByPlace<Item extends Placed>(items: readonly Item[]): Map<string, Item[]> {
  const places = new Map<string, Item[]>()
  for (const item of items) {
    const group = places.get(placeOf(item))
    if (group) group.push(item)
    else places.set(placeOf(item), [item])
  }
  return places
}
