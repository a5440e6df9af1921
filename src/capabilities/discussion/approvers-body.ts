import type { ApproversUpdate } from '../../generated/index'
import { checkBody } from '../../validation/check-body'
import { badData } from '../../validation/core/problems'

const mostApprovers = 10

/**
 * Reads the body with the ids of the requested approvers, after `guardBody`: without duplicates, in the order given.
 *
 * @throws BadDataError with the first problem
 */
export function parseApprovers(body: unknown): number[] {
  const people = [...new Set(checkBody<ApproversUpdate>('approversUpdate', body).reviewers)]
  if (people.length <= mostApprovers) return people
  const message = `must name at most ${mostApprovers} different users, got ${people.length}`
  throw badData([{ path: '/body/reviewers', message }])
}
