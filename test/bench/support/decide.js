const { addChanges, createChangeRequest } = require('../../../build/domain/decisions/changes.js')
const { hashOf } = require('../../../build/kernel/flags/digest.js')
const { requirePerson } = require('../../../build/kernel/people/author.js')

const limits = { changes: 501, bytes: 1 << 24, targetsBytes: 1 << 24 }

const authorOptions = { options: { gravatar: true, recordIp: false } }

/**
 * The decision of ours to add `changes` to the change request `current`, or to a new one of `fresh`, for servers that load
 * and store in another way. Nothing is rejected.
 */
function decideAdd(current, { fresh, userId, changes, changeIds, requiredApprovals = 1 }) {
  const proposal = { rejected: undefined, invalid: [], flags: undefined }
  const revision = { matches: true, exists: true, forbidden: undefined, isStated: true, isSeen: true }
  const facts = { userId, CREATE_CHANGE_REQUEST: true, enabled: true, requiredApprovals, proposal, revision }
  const username = `caller${userId}`
  const author = requirePerson({ id: userId, username, email: `${username}@example.com` }, undefined, authorOptions)
  const command = { facts, changes, changeIds, author, now: new Date().toISOString(), limits, hash: hashOf }
  return current === undefined ? createChangeRequest(fresh, command) : addChanges(current, command)
}

module.exports = { decideAdd }
