import type { ChangeRequest, NewChange } from '../change-request'
import { phraseOf } from '../content/phrases'
import type { FlagState } from '../flag-state'
import type { Missing } from './codes'
import { rule } from './rule'

export const withinLimits = rule(['excess'], (_, { excess }) =>
  excess === undefined ? undefined : { code: 'limit-exceeded', message: excess },
)

/** The host app knows the flags of the proposed changes, and throws no error to reject them. */
export const isAcceptedProposal = rule(['proposal'], (_, { proposal: { rejected } }) =>
  rejected === undefined ? undefined : { code: 'invalid', message: rejected.message, error: rejected },
)

export const isValidProposal = rule(['proposal'], (_, { proposal }) => proposal.invalid)

export const isValidOnSubmit = rule(['invalidOnSubmit'], (_, { invalidOnSubmit }) => invalidOnSubmit)

export const isValidOnApply = rule(['invalidOnApply'], (_, { invalidOnApply }) => invalidOnApply)

/** No change alters a segment of other projects: their reviewers would be bypassed. */
export const segmentsInProject = rule(['options', 'foreignSegments'], (_, { options, foreignSegments }) =>
  options.globalSegments ? undefined : foreignSegments,
)

export const isEnabled = rule(['enabled'], (_, { enabled }) =>
  enabled
    ? undefined
    : {
        code: 'change-requests-disabled',
        message: 'Change requests are disabled in this project and environment.',
      },
)

/** Why a change of a segment cannot be approved in this project. Undefined for any other, and where the gateway does not return the project of the segment. */
export function foreignSegment(
  { action, feature, payload }: NewChange,
  project: string,
  flags: FlagState | undefined,
): { readonly message: string; readonly property: 'id' | 'project' } | undefined {
  if (feature !== null) return undefined
  const { id, project: next } = payload as { readonly id: number; readonly project?: unknown }
  const owner = flags?.segments.get(id)?.project
  if (owner === undefined) return undefined
  const only = (what: string) => `Segment ${id} ${what}, so a change request of this project cannot change`
  if (owner !== project) return { message: `${only(`is not limited to the project ${project}`)} it.`, property: 'id' }
  if (action !== 'updateSegment' || next === undefined || next === owner) return undefined
  return { message: `${only(`is limited to the project ${project}`)} its project.`, property: 'project' }
}

export function listForeignSegments(
  { changes, project }: ChangeRequest,
  flags: FlagState | undefined,
): readonly Missing[] {
  return changes.flatMap((change): Missing | [] => {
    const foreign = foreignSegment(change, project, flags)
    return foreign === undefined ? [] : { code: 'invalid', message: `${phraseOf(change)}: ${foreign.message}` }
  })
}
