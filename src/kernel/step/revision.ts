import type { ChangeRequest } from '../../domain/change-request'
import { pendingPreset } from '../../domain/schedule/preset'
import type { RevisionFacts } from '../../domain/steps/facts'
import { dependsOnContent, revisionNeedOf, type StoredStep } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { createChangeRequestPaths } from '../change-request-paths'
import { digestOf } from '../digest'
import { acceptsTag, entityTag, namesRevision } from '../etag'
import { type HostServices, now } from '../host-services'

/** What a caller stated about the revision. */
interface StatedRevision {
  readonly ifMatch: string | undefined
  readonly digest?: string | undefined
  /** `If-None-Match: *`. */
  readonly mustCreate?: boolean
}

/** The revision that the caller stated, compared with the stored one; undefined if none is stored. */
export function revisionFacts(
  services: Pick<HostServices, 'options' | 'clock'>,
  { ifMatch, digest, mustCreate = false }: StatedRevision,
  stored: StoredChangeRequest | undefined,
  isSeen: boolean,
): RevisionFacts {
  const hasPreset = () => stored !== undefined && pendingPreset(stored.changeRequest, now(services)) !== undefined
  return {
    matches: ifMatch === undefined || (stored !== undefined && acceptsTag(ifMatch, entityTag(stored))),
    exists: stored !== undefined,
    forbidden: mustCreate && stored !== undefined ? pathOf(services, stored) : undefined,
    isStated: digest !== undefined || namesRevision(ifMatch),
    missesPreset: digest !== undefined && !namesRevision(ifMatch) && hasPreset(),
    isSeen,
  }
}

function pathOf({ options }: Pick<HostServices, 'options'>, { changeRequest }: StoredChangeRequest): string {
  return createChangeRequestPaths(options.basePath).changeRequest(changeRequest.project, changeRequest.id)
}

/** Identifies the content of a change request for a step; undefined if nothing of the step depends on it. */
export function contentOf(step: StoredStep, changeRequest: ChangeRequest): string | undefined {
  return revisionNeedOf(step).seesContent || dependsOnContent(step) ? digestOf(changeRequest) : undefined
}
