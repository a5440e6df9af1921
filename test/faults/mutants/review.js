// Faults of the rules of the review, and of closing.
const rules = { project: 'unit', test: 'test/domain/review' }

module.exports = [
  {
    id: 'T52-order',
    fault: 'the changes reach the gateway in the order in which they were proposed',
    edits: [
      {
        file: 'src/domain/flags/apply-order.ts',
        text: 'return planned.sort((one, other) => place(one) - place(other))',
        by: 'return planned.sort((one, other) => 0 * (place(one) - place(other)))',
      },
    ],
    project: 'unit',
    test: 'test/domain/flags/apply-order',
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
    only: 'SQLite switches a flag on for those of its new strategy alone',
    build: true,
  },
  {
    id: 'T53-close',
    fault: 'close waits for ever',
    edits: [{ file: 'src/router.ts', text: "await withinTime(timeoutMs, 'close', closing)", by: 'await closing()' }],
    project: 'express 5',
    test: 'test/http/pipeline/failing-hooks',
    only: 'resolves in its time',
  },
  {
    id: 'T48-comments',
    fault: 'comments are not bounded in bytes',
    edits: [
      {
        file: 'src/domain/content/size.ts',
        text: 'const bytes = jsonBytes(comments)\n',
        by: 'const bytes = jsonBytes(comments) * 0\n',
      },
    ],
    ...rules,
    only: 'is bounded in number and bytes of its comments',
  },
  {
    id: 'T49-changes',
    fault: 'changes are not bounded in bytes',
    edits: [
      {
        file: 'src/domain/content/size.ts',
        text: 'if (bytes <= limits.bytes || bytes <=',
        by: 'if (bytes > 0 || bytes <=',
      },
    ],
    ...rules,
    only: 'is bounded in the bytes of its changes',
  },
  {
    id: 'T49-shrink',
    fault: 'what is too large already cannot be made smaller',
    edits: [
      {
        file: 'src/domain/content/size.ts',
        text: 'if (bytes <= limits.bytes || bytes <= bytesOf(before)) return',
        by: 'if (bytes <= limits.bytes) return',
      },
    ],
    ...rules,
    only: 'is only refused to grow',
  },
  {
    id: 'T7',
    fault: 'a draft escapes a minimum that was raised',
    edits: [
      {
        file: 'src/domain/review.ts',
        text: 'Math.max(current.minApprovals, occasion.requiredApprovals)',
        by: 'current.minApprovals',
      },
    ],
    ...rules,
    only: 'with a minimum of 1',
  },
]
