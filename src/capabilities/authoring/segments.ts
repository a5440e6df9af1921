import type { SegmentState } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import { currentFlags } from '../../kernel/host/flag-state'
import { createPermissionCheck, type PermissionCheck } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import { type SegmentUser, usersOfSegment } from '../../kernel/view/segments'
import type { FlagPlace } from './flags'
import { type Targets, targetsOfSegment } from './targets'

/** The current state of a segment, for someone who is about to propose a change of it. */
export interface KnownSegment {
  readonly id: number
  /** Null without a gateway. */
  readonly state: SegmentState | null
  readonly targets: Targets
  /** Null if the gateway does not return which flags use it. */
  readonly usedBy: readonly SegmentUser[] | null
}

/** @throws NotFoundError for a segment that the gateway does not know, or of a project that the caller cannot read. */
export async function findSegment(
  services: Services,
  {
    id,
    project,
    environment,
    actor,
    hasPermission = createPermissionCheck(services, actor),
  }: FlagPlace & Pick<Caller, 'actor' | 'hasPermission'> & { readonly id: number | undefined },
): Promise<KnownSegment> {
  const place = { project, environment }
  if (id === undefined) throw notFound('The project has no such segment.')
  const found = await currentFlags(services, { ...place, features: [], segments: [id] })
  if (found === undefined) return { id, state: null, targets: {}, usedBy: null }
  const state = found.segments.get(id)
  if (state === undefined || !(await isReadable(state, place, hasPermission))) {
    throw notFound(`The project has no segment ${id}.`)
  }
  return {
    id,
    state,
    targets: targetsOfSegment(id, found),
    usedBy: await usersOfSegment(id, found, { project, hasPermission }),
  }
}

/** A gateway may also return segments that are limited to other projects. */
async function isReadable({ project }: SegmentState, own: FlagPlace, hasPermission: PermissionCheck) {
  if (typeof project !== 'string' || project === own.project) return true
  return hasPermission('READ_CHANGE_REQUEST', { project })
}

function notFound(message: string): ChangeRequestError {
  return new ChangeRequestError('NotFoundError', message)
}
