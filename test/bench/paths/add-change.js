const { change, numbers, propose, send } = require('../support/requests')
const { cpu, latency, rate, tail } = require('./measures')

/** A change request gets this number of changes before the next one. */
const size = 10
const others = ['naive', 'in memory']
const project = 'proposals'

let runs = 0
const newName = () => `e${++runs}`
const proposal = (environment, user, n) =>
  send(user, 'POST', `/projects/${project}/environments/${environment}/change-requests`, change(n))

/** Each caller fills its own change requests. */
function apart() {
  const run = newName()
  return (caller, n) => proposal(`${run}-${Math.floor(n / size)}`, caller + 1, n)
}

/** All callers fill the same change request of one user, then the next one. */
function together() {
  const run = newName()
  let sent = 0
  return () => proposal(`${run}-${Math.floor(sent / 100)}`, 1, sent++)
}

/** Proposals, one change for each request. The response is the whole change request. */
function addChange(options) {
  const large = Math.min(400, options.rows)
  const lists = [numbers(large).map((n) => change(n))]
  return {
    'a new change request': latency(options, { requests: () => () => proposal(newName(), 1, 1), others }),
    'add a change, callers: 1': rate(options, { requests: apart, others }),
    'add a change, callers: 10': rate(options, { callers: 10, requests: apart, others }),
    'add a change, callers: 50': rate(options, { callers: 50, requests: apart, others, atLeast: { naive: 2 } }),
    'add a change, callers: 50: tail': tail(options, { callers: 50, requests: apart, atMost: 3 }),
    'add a change, callers: 10: CPU': cpu(options, { callers: 10, requests: apart }),
    'add a change to the same change request, callers: 50': rate(options, {
      callers: 50,
      requests: together,
      others: ['in memory'],
    }),
    [`add a change to one of ${large}`]: latency(options, {
      prepare: (server) => propose(server, { project, environment: 'large', lists, author: 1 }),
      // At most two for each sample, because it can have 500.
      requests: () => (_, n) => (n < 2 ? proposal('large', 1, n) : undefined),
    }),
  }
}

module.exports = { 'add-change': addChange }
