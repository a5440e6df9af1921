import * as decisions from '../../domain/decisions/discussion'
import { findUsers, isPerson } from '../../kernel/host/find-users'
import { commentLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import { type Caller, findVisible, type Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { User } from '../../ports/users'

export function rename(services: Services, input: Caller & Reference, title: string): Promise<StoredChangeRequest> {
  return performStep(services, 'rename', input, (current, command) => decisions.rename(current, command, title))
}

export function comment(services: Services, input: Caller & Reference, text: string, changeId: number | null = null) {
  const commentLimits = commentLimitsOf(services.options.limits)
  return performStep(services, 'comment', input, (current, command) =>
    decisions.comment(current, { ...command, comment: text, commentLimits, changeId }),
  )
}

export interface CommentReference extends Caller, Reference {
  /** Undefined if the id in the path is invalid. */
  readonly commentId: number | undefined
}

export async function editComment(services: Services, input: CommentReference, text: string) {
  const commentLimits = commentLimitsOf(services.options.limits)
  return performStep(services, 'editComment', await findTheComment(services, input), (current, command) =>
    decisions.editComment(current, { ...command, text, commentLimits }),
  )
}

export async function deleteComment(services: Services, input: CommentReference) {
  return performStep(services, 'deleteComment', await findTheComment(services, input), decisions.deleteComment)
}

export async function resolveComment(services: Services, input: CommentReference, resolved: boolean) {
  return performStep(services, 'resolveComment', await findTheComment(services, input), (current, command) =>
    decisions.resolveComment(current, { ...command, resolved }),
  )
}

/** An unknown comment is rejected before permissions are checked, as an unknown change is. */
async function findTheComment(services: Services, input: CommentReference) {
  const found = await findVisible(services, input, input.actor)
  decisions.requireComment(found.changeRequest, input.commentId)
  return { ...input, found }
}

export function requestApprovers(services: Services, input: Caller & Reference, approvers: readonly number[]) {
  return performStep(services, 'requestApprovers', input, (current, command) =>
    decisions.requestApprovers(current, command, approvers),
  )
}

export async function requestedReviewers(services: Services, input: Caller & Reference): Promise<User[]> {
  const { requestedApprovers } = (await findVisible(services, input, input.actor)).changeRequest
  const found = await findUsers(services, requestedApprovers)
  return requestedApprovers.flatMap((id) => found?.get(id) ?? []).filter(isPerson)
}

const pageSize = 100

export type TimelinePage = Awaited<ReturnType<typeof readTimeline>>

/** The events of a change request, oldest first, for anyone who can read it (contract 12). */
export async function readTimeline(services: Services, input: Pick<Caller, 'actor'> & Reference, after: number) {
  const stored = await findVisible(services, input, input.actor)
  const filter = { changeRequestIds: [stored.changeRequest.id] }
  const page = await services.storage.eventPage(filter, { after }, pageSize, true)
  return { stored, page, next: page.searched === pageSize ? page.lastId : null }
}
