const { object, propose, send, sendAll, toState } = require('./requests')
const { never, words } = require('./repeat-writes')

/** How a change request reaches a state. Only its author sees a draft, so another user moves it on after the review began. */
const steps = {
  Draft: [],
  'In review': [{ state: 'In review' }],
  Approved: [{ state: 'In review' }, { by: 2, state: 'Approved' }],
  Objected: [{ state: 'In review' }, { by: 2, objection: { text: 'Not before Monday.' } }],
  Scheduled: [{ state: 'In review' }, { by: 2, state: 'Approved' }, { by: 2, state: 'Scheduled', scheduledAt: never }],
}

let authors = 0

/**
 * Fills the projects with `count` change requests of these states in turn, each of another author, half of them with a title. One
 * of each kind comes from the routes; the others are copies of what the router wrote, each with a flag of its own unless one is
 * named. With `dueAt`, the scheduled copies are due at that time; with `spread`, one in each minute.
 */
async function fillCopies(server, { kinds, count, projects, environment, feature = words.flag, dueAt }) {
  await server.ask('forgetWrites')
  for (const [index, kind] of kinds.entries()) {
    const flag = { action: 'updateEnabled', feature, payload: { enabled: false } }
    const place = { project: words.project, environment: index === 0 ? environment : `${environment}-${index}` }
    const proposed = await propose(server, { ...place, lists: [flag], author: words.user })
    if (index % 2 === 0) {
      const [{ project, id }] = proposed
      const path = `/projects/${project}/change-requests/${id}/title`
      await sendAll(server, [send(words.user, 'PUT', path, { title: `Release of ${words.user}` })])
    }
    for (const { by, objection, ...state } of steps[kind]) {
      if (objection) await object(server, proposed, objection, by)
      else await toState(server, proposed, state, by)
    }
  }
  authors += 1_000_000
  await server.ask('repeatWrites', { count, projects, author: authors, dueAt })
  await server.ask('analyze')
}

module.exports = { fillCopies }
