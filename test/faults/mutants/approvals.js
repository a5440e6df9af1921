// Faults in approval rules and emergencies (contract 14 and 15).
const edit = (file, text, by) => ({ edits: [{ file, text, by }] })

module.exports = [
  ...[
    ['memory', 'storage', 'src/storage/memory/rows.ts', '  if (filter.afterReview && !afterReview) return false\n'],
    [
      'sqlite',
      'storage',
      'src/storage/sql/shared/change-request-filter.ts',
      "  if (afterReview) must('after_review')\n",
    ],
    [
      'lmdb',
      'examples',
      'examples/custom-storage/lmdb-lists.ts',
      '  if (afterReview && !row.afterReview) return false\n',
    ],
  ].map(([store, project, file, text]) => ({
    id: `T56-filter-${store}`,
    fault: 'the search for what needs acknowledgement finds everything',
    ...edit(file, text, ''),
    project,
    test: project === 'storage' ? 'test/storage/contract.test' : 'custom-storage/lmdb-storage',
    only: 'finds by afterReview',
  })),
  ...[
    [
      'sqlite',
      'src/storage/sql/sqlite/write-entries.ts',
      'open = ?, after_review = ?,\n             whole_project = ?',
      'open = ?, after_review = 0 * ?,\n             whole_project = ?',
    ],
    ['postgres', 'src/storage/sql/postgres/commit.ts', 'after_review = w.after_review, version', 'version'],
  ].map(([store, file, text, by]) => ({
    id: `T56-column-${store}`,
    fault: 'a write does not store that the change request needs acknowledgement',
    ...edit(file, text, by),
    project: 'storage',
    test: 'test/storage/contract.test',
    only: 'finds by afterReview',
  })),
]
