// Faults of what is above the databases: retries, messages, the storage in memory.

module.exports = [
  {
    id: 'M20',
    fault: 'a write is tried again after an error of COMMIT',
    edits: [
      { file: 'src/operations/write.ts', text: 'if (isLostRace(error)) return false', by: 'if (error) return false' },
    ],
    project: 'faults',
    test: 'test/faults/half-open',
    only: 'after a commit was sent',
  },
  {
    id: 'M22',
    fault: 'the message of the driver is answered',
    edits: [
      {
        file: 'src/operations/failures.ts',
        text: "new ChangeRequestError('UnknownError', 'Something went wrong. The id of this answer stands in the log.', {",
        by: "new ChangeRequestError('UnknownError', String((error as Error).message), {",
      },
    ],
    project: 'faults',
    test: 'test/faults/commit',
    only: 'at an event leaves neither',
  },
  {
    id: 'M22-mapped',
    fault: 'the message of the driver is answered, where the error is known',
    edits: [
      {
        file: 'src/operations/failures.ts',
        text: 'new ChangeRequestError(name, unavailable[failure], {',
        by: 'new ChangeRequestError(name, String((error as Error).message), {',
      },
    ],
    project: 'faults',
    test: 'test/faults/half-open',
    only: 'a write',
  },
  {
    id: 'M26',
    fault: 'the memory storage keeps a change request whose event it refuses',
    edits: [
      {
        file: 'src/storage/memory.ts',
        text: '      append(write.events)\n      rows.set(write.changeRequest.id, row)\n',
        by: '      rows.set(write.changeRequest.id, row)\n      append(write.events)\n',
      },
    ],
    project: 'storage',
    test: 'test/storage/contract',
    only: 'contract on memory',
  },
]
