import { scopeOf } from '../../domain/actions/table'
import type { ChangeRequest, ProposedChange } from '../../domain/change-request'
import { resultsOf } from '../../domain/checks/check'
import { changeSubject } from '../../domain/content/grouping'
import { shownTitle } from '../../domain/content/title'
import { createChangeRequest } from '../../domain/decisions/changes'
import { diffWith, effectsOf } from '../../domain/diff/diff'
import { findEndsAtEverybody } from '../../domain/diff/everybody'
import { findConflicts, noConflicts } from '../../domain/flags/conflicts'
import { freezesAt } from '../../domain/freezes/freeze'
import { closedStates } from '../../domain/lifecycle'
import { returnedRevision, wellFormedCall } from '../../domain/steps/facts'
import { requirementsOf } from '../../domain/steps/requirements'
import { stepReviewer } from '../../domain/steps/steps'
import { ChangeRequestError } from '../../errors'
import type { ImpliedChangeView, PreviewView } from '../../generated'
import { states } from '../../generated/lists'
import { jsonReply, type Reply } from '../../http/reply'
import { hashOf } from '../../kernel/digest'
import { decisionTime } from '../../kernel/facts/expiry'
import { FactGatherer } from '../../kernel/facts/gather'
import { placeFacts } from '../../kernel/facts/place'
import { hasChecks } from '../../kernel/facts/policy'
import { checkProposer, factsOfProposal } from '../../kernel/facts/proposal'
import { createPermissionCheck } from '../../kernel/host/permissions'
import { settingsOf } from '../../kernel/host/settings'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { authorOf } from '../../kernel/step/arrive'
import type { Caller, ProposalPlace } from '../../kernel/step/step-input'
import { toFreezeView, toRequirementView, toStepView } from '../../kernel/view/change-request'
import { toCheckView } from '../../kernel/view/checks'

export interface PreviewInput extends Caller, ProposalPlace {
  readonly changes: readonly ProposedChange[]
}

/** The review of a new change request with these changes, which is not stored. Rejected like the proposal would be. */
export async function preview(services: Services, { project, environment, changes, ...caller }: PreviewInput) {
  const place = { project, environment }
  const { actor, hasPermission = createPermissionCheck(services, actor) } = caller
  const context = { services, actor, hasPermission, place, proposal: { changes, listed: true } }
  const proposed = await factsOfProposal(context, await checkProposer(context))
  const settings = await settingsOf(services, project, environment)
  const { now, expiry } = decisionTime(services)
  const { changeRequest } = createChangeRequest(
    { ...place, id: 0 },
    {
      facts: { ...proposed, ...placeFacts(settings), revision: returnedRevision, expiry },
      ...{ changes, changeIds: [...changes.keys()], author: authorOf(services, caller).author, now },
      limits: changeLimitsOf(services.options.limits),
      hash: hashOf,
    },
  )
  const { flags } = proposed.proposal
  const conflicts = flags === undefined ? noConflicts : findConflicts(changeRequest, flags)
  const { diffs, after } = diffWith(changeRequest, flags, { conflicts, overwrites: new Map() })
  const gatherer = new FactGatherer({ services, actor, hasPermission, changeRequest, showsReviewers: true }, { flags })
  const [rules, checks, freezes, { reviewers }, gathered, mayRead] = await Promise.all([
    gatherer.get('rules'),
    gatherer.get('checks'),
    gatherer.get('freezes'),
    gatherer.get('policy'),
    gatherer.forRules(...nextSteps),
    hasPermission('READ_CHANGE_REQUEST', { project }),
  ])
  const reviewed = stepReviewer<(typeof nextSteps)[number]>(changeRequest, {
    ...{ revision: returnedRevision, ...wellFormedCall, ...gathered },
  })
  return {
    diffs,
    endsAtEverybody: findEndsAtEverybody(diffs, flags, after),
    implied: effectsOf(changeRequest, flags).filter(({ id }) => id === null),
    freezes: freezesAt(freezes, now),
    requirements: requirementsOf(changeRequest, { digest: null, rules, approvers: undefined, expiry }, reviewers),
    checks: hasChecks(services) ? resultsOf(changeRequest, checks, null) : undefined,
    otherRequests: mayRead ? await findOtherRequests(services, changeRequest, actor.id) : [],
    steps: nextSteps.map((step) => ({ step, ...reviewed(step) })),
  }
}

/** The steps that a caller decides on before they propose: what is missing for them depends on the changes. */
const nextSteps = ['applyInEmergency'] as const

const maxOthers = 20
/** Bounds the work for a flag that very many open change requests change. */
const readPage = { limit: 1_000, bytes: 1_048_576 }
const openStates = states.filter((state) => !closedStates.includes(state))

async function findOtherRequests(
  { storage }: Pick<Services, 'storage'>,
  { project, environment, changes }: ChangeRequest,
  viewer: number | null,
) {
  const subjects = [...new Set(changes.map(changeSubject))]
  const { items } = await storage.summaries({ projects: [project], states: openStates, subjects, viewer }, readPage)
  return items.filter((one) => one.environment === environment).slice(0, maxOthers)
}

type Preview = Awaited<ReturnType<typeof preview>>

export function viewPreview(shown: Preview): Reply {
  const { diffs, endsAtEverybody, implied, freezes, requirements, checks, otherRequests, steps } = shown
  const view: PreviewView = {
    changes: diffs.map(({ id: index, fields, ...diff }) => ({
      ...{ index, ...diff, scope: scopeOf(diff), fields: [...fields] },
      endsAtEverybody: endsAtEverybody.get(index) ?? null,
    })),
    implied: implied.map(({ action, feature, payload, before, after }) => {
      return { action, feature, payload, before, after } as ImpliedChangeView
    }),
    freezes: freezes.map(toFreezeView),
    requirements: requirements.map((one) => toRequirementView(one, { people: undefined })),
    ...(checks && { checks: checks.map((one) => toCheckView(one, { people: undefined })) }),
    otherRequests: otherRequests.map((other) => ({ id: other.id, title: shownTitle(other), state: other.state })),
    steps: steps.map(toStepView),
  }
  return jsonReply(view)
}

/** Rejections of a proposal whose changes are below `changes` in the body. */
export async function withPaths<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!ChangeRequestError.is(error)) throw error
    const details = error.details.map(({ path, message, ...rest }) => ({
      ...{ ...rest, message: message.replace(' at /body/', ' at /body/changes/') },
      ...(path === undefined ? {} : { path: path.replace('/body', '/body/changes') }),
    }))
    const { name, message, permissions, retryAfter, cause } = error
    throw new ChangeRequestError(name, message, {
      ...{ details, cause },
      ...(permissions && { permissions }),
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }
}
