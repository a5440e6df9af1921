const { fillCopies } = require('../support/fill-copies')
const { dueOf } = require('../support/repeat-writes')
const { latencyOf, once } = require('./measures')

const reader = 9_999
/** When the copy with this number was created, as the copies have it. */
const minute = (n) => new Date(1_750_000_000_000 + n * 60_000).toISOString()

/** Pages of the inbox by each filter, with many open change requests. */
function inbox(options) {
  const openOf = ({ rows }) => Math.min(100_000, rows)
  const projects = Array.from({ length: 20 }, (_, index) => `area-${index}`)
  const kinds = ['In review', 'Draft', 'Approved', 'In review']
  const prepare = once((server) => fillCopies(server, { kinds, count: openOf(server), projects, environment: 'live' }))
  const paths = {}
  const add = (name, query, { limit = 10, ...rest } = {}) => {
    paths[`inbox of ${openOf(options)}: ${name}`] = latencyOf(options, `/log/reviews?limit=${limit}&${query}`, {
      user: 7,
      prepare,
      ...rest,
    })
  }
  add('all', 'needs=all')
  add('all, 50 of them', 'needs=all', { limit: 50 })
  add('needs the caller', 'needs=me')
  add('needs the caller, 50 of them', 'needs=me', { limit: 50 })
  add('needs the caller, the longest first', 'needs=me&order=waiting')
  add('needs a user without permission', 'needs=me', { user: reader })
  add('own', 'needs=mine')
  add('a project', 'project=area-3')
  add('an environment', 'environment=live')
  add('a state', 'state=Approved')
  add('an author', 'author=1000005')
  add('a flag', 'feature=copy-7')
  add('the last changed first', 'order=recent')
  for (const order of ['newest', 'waiting', 'recent']) {
    add(`of one day, ${order}`, `createdFrom=${minute(50_000)}&createdTo=${minute(51_440)}&order=${order}`)
  }
  const planned = once((server) =>
    fillCopies(server, {
      kinds: ['Scheduled'],
      count: openOf(server),
      projects,
      environment: 'planned',
      dueAt: 'spread',
    }),
  )
  add(
    'scheduled ones, created on one day',
    `state=Scheduled&createdFrom=${minute(50_000)}&createdTo=${minute(51_440)}`,
    {
      prepare: planned,
    },
  )
  const [from, to] = [50_000, 51_440].map((n) => dueOf(n))
  add('scheduled ones, due on one day', `state=Scheduled&scheduledFrom=${from}&scheduledTo=${to}`, { prepare: planned })
  const actionable = `/log/projects/${projects[2]}/change-requests/actionable`
  paths[`what the caller can approve or apply, of ${openOf(options) / projects.length}`] = latencyOf(
    options,
    actionable,
    { user: 7, prepare },
  )
  paths['what the caller can approve or apply, a quarter with objections'] = latencyOf(
    options,
    '/log/projects/held/change-requests/actionable',
    {
      user: 7,
      prepare: once((server) =>
        fillCopies(server, {
          kinds: ['Approved', 'Objected', 'Approved', 'In review'],
          count: Math.ceil(openOf(server) / projects.length),
          projects: ['held'],
          environment: 'held',
        }),
      ),
    },
  )
  // The index of the order begins with all the others.
  add('of the last week, the longest first', `createdFrom=${minute(90_000)}&order=waiting`)
  add('of the first week, the last changed first', `createdTo=${minute(10_000)}&order=recent`)
  add('a text that many have', 'query=release')
  add('a text that few have', 'query=of%201004711')
  add('a text that none has', 'query=nothing%20at%20all')
  return paths
}

module.exports = { inbox }
