import type { ApprovalRule } from '../../domain/approval/approval-rule'
import type { Comment } from '../../domain/change-request'
import { scopeOf } from '../../domain/content/scope'
import { sourcesOf } from '../../domain/steps/requirements'
import type {
  ApprovalRulesView,
  ApprovalRuleView,
  DiscussionCommentView,
  ReviewChangeView,
  ReviewStepView,
  ReviewView,
} from '../../generated/index'
import { jsonReply, type Reply } from '../../http/reply'
import { entityTag, revisionOf } from '../../kernel/etag'
import type { Described } from '../../kernel/view/describe'
import { toPersonView } from '../../kernel/view/people'
import { toFromView, toRequirementView } from '../../kernel/view/requirement'
import type { Review } from './review'

/** The review as a response, with the entity tag of the change request (contract 12). */
export function viewReview(review: Review): Reply {
  const { described, digest, requirements, diffs, causes, revertedBy, interrupted, steps } = review
  const { changeRequest } = described
  const view: ReviewView = {
    id: changeRequest.id,
    state: changeRequest.state,
    revision: revisionOf(described),
    digest,
    requirements: requirements.map((one) => toRequirementView(one, described)),
    changes: diffs.map(
      ({ fields, ...diff }): ReviewChangeView => ({
        ...diff,
        scope: scopeOf(diff),
        fields: [...fields],
        causedBy: causes.get(diff.id) ?? null,
      }),
    ),
    discussion: changeRequest.comments.map((comment) => toCommentView(comment, described)),
    revertedBy,
    applying: toAttemptView(described, interrupted),
    steps: steps.map(({ step, missing }): ReviewStepView => {
      const listed = missing.map(({ code, message }) => ({ code, message }))
      return { step, allowed: listed.length === 0, missing: listed }
    }),
  }
  return jsonReply(view, { ETag: entityTag(described) })
}

function toAttemptView(described: Described, interrupted: boolean): ReviewView['applying'] {
  const { applying } = described.changeRequest
  return applying == null
    ? null
    : { since: applying.startedAt, by: toPersonView(applying.by.person, described), interrupted }
}

/** The approval rules of a project and environment. */
export function viewRules(rules: readonly ApprovalRule[]): Reply {
  const view: ApprovalRulesView = {
    rules: rules.map((rule) => ({
      name: rule.name,
      when: (rule.when ?? null) as ApprovalRuleView['when'],
      approvals: rule.approvals,
      from: toFromView(sourcesOf(rule)),
    })),
  }
  return jsonReply(view)
}

function toCommentView({ id, text, createdBy, createdAt, changeId }: Comment, described: Described) {
  const view: DiscussionCommentView = {
    id,
    text,
    createdBy: toPersonView(createdBy, described),
    createdAt,
    changeId: changeId ?? null,
  }
  return view
}
