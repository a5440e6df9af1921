import type { NewChange } from '../change-request'
import type { Mentions } from '../flag-state'

export function mentionsOf(changes: readonly Pick<NewChange, 'action' | 'feature' | 'payload'>[]): Mentions {
  const segments = new Set<number>()
  const templates = new Set<string>()
  for (const { action, feature, payload } of changes) {
    if (feature !== null) for (const id of segmentsIn(payload)) segments.add(id)
    if (action === 'addReleasePlan') templates.add((payload as { readonly templateId: string }).templateId)
  }
  return { segments: [...segments], templates: [...templates] }
}

export function segmentsIn(value: unknown): readonly number[] {
  const { segments } = (value ?? {}) as { readonly segments?: unknown }
  return Array.isArray(segments) ? segments.filter((id) => Number.isSafeInteger(id)) : []
}
