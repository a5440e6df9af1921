const { requestBytes } = require('../support/client')
const { texts } = require('../support/fill-log')
const { latencyOf, loopDelay, memory, rate, whole } = require('./measures')

const all = '/log/events?project=shop'
const naive = { others: ['naive'] }
const both = { others: ['naive', 'peer'] }
const [json, csv] = [{ Accept: 'application/x-ndjson' }, { Accept: 'text/csv' }]

function events(options) {
  const newest = (path, rest) => {
    const request = requestBytes('GET', path, {})
    return rate(options, { ...both, callers: 10, requests: () => () => request, ...rest })
  }
  const read = whole(options, all, {}, { ...naive, atLeast: { naive: 5 } })
  return {
    'newest 100, nothing cached': newest('/cold/events', { others: [] }),
    'newest 100, nothing new': newest('/log/events'),
    'all events of a project': read,
    'all events of a project: worst loop delay': loopDelay(read, { atMost: 40 }),
    'all events of a project: memory grown': memory(read, { atMost: 50 }),
  }
}

/** Each filter, and each pair of them: the first, the second and a middle page. */
function search(options) {
  const filters = {
    project: { project: 'IS:shop' },
    type: { type: 'IS:feature-updated' },
    flag: { feature: 'IS:checkout-7' },
    creator: { createdBy: 'IS:7' },
    environment: { environment: 'IS:production' },
    days: { from: `IS:${today()}`, to: `IS:${today()}` },
  }
  const names = Object.keys(filters)
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
  const paths = {}
  const add = (name, query, rest = both) => {
    const path = (_, { rows }) =>
      `/log/search/events?${new URLSearchParams(typeof query === 'object' ? query : query(rows))}`
    paths[`search: ${name}`] = latencyOf(options, path, rest)
  }
  const inTheMiddle = (query) => (rows) => ({ ...query, before: Math.max(1, Math.floor(rows / 2)) })
  add('newest', {})
  add('middle by cursor', inTheMiddle({}), {})
  add('middle by offset', (rows) => ({ offset: Math.floor(rows / 2) }))
  for (const chosen of [...names.map((name) => [name]), ...pairs]) {
    const query = Object.assign({}, ...chosen.map((name) => filters[name]))
    // The naive search has no days.
    add(chosen.join(' and '), query, chosen.includes('days') ? { others: ['peer'] } : both)
    add(`${chosen.join(' and ')}, page 2`, { ...query, offset: 50 }, { others: ['peer'] })
    add(`${chosen.join(' and ')}, middle`, inTheMiddle(query), {})
  }
  for (const [name, query] of Object.entries(texts)) add(`${name} text`, { query }, { ...naive, atMost: 250 })
  const absent = latencyOf(options, `/log/search/events?${new URLSearchParams({ query: texts.absent })}`)
  paths['search: absent text: worst loop delay'] = loopDelay(absent, { atMost: 40 })
  paths['log of a flag'] = whole(options, '/log/events/checkout-7', {}, naive)
  paths['event creators'] = latencyOf(options, '/log/event-creators', naive)
  return paths
}

const today = () => new Date().toISOString().slice(0, 10)

function exports_(options) {
  const lines = whole(options, all, json, naive)
  return {
    'a project as NDJSON': lines,
    'a project as NDJSON: worst loop delay': loopDelay(lines, { atMost: 40 }),
    'a project as NDJSON: memory grown': memory(lines, { atMost: 50 }),
    'a project as CSV': whole(options, all, csv, naive),
  }
}

module.exports = { events, search, export: exports_ }
