// Faults in rules and operations that only show with a model run, a database or a server. `npm run mutants` covers the others.
module.exports = [
  {
    id: 'M26',
    fault: 'the memory storage stores a change request whose event it rejects',
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
  {
    id: 'T53-close',
    fault: 'close waits forever',
    edits: [{ file: 'src/router/index.ts', text: "await withinTime(waitMs, 'close', closing)", by: 'await closing()' }],
    project: 'express 5',
    test: 'test/http/pipeline/failing-hooks',
    only: 'resolves within its timeout',
  },
]
