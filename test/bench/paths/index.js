const log = require('./log')

/** All paths by the name that selects them. Those that read the log are first, because others append to it. */
const groups = {
  ...log,
  ...require('./change-request'),
  ...require('./inbox'),
  ...require('./add-change'),
  ...require('./host'),
  ...require('./follow'),
}

/** Those for which the log is filled. */
const ofTheLog = [...Object.keys(log), 'consumers', 'follow']

/** The paths of some groups by title, for a log of `rows` events and samples of `sampleMs`. */
function pathsOf(names, options) {
  const paths = Object.assign({}, ...names.map((name) => groups[name](options)))
  const selected = Object.entries(paths).filter(([title]) => title.includes(options.only ?? ''))
  if (selected.length === 0) throw new Error(`No path has '${options.only}' in its title.`)
  return { paths: selected, needsLog: names.some((name) => ofTheLog.includes(name)) }
}

module.exports = { groups: Object.keys(groups), pathsOf }
