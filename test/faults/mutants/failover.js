// Faults when the primary of a replicated database moves.
const lostPosition = { project: 'express 5', test: 'test/http/events/lost-position' }
const positions = { project: 'unit', test: 'test/kernel/events/position' }
const outages = { project: 'express 5', test: 'test/http/pipeline/storage-failures' }
const feed = 'src/kernel/log/event-feed.ts'
const position = 'src/kernel/log/position.ts'
const outage = 'src/kernel/host/outage.ts'

module.exports = [
  {
    id: 'T64-before',
    fault: 'a page is not compared with the position before it',
    edits: [{ file: feed, text: '(isSame(after) && isSame(head))', by: '(isSame(head) || isSame(after))' }],
    ...lostPosition,
    only: 'now longer',
  },
  {
    id: 'T64-open',
    fault: 'a stream begins at a lost position',
    edits: [{ file: 'src/capabilities/log/sse.ts', text: '(await feed.isLost(after))', by: '!feed.isLost(after)' }],
    ...lostPosition,
    only: 'is rejected',
  },
  {
    id: 'T64-number',
    fault: 'a position without a fingerprint is not compared with the newest event',
    edits: [{ file: position, text: '  if (lastId < id) return true\n', by: '' }],
    ...lostPosition,
    only: 'is rejected',
  },
  {
    id: 'T64-emptied',
    fault: 'a log that retention emptied counts as shorter',
    edits: [
      {
        file: 'src/storage/memory/events.ts',
        text: '(Object.keys(scope).length === 0 ? this.#lastId : 0)',
        by: '0',
      },
    ],
    ...lostPosition,
    only: 'removes all events',
  },
  {
    id: 'T64-groups',
    fault: 'the groups of an event are part of its fingerprint',
    edits: [{ file: 'src/kernel/log/event-bytes.ts', text: '?(?:"groupId"', by: '?(?:"noGroupId"' }],
    project: 'unit',
    test: 'test/kernel/events/event-bytes',
  },
  {
    id: 'T67-restart',
    fault: 'a standby that is behind counts as a replaced log',
    edits: [{ file: position, text: 'return !reachable || recovery === true', by: 'return !reachable' }],
    ...lostPosition,
    only: 'on a standby whose log is behind waits',
  },
  {
    id: 'T67-behind',
    fault: 'a batch moves the position beyond what a standby that is behind has',
    edits: [{ file: position, text: '  if ((await log.eventHead({})).lastId < to) throw behind()\n', by: '' }],
    ...positions,
    only: 'no event is skipped',
  },
  {
    id: 'T67-decides',
    fault: 'due change requests are applied on a standby',
    edits: [{ file: 'src/kernel/host/clock-check.ts', text: 'recovery === true', by: "String(recovery) === 'never'" }],
    project: 'unit',
    test: 'test/capabilities/schedule/scheduler',
    only: 'only waits',
  },
  {
    id: 'T70-requests',
    fault: 'each request that fails in an outage is logged as an error',
    edits: [{ file: 'src/http/errors.ts', text: 'status >= 500 && !isOutage', by: 'status >= 500' }],
    ...outages,
    only: 'logged once when it is lost',
  },
  {
    id: 'T70-end',
    fault: 'the end of an outage is not noticed',
    edits: [{ file: outage, text: '    this.#current = undefined\n    const awayMs', by: '    const awayMs' }],
    project: 'unit',
    test: 'test/kernel/outage',
  },
  {
    id: 'T70-left',
    fault: 'a client that went away is logged as an error',
    edits: [{ file: 'src/http/request-handler.ts', text: 'isOutage || res.destroyed', by: 'isOutage' }],
    ...outages,
    only: 'a client that went away',
  },
]
