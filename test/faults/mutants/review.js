// Faults of what is decided on, carried out and told: four eyes to the letter, hooks that fail, bounds in bytes.
const existing = 'src/operations/change-requests/existing.ts'
const apply = 'src/operations/change-requests/apply.ts'
const facts = { project: 'unit', test: 'test/operations/change-requests/facts-first' }
const byDefault = { project: 'unit', test: 'test/operations/change-requests/default-changes' }
const gateway = { project: 'unit', test: 'test/operations/flags/gateway' }
const hooks = { project: 'unit', test: 'test/operations/runtime/hooks' }

module.exports = [
  {
    id: 'T50',
    fault: 'a vote is decided on other content than it arrived for',
    edits: [
      {
        file: existing,
        text: 'write.precondition?.(facts, sameContent)',
        by: 'write.precondition?.(facts, true || sameContent)',
      },
    ],
    ...facts,
    only: 'an approval is refused',
  },
  {
    id: 'T50-apply',
    fault: 'an application is decided on other content than it arrived for',
    edits: [
      {
        file: apply,
        text: 'const sameContent = digestOf(loaded.changeRequest) === content',
        by: 'const sameContent = digestOf(loaded.changeRequest) !== null || content === null',
      },
    ],
    ...facts,
    only: 'an application is refused',
  },
  {
    id: 'T50-facts',
    fault: 'facts about other content are used',
    edits: [
      {
        file: existing,
        text: 'if (!sameContent && write.precondition === undefined) throw',
        by: 'if (Date.now() < 0) throw',
      },
    ],
    ...facts,
    only: 'cancelling',
  },
  {
    id: 'T50-digest',
    fault: 'the digest in the body is not compared',
    edits: [
      {
        file: 'src/operations/runtime/preconditions.ts',
        text: 'const seen = sameContent && (digest === null || digest === present)',
        by: 'const seen = sameContent && (digest === null || present !== digest || digest === present)',
      },
    ],
    ...facts,
    only: 'by a digest in the body',
  },
  {
    id: 'T50-queue',
    fault: 'the gateway is asked while others wait for their turn',
    edits: [
      {
        file: existing,
        text: 'const facts = (await write.gather?.(found)) as Facts',
        by: 'let facts = undefined as Facts',
      },
      {
        file: existing,
        text: '() => storage.find({ project }, id), command)',
        by: 'async () => { facts = (await write.gather?.(found)) as Facts; return storage.find({ project }, id) }, command)',
      },
    ],
    ...facts,
    only: 'no hook is awaited',
  },
  {
    id: 'T51',
    fault: 'the digest leaves out what comes along by default',
    edits: [
      {
        file: 'src/operations/flags/flag-state.ts',
        text: 'digest: digestOf(changeRequest, defaultChanges)',
        by: 'digest: digestOf(changeRequest)',
      },
    ],
    ...byDefault,
    only: 'that came after the approval',
  },
  {
    id: 'T51-inside',
    fault: 'what was read before the transaction is not read again in it',
    edits: [
      {
        file: apply,
        text: 'checkInOrder(services, input, plan, true)',
        by: 'if (Date.now() < 0) checkInOrder(services, input, plan, true)',
      },
    ],
    project: 'storage',
    test: 'test/storage/model/apply-together',
    only: 'Postgres what the flags are is read again',
  },
  {
    id: 'T52',
    fault: 'the gateway gets the stored payloads',
    edits: [
      {
        file: apply,
        text: 'return structuredClone(inApplyOrder(changes, defaultChanges))',
        by: 'return inApplyOrder(changes, defaultChanges)',
      },
    ],
    ...gateway,
    only: 'leaves the stored change request',
  },
  {
    id: 'T52-snapshot',
    fault: 'snapshots are taken from what the gateway holds',
    edits: [
      {
        file: apply,
        text: 'return { ...outlook, before: structuredClone(outlook.before) }',
        by: 'return { ...outlook, before: outlook.before }',
      },
    ],
    ...gateway,
    only: 'keeps snapshots',
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
    id: 'T53',
    fault: 'a hook may take for ever',
    edits: [
      {
        file: 'src/operations/runtime/call-hook.ts',
        text: 'return await Promise.race([answer, deadline])',
        by: 'return await answer',
      },
    ],
    ...hooks,
    only: 'flags.current hangs: approve',
  },
  {
    id: 'T53-after',
    fault: 'a hook that fails after the commit fails the answer',
    edits: [
      {
        file: 'src/operations/change-requests/describe.ts',
        text: "describes === 'what is read' ? asking :",
        by: "describes !== 'nothing' as never ? asking :",
      },
    ],
    ...hooks,
    only: 'throws: POST changes',
  },
  {
    id: 'T53-close',
    fault: 'close waits for ever',
    edits: [{ file: 'src/router.ts', text: "await withinTime(timeoutMs, 'close', closing)", by: 'await closing()' }],
    ...hooks,
    only: 'resolves in its time',
  },
  {
    id: 'T53-close-apply',
    fault: 'close does not wait for an application',
    edits: [{ file: apply, text: 'writer.track(finish(services, step))', by: 'finish(services, step)' }],
    ...hooks,
    only: 'waits for an application',
  },
]
