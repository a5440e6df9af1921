// Faults of the rules of the review and of the storages.
const review = 'src/domain/review.ts'
const reads = 'src/storage/knex/shared/reads.ts'
const rules = { project: 'unit', test: 'test/domain/review' }
const notOwn = 'const own = current.createdBy.id === id || current.changes.some(({ createdBy }) => createdBy.id === id)'

module.exports = [
  {
    id: 'M7',
    fault: 'an edit keeps the approvals',
    edits: [{ file: review, text: 'return { approvals: [] }', by: 'return {} as never' }],
    ...rules,
    only: 'any change of the changes after the review',
  },
  {
    id: 'M7-model',
    fault: 'an edit keeps the approvals',
    edits: [{ file: review, text: 'return { approvals: [] }', by: 'return {} as never' }],
    project: 'storage',
    test: 'test/storage/model/model.test',
    only: 'on memory',
  },
  {
    id: 'M8-author',
    fault: 'the author may approve the own change request',
    edits: [
      {
        file: review,
        text: notOwn,
        by: 'const own = current.changes.some(({ createdBy }) => createdBy.id === id)',
      },
    ],
    ...rules,
    only: 'is refused to the author',
  },
  {
    id: 'M8-contributor',
    fault: 'whoever added a change may approve the change request',
    edits: [{ file: review, text: notOwn, by: 'const own = current.createdBy.id === id' }],
    ...rules,
    only: 'is refused to whoever added or edited',
  },
  ...['SQLite', 'Postgres'].map((database) => ({
    id: `M18-find-${database.toLowerCase()}`,
    fault: 'a change request is found in every project',
    edits: [{ file: reads, text: 'where id = ? and project = ?`', by: "where id = ? and ? <> ''`" }],
    project: 'storage',
    test: 'test/storage/change-requests',
    only: `${database} storage find answers nothing for another project`,
  })),
  {
    id: 'M26',
    fault: 'the memory storage keeps a change request whose event it refuses',
    edits: [
      {
        file: 'src/storage/memory/index.ts',
        text: '      events.append(write.events)\n      if (write.idempotency',
        by: '      rows.set(write.changeRequest.id, row)\n      events.append(write.events)\n      if (write.idempotency',
      },
    ],
    project: 'storage',
    test: 'test/storage/contract',
    only: 'contract on memory',
  },
]
