import {
  comment as decideComment,
  rename as decideRename,
  requestApprovers as decideRequest,
} from '../../domain/discussion'
import { ChangeRequestError } from '../../errors'
import type { StoredChangeRequest } from '../../ports/storage'
import type { User } from '../../ports/users'
import { findUsers } from '../people/find-users'
import { callHook } from '../runtime/call-hook'
import { holds, requirePermission } from '../runtime/permissions'
import { commentLimitsOf, type Services } from '../runtime/services'
import { type Caller, findVisible, type Reference, writeExisting } from './existing'

/** Gives the change request a title. */
export async function rename(services: Services, input: Caller & Reference, title: string): Promise<void> {
  const found = await findVisible(services, input, input.actor)
  const anyone = await requireDetailsPermission(services, input, found)
  await writeExisting(services, input, {
    ...input,
    found,
    permission: undefined,
    decide: ({ changeRequest }, { by, now }) => decideRename(changeRequest, { by, now, anyone }, title),
  })
}

/**
 * Asks for what opens title and requested approvers; true where it is not for the author and an ADMIN alone.
 *
 * @throws PermissionError
 */
async function requireDetailsPermission(
  services: Services,
  { actor }: Caller,
  { changeRequest: { project, environment } }: StoredChangeRequest,
): Promise<boolean> {
  const anyone = services.settings.editDetails === 'anyone'
  const place = { project, environment }
  if (anyone && (await holds(services, actor, 'APPROVE_CHANGE_REQUEST', place))) return true
  await requirePermission(services, actor, 'CREATE_CHANGE_REQUEST', place)
  return anyone
}

/** Adds a comment. */
export async function comment(
  services: Services,
  input: Caller & Reference,
  text: string,
): Promise<StoredChangeRequest> {
  return writeExisting(services, input, {
    ...input,
    permission: 'READ_CHANGE_REQUEST',
    decide: ({ changeRequest }, { by, now }) =>
      decideComment(changeRequest, { by, now }, text, commentLimitsOf(services.settings)),
  })
}

/**
 * Asks people to approve; all of them must be able to, but those who were asked or have approved before. Clients send
 * these along with whom they add, and could add nobody once one of them may no longer approve.
 */
export async function requestApprovers(
  services: Services,
  input: Caller & Reference,
  reviewers: readonly number[],
): Promise<void> {
  const found = await findVisible(services, input, input.actor)
  const anyone = await requireDetailsPermission(services, input, found)
  const { environment, requestedApprovers, approvals } = found.changeRequest
  const able = new Set([
    ...(await availableReviewers(services, input.project, environment)).map(({ id }) => id),
    ...requestedApprovers,
    ...approvals.map(({ createdBy }) => createdBy.id),
  ])
  const unable = reviewers.filter((id) => !able.has(id))
  await writeExisting(services, input, {
    ...input,
    found,
    permission: undefined,
    decide(current, { by, now }) {
      const decision = decideRequest(current.changeRequest, { by, now, anyone }, reviewers)
      if (unable.length === 0) return decision
      throw new ChangeRequestError('BadDataError', `These users cannot approve here: ${unable.join(', ')}.`)
    },
  })
}

/** Who may approve in the project and environment, as far as the host has a user directory. */
export async function availableReviewers(services: Services, project: string, environment: string): Promise<User[]> {
  const { users } = services
  if (users === null) return []
  return [...(await callHook(services, 'users.reviewers', () => users.reviewers(project, environment)))]
}

/** The people asked to approve the change request whom the host still knows. */
export async function requestedReviewers(services: Services, input: Caller & Reference): Promise<User[]> {
  const { requestedApprovers } = (await findVisible(services, input, input.actor)).changeRequest
  const found = await findUsers(services, requestedApprovers)
  return requestedApprovers.flatMap((id) => found?.get(id) ?? [])
}
