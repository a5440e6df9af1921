import type { ChangeRequestPlace } from '../../../../../client'
import { dropDraft, useDrafts } from '../../../core/tools/drafts'
import { useRequestContext } from './context'
import { isAllowed } from './steps'

/** A change that is being written in this tab and was not sent. */
export interface UnsavedEdit {
  /** The change that is edited; null for one to add. */
  readonly id: number | null
  readonly feature: string
  readonly discard: () => void
}

/** What no step includes. */
export function useUnsavedEdits(): readonly UnsavedEdit[] {
  const { place, latest } = useRequestContext()
  const start = draftsOf(place)
  const drafts = useDrafts(start)
  if (!isAllowed(latest.review, 'edit')) return []
  return [...drafts].flatMap(([name, text]) => {
    const {
      feature,
      payload,
      id: chosen,
    } = JSON.parse(text) as {
      readonly feature: string
      readonly payload?: unknown
      readonly id?: string
    }
    const id = name.slice(start.length)
    if (payload === undefined && chosen === undefined && id !== 'new') return []
    return { id: id === 'new' ? null : Number(id), feature, discard: () => dropDraft(name) }
  })
}

/** The name of the draft of a change; of a further one without an id. */
export function draftOfChange(place: ChangeRequestPlace, id: number | null): string {
  return `${draftsOf(place)}${id ?? 'new'}`
}

const draftsOf = ({ project, id }: ChangeRequestPlace): string => `change ${project} ${id} `
