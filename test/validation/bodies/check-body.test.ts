import { parseApprovers } from '../../../src/validation/bodies/approvers'
import { parseChange } from '../../../src/validation/bodies/changes'
import { parseComment } from '../../../src/validation/bodies/comment'
import { parseSettings } from '../../../src/validation/bodies/settings'
import { parseStateUpdate } from '../../../src/validation/bodies/state-update'
import { parseTitle } from '../../../src/validation/bodies/title'
import { expectRejected } from '../rejection'

describe.each<[string, (body: unknown) => unknown]>([
  ['a state', parseStateUpdate],
  ['a title', parseTitle],
  ['a comment', parseComment],
  ['settings', parseSettings],
  ['approvers', parseApprovers],
  ['a change', parseChange],
])('the body with %s', (_, parse) => {
  it.each([[[]], [[{}]], [null], ['text'], [1]])('is an object, not %j', (body) => {
    expectRejected(parse, body, '/body', 'must be object, got')
  })
})
