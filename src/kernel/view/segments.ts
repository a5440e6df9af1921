import type { NamedSegment } from '../../domain/content/grouping'

/** The current name of a segment, otherwise the one in the change. */
export function segmentName({ id, name }: NamedSegment, currentNames: ReadonlyMap<number, string>): string {
  return currentNames.get(id) ?? name ?? `Segment #${id}`
}
