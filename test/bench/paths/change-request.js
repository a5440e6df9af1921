const { change, numbers, propose, send, sendAll, toState } = require('../support/requests')
const { fillCopies } = require('../support/fill-copies')
const { latency, latencyOf, ms, once } = require('./measures')
const { load } = require('../support/client')

const environment = 'production'
const listOf = (count) => numbers(count).map((n) => change(n, `flag-${n}`))
const pathOf = ([{ project, id }], rest = '') => `/projects/${project}/change-requests/${id}${rest}`

let runs = 0

/** A change request of `count` changes in review. */
async function inReview(server, project, count, { comments = 0 } = {}) {
  const proposed = await propose(server, { project, environment, lists: [listOf(count)] })
  await toState(server, proposed, { state: 'In review' })
  await sendAll(
    server,
    numbers(comments).map((n) => comment(proposed, n)),
    1,
  )
  return proposed
}

/** A user can have at most 200 comments. */
const comment = (proposed, n) => send(2 + (n % 20), 'POST', pathOf(proposed, '/comments'), { text: `Comment ${n}` })

/** Reads and reviews of change requests of different sizes, also with others scheduled in the project. */
function changeRequest(options) {
  const paths = {}
  const read = (name, prepare, rest) => {
    paths[name] = latencyOf(options, (proposed) => `/log${pathOf(proposed, rest)}`, { prepare })
  }
  for (const count of [1, 50, 500].map((count) => Math.min(count, options.rows))) {
    const prepare = (server) => inReview(server, `of-${count}`, count)
    const prepared = once(prepare)
    read(`read a change request, changes: ${count}`, prepared)
    read(`review of a change request, changes: ${count}`, prepared, '/review')
  }
  const scheduled = Math.min(10_000, options.rows)
  const busy = once(async (server) => {
    await fillCopies(server, { kinds: ['Scheduled'], count: scheduled, projects: ['busy'], environment })
    return inReview(server, 'busy', 1)
  })
  read(`read a change request, others scheduled: ${scheduled}`, busy)
  read(`review of a change request, others scheduled: ${scheduled}`, busy, '/review')
  /** The title, because added changes would make the response larger. */
  paths[`set its title, others scheduled: ${scheduled}`] = latency(options, {
    prepare: busy,
    expected: [204],
    requests: (proposed) => () => send(1_000, 'PUT', pathOf(proposed, '/title'), { title: 'title' }),
  })
  const listed = once((server) =>
    fillCopies(server, {
      kinds: ['In review', 'Approved'],
      count: Math.min(500, options.rows),
      projects: ['listed'],
      environment,
    }),
  )
  const list = (rest) => latencyOf(options, `/log/projects/listed/change-requests${rest}`, { prepare: listed })
  return {
    ...paths,
    'list of a project': list(''),
    'own open change requests': list('/open'),
    'count of those that wait for the caller': list('/actionable'),
    'search of change requests': latencyOf(options, '/log/search/change-requests?state=IS%3Aopen', { prepare: listed }),
  }
}

/** Votes and comments. */
function discussion(options) {
  const large = Math.min(500, options.rows)
  const many = Math.min(990, options.rows)
  const discussed = once((server) => inReview(server, 'discussed', 1, { comments: many }))
  const commented = (count) =>
    latency(options, {
      prepare: (server) => inReview(server, `commented-${count}`, count),
      expected: [200, 201, 204],
      requests: (proposed) => (_, n) => (n < 3 ? comment(proposed, n) : undefined),
    })
  return {
    'approve, by the last vote': vote({ changes: 1, votes: 1 }),
    [`vote on ${large} changes, the first`]: vote({ changes: large, votes: 1 }),
    [`vote on ${large} changes, the ninth`]: vote({ changes: large, votes: 9 }),
    'comment on 1 change': commented(1),
    [`comment on ${large} changes`]: commented(large),
    [`comment after ${many} others`]: latency(options, {
      prepare: discussed,
      expected: [200, 201, 204],
      requests: (proposed) => (_, n) => (n < 3 ? comment(proposed, n) : undefined),
    }),
    [`review with ${many} comments`]: latencyOf(options, (proposed) => `/log${pathOf(proposed, '/review')}`, {
      prepare: discussed,
    }),
  }
}

/** The time of the last of `votes` votes on a new change request, which needs one more if there are several. */
function vote({ changes, votes }) {
  const required = votes === 1 && changes === 1 ? 1 : 10
  const project = `voted-${required}`
  return {
    ...ms,
    async prepare(server) {
      const body = { changeRequestsEnabled: true, requiredApprovals: required }
      await sendAll(server, [
        send(1, 'PUT', `/projects/${project}/environments/${environment}/change-requests/config`, body),
      ])
    },
    async sample(server) {
      const lists = [listOf(changes)]
      const proposed = await propose(server, { project, environment, lists, author: 10_000 + ++runs })
      await toState(server, proposed, { state: 'In review' })
      for (let user = 2; user < votes + 1; user += 1) await toState(server, proposed, { state: 'Approved' }, user)
      const last = send(votes + 1, 'PUT', pathOf(proposed, '/state'), { state: 'Approved' })
      const { latencies } = await load(server, { callers: 1, next: (_, n) => (n === 0 ? last : undefined) })
      return latencies[0]
    },
  }
}

module.exports = { 'change-request': changeRequest, discussion }
