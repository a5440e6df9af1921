import { acknowledge as decideAcknowledge } from '../../domain/decisions/review'
import type { Acknowledgement, MeView } from '../../generated'
import { viewWritten } from '../../http/replies'
import { jsonReply } from '../../http/reply'
import { ifMatch, type Route, readErrors, route, writeErrors } from '../../http/route'
import { checksInForce, hasChecks, rulesInForce } from '../../kernel/facts/policy'
import { firstText, kindOf, machineOf, toPerson } from '../../kernel/host/author'
import { hasPermission } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import { type Actor, permissions, type Scope } from '../../ports/access'
import { checkBody, maxCommentLength, trimText } from '../../validation/check-body'
import { parsePlace, placeParameters } from '../../validation/queries/review-search'
import { review } from './review'
import { viewReview, viewRules } from './view'

export async function whoAmI(services: Services, actor: Actor, scope: Scope): Promise<MeView> {
  const { id } = actor
  const { username, imageUrl } =
    id === null
      ? { username: firstText(actor.name, actor.email, actor.username) ?? null, imageUrl: null }
      : toPerson({ ...actor, id }, services.options)
  const { onBehalfOf = null } = machineOf(actor)
  const me = { id, username, imageUrl, groups: [...(actor.groups ?? [])], kind: kindOf(actor), onBehalfOf }
  if (scope.project === undefined) return me
  const asked = permissions.filter((permission) => permission !== 'REPORT_CHECK' || hasChecks(services))
  const held = await Promise.all(asked.map((permission) => hasPermission(services, actor, permission, scope)))
  return { ...me, permissions: asked.filter((_, index) => held[index]) }
}

export function acknowledge(services: Services, input: Caller & Reference, comment: string | null) {
  return performStep(services, 'acknowledge', input, (current, command) =>
    decideAcknowledge(current, { ...command, comment }),
  )
}

export const reviewRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/review',
    operationId: 'getReview',
    extension: true,
    summary: 'Read the review of a change request',
    description:
      'Returns the requirements of the change request, and for every step whether the caller can take it now. If a step is ' +
      'not allowed, its request is rejected with the same codes and messages.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'review', description: 'Requirements, changes, discussion and steps.' },
    errors: readErrors,
    parse: (context) => context.reference(),
    run: (input, services) => review(services, input),
    view: viewReview,
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/environments/:environment/change-requests/rules',
    operationId: 'getApprovalRules',
    extension: true,
    summary: 'Read the approval rules and checks',
    description:
      'Returns the approval rules that apply in the environment in addition to its minimum, and its checks. Some match ' +
      'certain changes only.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'approval-rules', description: 'The approval rules and checks.' },
    errors: readErrors,
    parse: ({ project, environment }) => ({ project, environment }),
    run: async (place, services) => {
      const checks = hasChecks(services) ? checksInForce(services, place) : undefined
      const [rules, checked] = await Promise.all([rulesInForce(services, place), checks])
      return { rules, checks: checked }
    },
    view: viewRules,
  }),
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/acknowledgement',
    operationId: 'acknowledgeEmergency',
    extension: true,
    summary: 'Acknowledge an emergency',
    description:
      'Acknowledges a change request that was applied in an emergency. Any approver who did not create, edit or apply it can ' +
      'do this, once.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'acknowledgement',
    answer: { status: 200, schema: 'change-request', description: 'The acknowledged change request.' },
    errors: writeErrors,
    parse(context) {
      const { comment = '' } = checkBody<Acknowledgement>('acknowledgement', context.body)
      const trimmed = comment.trim() === '' ? null : trimText(comment, 'comment', maxCommentLength)
      return { reference: context.reference(), comment: trimmed }
    },
    run: ({ reference, comment }, services) => acknowledge(services, reference, comment),
    view: viewWritten,
  }),
  route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    extension: true,
    summary: 'Read the caller',
    description: 'Returns the caller, and with `project` and `environment` also their permissions there.',
    permissions: [],
    query: placeParameters,
    answer: { status: 200, schema: 'me', description: 'The caller.' },
    errors: [400, 401, 500, 503],
    parse: ({ caller: { actor }, query }) => ({ actor, ...parsePlace(query) }),
    run: ({ actor, project, environment }, services) =>
      whoAmI(services, actor, { ...(project && { project }), ...(environment && { environment }) }),
    view: (me) => jsonReply(me),
  }),
]
