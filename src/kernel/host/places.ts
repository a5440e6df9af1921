/** The project and environment of a change request; a flag gateway is called for one at a time. */
interface Placed {
  readonly project: string
  readonly environment: string
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
