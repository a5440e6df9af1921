import type { ChangeRequest, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'
import type { Rule } from './caller-rules'
import type { Missing } from './codes'

/** The validator of the host has nothing against the proposed changes. */
export const validProposal: Rule = ({ call }) => call.invalid

/** No change alters a segment that other projects use as well: their people are not asked. */
export const segmentsInProject: Rule = ({ facts }) => (facts.options.globalSegments ? undefined : facts.foreignSegments)

/** The validator of the host has nothing against the changes. */
export function valid(when: 'submit' | 'apply'): Rule {
  return ({ facts }) => facts.invalid?.[when]
}

/**
 * Why a change of a segment cannot be approved in this project: the segment belongs to all projects, or to another one.
 * Undefined for any other change, and where the gateway does not return the project of the segment.
 */
export function foreignSegment(change: NewChange, project: string, present: FlagState | undefined): string | undefined {
  if (change.feature !== null) return undefined
  const id = segmentId(change)
  const owner = present?.segments.get(id)?.project
  if (owner === undefined || owner === project) return undefined
  return `Segment ${id} is not limited to the project ${project}, so a change request of this project cannot change it.`
}

/** One sentence for each change of a change request that alters such a segment. */
export function listForeignSegments(
  { changes, project }: ChangeRequest,
  present: FlagState | undefined,
): readonly Missing[] {
  return changes.flatMap((change): Missing | [] => {
    const message = foreignSegment(change, project, present)
    return message === undefined ? [] : { code: 'invalid', message: `Change ${change.id}: ${message}` }
  })
}
