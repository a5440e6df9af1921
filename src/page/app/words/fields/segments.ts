import { type Json, shown } from '../json'

/** The names of segments by their ids, if the server knows them. */
export type SegmentNames = Readonly<Record<string, string>>

/** `segment “Beta testers”`; a segment whose name is unknown has its id. */
export function segmentWords(id: Json, names: SegmentNames = {}): string {
  const key = shown(id)
  return Object.hasOwn(names, key) ? `segment “${names[key]}”` : `segment ${key}`
}
