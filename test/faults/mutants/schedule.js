// Faults of what is applied when its time comes.
const run = 'src/operations/schedule/apply-scheduled.ts'

module.exports = [
  {
    id: 'M9',
    fault: 'due change requests are applied without compare-and-set',
    edits: [
      {
        file: 'src/storage/knex/postgres/commit.ts',
        text: "where w.action = 'update' and c.id = w.id and c.version = w.expected",
        by: "where w.action = 'update' and c.id = w.id",
      },
    ],
    project: 'faults',
    test: 'test/faults/schedule',
    only: 'on Postgres is applied once by a transactional gateway',
    build: true,
  },
  {
    id: 'M9-claim',
    fault: 'what another process is applying is applied here as well',
    edits: [{ file: run, text: 'if (found.changeRequest.applying != null)', by: 'if (found.version === 0)' }],
    project: 'unit',
    test: 'test/operations/schedule/scheduler',
    only: 'is held up by a gateway that hangs',
  },
  {
    id: 'M9-late',
    fault: 'what was missed by days is applied nevertheless',
    edits: [{ file: run, text: 'if (lateMs > settings.scheduleGraceMs)', by: 'if (lateMs < 0)' }],
    project: 'unit',
    test: 'test/operations/schedule/truth',
  },
  {
    id: 'M9-suspend',
    fault: 'a changed target suspends nothing before the time',
    edits: [
      {
        file: 'src/operations/schedule/watch-log.ts',
        text: 'if (obstacle !== undefined) await storeObstacle(this.#services, found, obstacle)',
        by: 'void obstacle',
      },
    ],
    project: 'unit',
    test: 'test/operations/schedule/watch-log',
  },
  {
    id: 'M9-recheck',
    fault: 'the flags that the transaction locked are not compared again',
    edits: [
      {
        file: run,
        text: 'startApplication(services, plan, requireNoObstacle)',
        by: 'startApplication(services, plan, () => {})',
      },
    ],
    project: 'unit',
    test: 'test/operations/schedule/truth',
  },
  {
    id: 'M9-clock',
    fault: 'a process whose clock is an hour off applies what is not due',
    edits: [
      {
        file: 'src/operations/schedule/clock-offset.ts',
        text: 'Math.abs(offset) > tolerableMs',
        by: 'Math.abs(offset) > tolerableMs * 1e9',
      },
    ],
    project: 'unit',
    test: 'test/operations/schedule/scheduler',
  },
]
