// Faults in scheduled applies.

module.exports = [
  {
    id: 'M9',
    fault: 'due change requests are applied without compare-and-set',
    edits: [
      {
        file: 'src/storage/sql/postgres/commit.ts',
        text: "where w.action = 'update' and c.id = w.id and c.version = w.expected",
        by: "where w.action = 'update' and c.id = w.id",
      },
    ],
    project: 'faults',
    test: 'test/faults/schedule',
    only: 'on Postgres are applied once by a transactional gateway',
    build: true,
    runs: 5,
  },
]
