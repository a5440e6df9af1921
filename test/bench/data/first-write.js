const { join } = require('node:path')

/** The write of a change request's first version, as the writer of the router makes it; with the build in this folder. */
function firstWrite(build, changeRequest) {
  const { searchText, summarize } = require(join(build, 'domain/content/summary.js'))
  const { subjectsOf } = require(join(build, 'domain/content/grouping.js'))
  const { isOpen } = require(join(build, 'domain/lifecycle.js'))
  const summary = summarize(changeRequest)
  return {
    ...{ changeRequest, summary, version: 1, expectedVersion: 0, before: null, searchText: searchText(summary) },
    ...{ open: isOpen(changeRequest.state), subjects: subjectsOf(changeRequest), applyingSince: null, events: [] },
    dueAt: changeRequest.schedule?.scheduledAt ?? null,
  }
}

module.exports = { firstWrite }
