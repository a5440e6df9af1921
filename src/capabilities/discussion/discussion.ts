import {
  comment as decideComment,
  rename as decideRename,
  requestApprovers as decideRequest,
} from '../../domain/decisions/discussion'
import { ChangeRequestError } from '../../errors'
import { reachOf } from '../../kernel/facts/reach'
import { findUsers, reviewersThroughout } from '../../kernel/people/find-users'
import { commentLimitsOf, type Services } from '../../kernel/services'
import { type Caller, writeExisting } from '../../kernel/steps'
import { findVisible, type Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { User } from '../../ports/users'

/** Gives the change request a title. */
export async function rename(services: Services, input: Caller & Reference, title: string): Promise<void> {
  await writeExisting(services, input, {
    ...input,
    step: 'rename',
    decide: ({ changeRequest }, occasion) => decideRename(changeRequest, occasion, title),
  })
}

/** Adds a comment on the change request, or on one of its changes. */
export async function comment(
  services: Services,
  input: Caller & Reference,
  text: string,
  changeId: number | null = null,
): Promise<StoredChangeRequest> {
  const commentLimits = commentLimitsOf(services.options.limits)
  return writeExisting(services, input, {
    ...input,
    step: 'comment',
    decide: ({ changeRequest }, occasion) =>
      decideComment(changeRequest, { ...occasion, comment: text, commentLimits, changeId }),
  })
}

/**
 * Sets the people who are asked to approve. Each must be able to, except those who were asked or have approved before:
 * clients send the whole list, so one person who may no longer approve must not block every further change of it.
 */
export async function requestApprovers(
  services: Services,
  input: Caller & Reference,
  reviewers: readonly number[],
): Promise<void> {
  await writeExisting(services, input, {
    ...input,
    step: 'requestApprovers',
    async gather({ changeRequest }) {
      const { environments } = await reachOf(services, changeRequest)
      return reviewersThroughout(services, changeRequest.project, environments)
    },
    decide({ changeRequest }, occasion, available) {
      const { requestedApprovers, approvals } = changeRequest
      const able = new Set([
        ...available.map(({ id }) => id),
        ...requestedApprovers,
        ...approvals.map(({ createdBy }) => createdBy.id),
      ])
      const unable = reviewers.filter((id) => !able.has(id))
      const decision = decideRequest(changeRequest, occasion, reviewers)
      if (unable.length === 0) return decision
      throw new ChangeRequestError('BadDataError', `These users cannot approve here: ${unable.join(', ')}.`)
    },
  })
}

/** The people asked to approve the change request whom the host still knows. */
export async function requestedReviewers(services: Services, input: Caller & Reference): Promise<User[]> {
  const { requestedApprovers } = (await findVisible(services, input, input.actor)).changeRequest
  const found = await findUsers(services, requestedApprovers)
  return requestedApprovers.flatMap((id) => found?.get(id) ?? [])
}
