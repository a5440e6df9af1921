import { createHash } from 'node:crypto'
import { PartialError } from '../results.js'
import { changeSchema, inputSchema, project } from '../schemas.js'
import { toReview } from './read.js'

const { schema, $defs } = changeSchema()

export function proposeChanges(client) {
  return {
    description:
      'Proposes changes of flags in an environment as a new change request, and submits it for review. Fails if the caller ' +
      'already has an open one there. Nothing is changed until people have approved it.',
    inputSchema: inputSchema(
      {
        project,
        environment: { type: 'string', description: 'The name of the environment.' },
        changes: { type: 'array', minItems: 1, maxItems: 100, items: schema },
        title: { type: 'string', minLength: 1, description: 'What the changes are for.' },
        submit: { type: 'boolean', default: true, description: 'false keeps it as a draft.' },
        idempotency_key: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'The same proposal is made once a day; another key makes it again.',
        },
      },
      ['title', 'submit', 'idempotency_key'],
      $defs,
    ),
    annotations: { destructiveHint: false, idempotentHint: true },
    async run({ environment, changes, title, submit = true, idempotency_key: key, ...place }) {
      const idempotencyKey = key ?? hashOf([place.project, environment, changes, title])
      const options = { ifNoneMatch: '*', idempotencyKey }
      const { body: proposed } = await client.propose({ ...place, environment }, changes, options)
      const own = { ...place, id: proposed.id }
      // A repeated call finds the change request in a later state.
      if (proposed.state === 'Draft') await finish(client, own, { title, submit })
      return toReview((await client.review(own)).body)
    },
  }
}

async function finish(client, place, { title, submit }) {
  let done = 'propose'
  try {
    if (title !== undefined) await client.setTitle(place, title)
    done = 'title'
    if (submit) await client.setState(place, { state: 'In review' })
  } catch (error) {
    throw new PartialError(place.id, done, error)
  }
}

function hashOf(content) {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
