// Faults of the rules and operations that only a model run, a database or a server can show; for all others see `npm run mutants`.
module.exports = [
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
  {
    id: 'T53-close',
    fault: 'close waits for ever',
    edits: [
      { file: 'src/router/index.ts', text: "await withinTime(timeoutMs, 'close', closing)", by: 'await closing()' },
    ],
    project: 'express 5',
    test: 'test/http/pipeline/failing-hooks',
    only: 'resolves in its time',
  },
]
