// Faults in approval rules and emergencies (contract 14 and 15).
const edit = (file, text, by) => ({ edits: [{ file, text, by }] })

module.exports = [
  ...[
    ['memory', 'storage', 'src/storage/memory/rows.ts', '  if (filter.afterReview && !afterReview) return false\n'],
    [
      'sqlite',
      'storage',
      'src/storage/sql/queries/change-request-filter.ts',
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
      'open = ?, after_review = ?,\n        whole_project = ?',
      'open = ?, after_review = 0 * ?,\n        whole_project = ?',
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
  {
    id: 'T60-decision',
    fault: 'whether an approval has expired is checked before the write enters the queue',
    edits: [
      {
        file: 'src/kernel/step/prepare-step.ts',
        text: '      const commandFor = (current',
        by: '      const early = services.clock()\n      const commandFor = (current',
      },
      {
        file: 'src/kernel/step/prepare-step.ts',
        text: 'bind(services,',
        by: 'bind({ ...services, early } as never,',
      },
      {
        file: 'src/kernel/step/bind.ts',
        text: 'const { now, expiry } = decisionTime(services)',
        by:
          'const { expiry } = decisionTime({ ...services, clock: () => (services as never as { early: Date }).early })\n' +
          '  const { now } = decisionTime(services)',
      },
    ],
    project: 'storage',
    test: 'test/storage/review/expiry',
    only: 'for an apply',
  },
  {
    id: 'T60-run',
    fault: 'a scheduled apply is stored with a later time than that for which approvals were counted',
    ...edit('src/capabilities/schedule/apply-scheduled.ts', 'now: at, comment', 'now: now(services), comment'),
    project: 'storage',
    test: 'test/storage/review/expiry',
    only: 'for a scheduled apply',
  },
  ...[
    ['memory', 'storage', 'src/storage/memory/rows.ts', 'subject >= wanted.from', 'subject > wanted.from'],
    ['sql', 'storage', 'src/storage/sql/queries/reviews.ts', 's.subject >= ?', 's.subject > ?'],
    ['lmdb', 'examples', 'examples/custom-storage/lmdb-lists.ts', 'subject >= wanted.from', 'subject > wanted.from'],
  ].map(([store, project, file, text, by]) => ({
    id: `T60-range-${store}`,
    fault: 'the inbox leaves out the first subject of a range',
    ...edit(file, text, by),
    project,
    test: project === 'storage' ? 'test/storage/contract.test' : 'custom-storage/lmdb-storage',
    only: 'finds by a range of subjects',
  })),
  {
    id: 'T60-lapsed',
    fault: 'the inbox lists change requests to apply although their approvals have expired',
    ...edit(
      'src/capabilities/lists/inbox-cases.ts',
      'groups: keysOf(groups.toApply), withoutSubject: lapsed',
      'groups: keysOf(groups.toApply)',
    ),
    project: 'express 5',
    test: 'test/http/routes/approvals-expire',
    only: 'lists in the inbox',
  },
]
