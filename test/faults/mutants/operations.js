// Faults of the rules and operations that only a model run, a database or a server can show; for all others see `npm run mutants`.
module.exports = [
  {
    id: 'M7-model',
    fault: 'an edit keeps the approvals',
    edits: [{ file: 'src/domain/votes.ts', text: 'return { approvals: [] }', by: 'return {} as never' }],
    project: 'storage',
    test: 'test/storage/model/model.test',
    only: 'on memory',
  },
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
    id: 'T52-order-store',
    fault: 'the changes reach the store of the example in the order in which they were proposed',
    edits: [
      {
        file: 'src/domain/flags/apply-order.ts',
        text: 'return planned.sort((one, other) => place(one) - place(other))',
        by: 'return planned.sort((one, other) => 0 * (place(one) - place(other)))',
      },
    ],
    project: 'storage',
    test: 'test/examples/flag-store-review',
    only: 'switches a flag on for those of its new strategy alone',
    build: true,
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
  {
    id: 'T51-review',
    fault: 'the review knows another digest than the step: it leaves out what comes along by default',
    edits: [
      {
        file: 'src/operations/review/review.ts',
        text: 'const digest = digestOf(changeRequest, described.defaultChanges)',
        by: 'const digest = digestOf(changeRequest)',
      },
    ],
    project: 'storage',
    test: 'test/storage/review',
    only: 'on memory',
  },
  {
    id: 'M8-steps',
    fault: 'who made a change votes on it',
    edits: [
      {
        file: 'src/domain/steps/caller-rules.ts',
        text: 'createdBy.id === id || changes.some((change) => change.createdBy.id === id)',
        by: 'createdBy.id === id',
      },
    ],
    project: 'unit',
    test: 'test/domain/steps',
  },
  {
    id: 'T51-validator-ignored',
    fault: 'what the validator says is ignored when a change request is sent to review',
    edits: [{ file: 'src/domain/steps/table.ts', text: "      content.valid('submit'),\n", by: '' }],
    project: 'unit',
    test: 'test/operations/review/validate',
  },
  {
    id: 'T51-validator-throws',
    fault: 'a refusal that the validator throws fails the review, and a schedule is tried again for a day',
    edits: [
      {
        file: 'src/operations/review/validate.ts',
        text: 'if (isRefusal(error)) return error.details',
        by: 'if (isRefusal(error) && error.name.length > 99) return error.details',
      },
    ],
    project: 'unit',
    test: 'test/operations/schedule/truth',
    only: 'the validator refuses by throwing',
  },
  {
    id: 'T51-validator-failure',
    fault: 'a validator that is out of reach counts as a refusal',
    edits: [{ file: 'src/operations/runtime/failures.ts', text: '?? 500) < 500', by: '?? 500) < 600' }],
    project: 'unit',
    test: 'test/operations/schedule/truth',
    only: 'the validator throws that it does not know yet',
  },
  {
    id: 'T51-run-order',
    fault: 'in a run, what the validator refuses hides a conflict',
    edits: [
      {
        file: 'src/domain/schedule/obstacles.ts',
        text: "const missing = allMissingFor('applyScheduled', current, facts)\n  if",
        by: "const missing = allMissingFor('applyScheduled', current, facts).slice(0, 1)\n  if",
      },
    ],
    project: 'unit',
    test: 'test/domain/schedule/obstacles',
    only: 'a conflict, whatever the validator says',
  },
  {
    id: 'T51-validator-originals',
    fault: 'the validator gets the changes themselves, and may alter them',
    edits: [
      {
        file: 'src/operations/review/validate.ts',
        text: 'structuredClone(picked)',
        by: 'picked',
      },
    ],
    project: 'unit',
    test: 'test/operations/review/validate',
    only: 'gets copies',
  },
  {
    id: 'T51-playground-draft',
    fault: 'the playground knows the draft of somebody else',
    edits: [
      {
        file: 'src/operations/review/playground.ts',
        text: 'visible(readable ? found : undefined, actor.id, id)',
        by: 'visible(readable ? found : undefined, found?.changeRequest.createdBy.id ?? null, id)',
      },
    ],
    project: 'unit',
    test: 'test/operations/review/playground',
    only: 'the same 404',
  },
]
