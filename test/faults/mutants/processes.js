// Faults in operations whose damage shows in a real database, in another process or to a client. The unit tests of
// src/capabilities and src/kernel detect most of them as well; these runs show that the guarantee itself breaks.
const write = 'src/kernel/writer/aggregate-writer.ts'

module.exports = [
  {
    id: 'M1-apply',
    fault: 'state and events are committed outside the transaction of the flags',
    why: 'On SQLite, whose pool has one connection, it would wait for itself.',
    edits: [
      {
        file: 'src/capabilities/apply/apply-in-transaction.ts',
        text: 'writer.commit(loaded, decision, transactionStorage)',
        by: 'writer.commit(loaded, decision)',
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/apply.test',
    only: 'on Postgres leaves flags, state and events unchanged: before COMMIT',
    build: true,
  },
  {
    id: 'M4-head-streams',
    fault: 'a follower continues from the head that was known after its page was read',
    edits: [
      {
        file: 'src/kernel/log/event-feed.ts',
        text: 'return head.id > found.id ? head : found',
        by: 'return this.head > found.id ? this.#head : found',
      },
    ],
    project: 'faults',
    test: 'test/faults/events/event-followers',
  },
  {
    id: 'M20',
    fault: 'a write is retried after an error of COMMIT',
    edits: [
      {
        file: 'src/kernel/writer/retry-on-conflict.ts',
        text: 'if (isLostRace(storage, error)) return { next: state }',
        by: 'if (error) return { next: state }',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/half-open',
    only: 'after a commit was sent',
  },
  {
    id: 'M22',
    fault: 'the message of the driver is returned to the caller',
    edits: [
      {
        file: 'src/kernel/host/failures.ts',
        text: "new ChangeRequestError('UnknownError', 'Something went wrong. Look up this id in the server log.', {",
        by: "new ChangeRequestError('UnknownError', String((error as Error).message), {",
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'at an event stores neither',
  },
  {
    id: 'M24-outside',
    fault: 'the idempotency record is stored in a separate commit',
    edits: [
      {
        file: write,
        text: 'const write = this.#toWrite(loaded.current, decided.last, decided, record)',
        by: 'const write = this.#toWrite(loaded.current, decided.last, decided)',
      },
      {
        file: write,
        text: 'if (!won) return undefined\n',
        by: `if (!won) return undefined
        if (record) await this.#storage.commit(this.#toWrite(decided.last, decided.last, { events: [] }, record))\n`,
      },
    ],
    project: 'storage',
    test: 'test/storage/model/idempotency',
    runs: 100,
    only: 'two processes that get the same call',
  },
]
