const { load, requestBytes } = require('./client')

/** A request of the user with this id, who has all permissions. */
function send(user, method, path, body) {
  const headers = { Authorization: user, ...(body && { 'Content-Type': 'application/json' }) }
  return requestBytes(method, `/log${path}`, headers, body && JSON.stringify(body))
}

/** A proposed change of about 400 bytes. */
function change(n, feature = `checkout-${n % 5}`) {
  const values = ['user-1021', 'user-1044', 'user-2310', 'user-7781']
  const constraint = { contextName: 'userId', operator: 'IN', values, inverted: false, caseInsensitive: false }
  const parameters = { groupId: 'checkout', rollout: String(n % 101), stickiness: 'default' }
  const payload = { name: 'flexibleRollout', title: `rollout ${n % 100}`, constraints: [constraint], parameters }
  return { action: 'addStrategy', feature, payload: { ...payload, segments: [4, 11] } }
}

/** Sends the requests, some of them concurrently; returns the bodies of the responses. */
async function sendAll(server, requests, callers = 4) {
  const left = [...requests].reverse()
  const bodies = []
  await load(server, {
    callers: Math.min(callers, left.length),
    next: () => left.pop(),
    expected: [200, 201, 204],
    seen: (body) => bodies.push(body === '' ? undefined : JSON.parse(body)),
  })
  return bodies
}

/** Proposes one change request for each list of changes, each of another author, from this user id on. */
async function propose(server, { project, environment, lists, author = 1_000 }) {
  const path = `/projects/${project}/environments/${environment}/change-requests`
  const proposed = await sendAll(
    server,
    lists.map((changes, index) => send(author + index, 'POST', path, changes)),
  )
  return proposed.map(({ id, createdBy }) => ({ project, id, user: createdBy.id }))
}

/** Moves change requests to a state, as their authors or as another user. */
async function toState(server, proposed, state, by) {
  await sendAll(
    server,
    proposed.map(({ project, id, user }) =>
      send(by ?? user, 'PUT', `/projects/${project}/change-requests/${id}/state`, state),
    ),
  )
}

async function object(server, proposed, objection, by) {
  const path = ({ project, id }) => `/projects/${project}/change-requests/${id}/objection`
  await sendAll(
    server,
    proposed.map((one) => send(by, 'PUT', path(one), objection)),
  )
}

const numbers = (count) => Array.from({ length: count }, (_, index) => index)

module.exports = { change, numbers, object, propose, send, sendAll, toState }
