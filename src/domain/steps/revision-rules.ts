import { openObjectionOf } from '../content/objections'
import type { Missing } from './codes'
import type { RevisionFacts } from './facts'
import { rule } from './rule'

/** The stored revision is the one that `If-Match` names, and there is none with `If-None-Match: *` (contract 2.4). */
export const isCurrentRevision = rule(['revision'], ({ id, state }, { revision }) => {
  const { matches, exists, forbidden } = revision
  if (forbidden !== undefined) {
    return {
      code: 'outdated-revision',
      message:
        `The changes would be added to your change request ${id} (${state}), but If-None-Match: * requires a new one. ` +
        `Apply, cancel or delete it first, or send the changes without If-None-Match. Its path: ${forbidden}`,
      path: forbidden,
    }
  }
  if (matches) return undefined
  return {
    code: 'outdated-revision',
    message: exists
      ? 'The change request no longer has the revision in If-Match. Read it again before you decide.'
      : 'If-Match needs an open change request, but you have none. Send the changes without If-Match.',
  }
})

/** Votes, applies and schedules decide on content that the caller has seen (contract 6.3). */
export const decidesOnSeenContent = rule(['revision', 'options'], (_, { revision, options }) =>
  unseenContent(revision, options.requireRevision),
)

/** An approval that lifts an objection must state the revision, whatever the option. */
export const approvesSeenContent = rule(['revision', 'options', 'userId'], (current, { revision, options, userId }) =>
  unseenContent(revision, options.requireRevision || openObjectionOf(current, userId) !== undefined),
)

export const revisionRequired: Missing = {
  code: 'revision-required',
  message: 'Send `digest` or an `If-Match` header to state which revision you are deciding on.',
}

function unseenContent({ matches, isStated, isSeen }: RevisionFacts, isRequired: boolean): Missing | undefined {
  if (!matches) return undefined
  if (isRequired && !isStated) return revisionRequired
  if (isSeen) return undefined
  return {
    code: 'outdated-revision',
    message:
      'The content to be applied has changed since you read it. Read the change request again before you decide.',
  }
}

/** An approval is for the preset schedule, too. It is not part of the digest (contract 25.2). */
export const seesPresetSchedule = rule(['revision'], (_, { revision: { matches, missesPreset } }) =>
  matches && missesPreset
    ? {
        code: 'outdated-revision',
        message:
          'The change request has a preset schedule, which your approval can put into effect. Read it, and send `If-Match` with ' +
          'the revision: the digest does not contain the schedule.',
      }
    : undefined,
)

/** The caller has seen the current targets of the proposed changes, where the changes state them (contract 16.1). */
export const basesAreCurrent = rule(['outdatedBases'], (_, { outdatedBases }) => outdatedBases)
