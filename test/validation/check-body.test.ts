import { parseApprovers, parseComment, parseTitle } from '../../src/capabilities/discussion/routes'
import { parseChange } from '../../src/capabilities/proposals/changes-body'
import { parseSettings } from '../../src/capabilities/settings/routes'
import { parseStateUpdate } from '../../src/capabilities/state/routes'
import { expectRejected } from './rejection'

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
