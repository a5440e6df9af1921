// Faults of freezes that only a database, HTTP or a browser shows. `npm run mutants` covers the rules and the runner.
const due = 'src/storage/sql/queries/due.ts'
const contract = (only) => ({ project: 'storage', test: 'test/storage/contract.test', only })

module.exports = [
  {
    id: 'X14-hold',
    fault: 'a hold replaces a newer version of a change request',
    edits: [{ file: due, text: 'where id = ? and version = ?`', by: 'where id = ? and 0 < ?`' }],
    ...contract('hold\\(write\\) does nothing for another version'),
  },
  {
    id: 'X14-moved',
    fault: 'schedules that are not held are moved',
    edits: [{ file: due, text: 'where held and id in', by: 'where id in' }],
    ...contract('moveHeld'),
  },
  {
    id: 'X14-counted',
    fault: 'what a freeze holds counts as due',
    edits: [{ file: due, text: 'due_at <= ? and not held) as due', by: 'due_at <= ?) as due' }],
    ...contract('is counted as held only'),
  },
  {
    id: 'X14-order',
    fault: 'change requests that are due again at the same time are not in the order of their schedules',
    edits: [{ file: due, text: 'order by due_at, scheduled_at, id', by: 'order by due_at, id' }],
    ...contract('in the order of their schedules'),
  },
  {
    id: 'X14-commit',
    fault: 'a commit on Postgres keeps the hold',
    edits: [{ file: 'src/storage/sql/postgres/commit.ts', text: 'held = w.held, ', by: '' }],
    ...contract('does not make a commit lose, which ends the hold'),
  },
  {
    id: 'X14-commit-sqlite',
    fault: 'a commit on SQLite keeps the hold',
    edits: [
      {
        file: 'src/storage/sql/sqlite/write-entries.ts',
        text: 'whole_project = ?, due_at = ?, scheduled_at = ?, held = ?, applying_since',
        by: 'whole_project = ?, due_at = ?, scheduled_at = ?, held = held or ?, applying_since',
      },
    ],
    ...contract('does not make a commit lose, which ends the hold'),
  },
  {
    id: 'X14-gate',
    fault: 'a write that may skip the review fails if the freezes cannot be read',
    edits: [{ file: 'src/gate/skip-freeze.ts', text: "return 'unknown'", by: 'throw err' }],
    project: 'express 5',
    test: 'test/http/gate/gate.test',
    only: 'pass if the freezes cannot be read',
  },
  {
    id: 'X14-page',
    fault: 'a time in a freeze can be chosen',
    edits: [
      {
        file: 'src/page/app/screens/request/dialogs/schedule.tsx',
        text: ' && freezesAt(freezes, future).length === 0',
        by: '',
      },
    ],
    project: 'browser',
    test: 'test/page/browser/display.test',
    only: 'its times cannot be chosen',
    build: 'page',
  },
]
