import { id, inputSchema, project } from '../schemas.js'
import { proposeChanges } from './propose-changes.js'
import { getChangeRequest, getReview, listWaiting } from './read.js'
import { waitForDecision } from './wait-for-decision.js'

/**
 * @typedef {object} Tool
 * @property {string} description
 * @property {object} inputSchema
 * @property {object} annotations
 * @property {(input: any, context: any) => Promise<object>} run
 */

/**
 * The tools of this server. None of them approves or rejects: only people do.
 *
 * @param {import('express-change-requests/client').Client} client
 * @returns {Map<string, Tool>}
 */
export function createTools(client) {
  return new Map([
    ['list_waiting', listWaiting(client)],
    ['get_change_request', getChangeRequest(client)],
    ['get_review', getReview(client)],
    ['propose_changes', proposeChanges(client)],
    ['add_comment', addComment(client)],
    ['wait_for_decision', waitForDecision(client)],
    ['apply_approved', applyApproved(client)],
  ])
}

function addComment(client) {
  return {
    description: 'Adds a comment on a change request, or on one of its changes.',
    inputSchema: inputSchema(
      {
        project,
        id,
        text: { type: 'string', minLength: 1, maxLength: 10_000 },
        change_id: { type: 'integer', minimum: 1, description: 'The id of the change that the comment is about.' },
      },
      ['change_id'],
    ),
    annotations: { destructiveHint: false },
    async run({ text, change_id: changeId, ...place }) {
      await client.comment(place, { text, ...(changeId && { changeId }) })
      return { id: place.id }
    },
  }
}

function applyApproved(client) {
  return {
    description:
      'Applies a change request that people have approved. Fails if its content is not the one with this digest, or if an ' +
      'approval is missing.',
    inputSchema: inputSchema({
      project,
      id,
      digest: { type: 'string', description: 'The digest that get_review returned.' },
    }),
    annotations: { destructiveHint: true },
    async run({ digest, ...place }) {
      const { body, etag } = await client.setState(place, { state: 'Applied', digest })
      return { id: body.id, state: body.state, revision: etag?.replaceAll('"', '') ?? null }
    },
  }
}
