import type { FieldDiffView, ReviewView } from '../../../../../generated'
import { type Json, objectOf } from '../../../words/json'

export interface StoredChange {
  readonly id: number
  readonly action: string
  readonly feature: string | undefined
  readonly payload: Json
  /** What it alters, with the values when it was proposed; empty where these are unknown. */
  readonly fields: readonly FieldDiffView[]
}

/** The change with the id, or what replaced it since; undefined once it is discarded. */
export function findChange({ changes, changeRequest }: ReviewView, id: number): StoredChange | undefined {
  let current = id
  // An edited change has a higher id than the one that it replaces.
  for (const one of [...changes].sort((a, b) => a.id - b.id)) if (one.replaces === current) current = one.id
  const ofFlags = changeRequest.features.flatMap(({ name, changes }) =>
    changes.map((one) => ({ ...one, feature: name as string | undefined })),
  )
  const ofSegments = changeRequest.segments.map((one) => ({ ...one, feature: undefined }))
  const found = [...ofFlags, ...ofSegments].find((one) => one.id === current)
  if (found === undefined) return undefined
  const { snapshot: _, ...payload } = objectOf(found.payload)
  const sent = Array.isArray(found.payload) ? found.payload : payload
  const { baseKnown, fields } = changes.find((one) => one.id === current) ?? {}
  return {
    ...{ id: found.id, action: found.action, feature: found.feature, payload: sent },
    fields: (baseKnown && fields) || [],
  }
}
