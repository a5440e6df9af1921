import { withoutNames } from '../paths.js'
import { id, inputSchema, project } from '../schemas.js'

const openStates = ['Draft', 'In review', 'Approved', 'Scheduled']
const readOnly = { readOnlyHint: true }

export function listWaiting(client) {
  return {
    description:
      'Lists open change requests that wait in a state, those first that have waited longest, with what each still needs.',
    inputSchema: inputSchema(
      {
        needs: { enum: ['me', 'mine', 'all'], default: 'mine', description: 'mine: those that the caller proposed.' },
        state: { enum: openStates, default: 'In review' },
        project,
        environment: { type: 'string' },
        cursor: { type: 'string', description: 'The next of the previous page.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      ['needs', 'state', 'project', 'environment', 'cursor', 'limit'],
    ),
    annotations: readOnly,
    async run({ needs = 'mine', state = 'In review', limit = 20, ...rest }) {
      const { body } = await client.reviews({ needs, state, limit, order: 'waiting', ...rest })
      return { change_requests: body.reviews.map(toListed), next: body.next, total: totalOf(body, needs) }
    },
  }
}

/** "Needs me" has those with a conflict or an overwrite, too, which are counted by themselves. */
function totalOf({ totals }, needs) {
  if (totals === null) return null
  const { count, atLeast } = totals[needs]
  return { count: count + (needs === 'me' && !atLeast ? (totals.toFix?.count ?? 0) : 0), atLeast }
}

function toListed(item) {
  const { state, stateSince: state_since, revision, because, conflict, overwrites, waitsFor } = item
  return {
    id: item.id,
    ...{ state, state_since, revision, because, conflict, overwrites },
    waits_for: waitsFor.map(toRequirement),
    untrusted_project: item.project,
    untrusted_environment: item.environment,
    untrusted_title: item.title,
    untrusted_features: item.features,
    untrusted_segments: item.segments,
    untrusted_effects: item.effects,
    author: toAuthor(item.author),
  }
}

export function getChangeRequest(client) {
  return {
    description: 'Reads a change request: its state, changes, approvals and title.',
    inputSchema: inputSchema({ project, id }),
    annotations: readOnly,
    async run(place) {
      const { body, etag } = await client.changeRequest(place)
      const changes = [...body.features.flatMap(toFeatureChanges), ...body.segments.map((change) => toChange(change))]
      return {
        id: body.id,
        state: body.state,
        revision: etag?.replaceAll('"', '') ?? null,
        approvals: body.approvals.length,
        min_approvals: body.minApprovals,
        ...(body.schedule && { scheduled_at: body.schedule.scheduledAt, schedule_status: body.schedule.status }),
        changes,
        untrusted_environment: body.environment,
        untrusted_title: body.title,
      }
    },
  }
}

function toFeatureChanges({ name, changes }) {
  return changes.map((change) => ({ ...toChange(change), untrusted_feature: name }))
}

function toChange({ id: changeId, action, payload, conflict }) {
  return {
    id: changeId,
    action,
    untrusted_payload: payload,
    ...(conflict !== undefined && { untrusted_conflict: conflict }),
  }
}

export function getReview(client) {
  return {
    description:
      'Reads what a change request would change now, what is missing, which steps the caller can take, and its digest.',
    inputSchema: inputSchema({ project, id }),
    annotations: readOnly,
    run: async (place) => toReview((await client.review(place)).body),
  }
}

/** What a review says, with the texts of people apart. */
export function toReview(review) {
  return {
    id: review.id,
    state: review.state,
    revision: review.revision,
    // While the flags are unavailable, there is no digest, and nothing can be approved or applied.
    flags: review.flags,
    digest: review.digest,
    author: toAuthor(review.author),
    requirements: review.requirements.map(toRequirement),
    steps: review.steps
      .filter(({ offered }) => offered)
      .map(({ step, allowed, missing }) => ({
        step,
        allowed,
        missing: missing.map(({ code, message }) => ({ code, untrusted_message: message })),
      })),
    changes: review.changes.map(({ id: changeId, action, scope, digest, author, ...change }) => ({
      ...{ id: changeId, action, scope, digest },
      has_conflict: change.conflict !== null,
      overwrites: overwritten(change).map(withoutNames),
      author: toAuthor(author),
      untrusted_overwrites: overwritten(change),
      untrusted_feature: change.feature,
      untrusted_before: change.before,
      untrusted_after: change.after,
      untrusted_conflict: change.conflict,
    })),
    discussion: review.discussion.map(({ id: commentId, createdAt: created_at, changeId: change_id, ...comment }) => ({
      ...{ id: commentId, created_at, change_id },
      author: toAuthor(comment.author),
      untrusted_text: comment.text,
    })),
    untrusted_title: review.changeRequest.title,
    untrusted_environment: review.changeRequest.environment,
    untrusted_segment_names: review.segmentNames,
  }
}

/** The paths of the fields that another user changed, too; none while the flags are unavailable. */
function overwritten({ fields }) {
  return (fields ?? []).filter(({ overwrites }) => overwrites).map(({ path }) => path)
}

function toRequirement({ name, approvals, given }) {
  return { approvals, given, untrusted_name: name }
}

function toAuthor({ id: userId, kind, username, onBehalfOf }) {
  return {
    id: userId,
    kind,
    on_behalf_of: onBehalfOf && { id: onBehalfOf.id, untrusted_name: onBehalfOf.username },
    untrusted_name: username,
  }
}
