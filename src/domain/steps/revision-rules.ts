import { rule } from './rule'

/** The stored revision is the one that `If-Match` names (contract 2.4). */
export const isCurrentRevision = rule(['revision'], (_, { revision: { matches, exists } }) => {
  if (matches) return undefined
  return {
    code: 'outdated-revision',
    message: exists
      ? 'The change request is not the one that If-Match names: it was altered. Read it again before you decide.'
      : 'If-Match was sent, but there is no change request yet that would take the changes.',
  }
})

/** Votes, applies and schedules decide on content that the caller has seen (contract 6.3). */
export const decidesOnSeenContent = rule(['revision', 'options'], (_, { revision, options }) => {
  const { matches, isStated, isSeen } = revision
  if (!matches) return undefined
  if (options.requireRevision && !isStated) {
    return {
      code: 'revision-required',
      message:
        'Say what you decide on: send the digest of the change request in the body, or its ETag in the header If-Match.',
    }
  }
  if (isSeen) return undefined
  return {
    code: 'outdated-revision',
    message:
      'The changes are not those that you decided on: they were altered meanwhile. Read the change request again.',
  }
})
