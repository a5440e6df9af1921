// Faults of what is above the databases: retries, messages, the storage in memory. Those of src/domain: npm run mutants.
const write = 'src/operations/runtime/aggregate-writer.ts'
const reads = 'src/storage/knex/shared/reads.ts'
const retries = { project: 'storage', test: 'test/storage/model/idempotency' }

module.exports = [
  {
    id: 'M1-apply',
    fault: 'state and events are committed beside the transaction of the flags',
    why: 'On SQLite, whose pool has one connection, it would wait for itself.',
    edits: [
      {
        file: 'src/operations/change-requests/apply.ts',
        text: 'writer.commit(loaded, decision, inside)',
        by: 'writer.commit(loaded, decision)',
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/apply.test',
    only: 'on Postgres leaves flags, state and events as they were: before COMMIT',
    build: true,
  },
  {
    id: 'M7-model',
    fault: 'an edit keeps the approvals',
    edits: [{ file: 'src/domain/votes.ts', text: 'return { approvals: [] }', by: 'return {} as never' }],
    project: 'storage',
    test: 'test/storage/model/model.test',
    only: 'on memory',
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
    id: 'M24',
    fault: 'the record for a retry is not stored',
    edits: [{ file: write, text: '      ...(idempotency === undefined ? {} : { idempotency }),\n', by: '' }],
    ...retries,
    only: 'on memory',
  },
  {
    id: 'M24-outside',
    fault: 'the record for a retry is stored in a commit of its own',
    edits: [
      {
        file: write,
        text: 'const write = this.#toWrite(loaded, chain.last, chain, idempotency?.record(chain.last))',
        by: 'const write = this.#toWrite(loaded, chain.last, chain)',
      },
      {
        file: write,
        text: 'if (!(await this.#storage.commit(write))) return undefined\n',
        by: `if (!(await this.#storage.commit(write))) return undefined
        const record = idempotency?.record(chain.last)
        if (record) await this.#storage.commit(this.#toWrite(chain.last, chain.last, { events: [] }, record))\n`,
      },
    ],
    ...retries,
    only: 'two processes that get the same call',
  },
  {
    id: 'M20',
    fault: 'a write is tried again after an error of COMMIT',
    edits: [
      {
        file: write,
        text: 'if (isLostRace(this.#storage, error)) return undefined',
        by: 'if (error) return undefined',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/half-open',
    only: 'after a commit was sent',
  },
  {
    id: 'M22',
    fault: 'the message of the driver is answered',
    edits: [
      {
        file: 'src/operations/runtime/failures.ts',
        text: "new ChangeRequestError('UnknownError', 'Something went wrong. The id of this answer stands in the log.', {",
        by: "new ChangeRequestError('UnknownError', String((error as Error).message), {",
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'at an event leaves neither',
  },
  {
    id: 'M22-mapped',
    fault: 'the message of the driver is answered, where the error is known',
    edits: [
      {
        file: 'src/operations/runtime/failures.ts',
        text: 'new ChangeRequestError(name, messages.get(failure) as string, {',
        by: 'new ChangeRequestError(name, String((error as Error).message), {',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/half-open',
    only: 'a write',
  },
  {
    id: 'M22-classified',
    fault: 'the storage is not asked what its error means',
    edits: [
      {
        file: 'src/operations/runtime/failures.ts',
        text: 'const failure = storage.failureOf(error)',
        by: 'const failure = (storage as never) && undefined',
      },
    ],
    project: 'express 5',
    test: 'test/http/pipeline/storage-failures',
  },
  {
    id: 'M22-failing',
    fault: 'a storage that fails at the question leaves the request without an answer',
    edits: [
      {
        file: 'src/operations/runtime/failures.ts',
        text: '  } catch {\n    return undefined\n',
        by: '  } catch (failed) {\n    throw failed\n',
      },
    ],
    project: 'express 5',
    test: 'test/http/pipeline/storage-failures',
    only: 'where it fails at it',
  },
  {
    id: 'M22-gateway',
    fault: 'what a statement of the gateway has met is taken for a failure of ours',
    edits: [
      {
        file: 'src/operations/runtime/failures.ts',
        text: 'throw ofStatements.includes(failureOf(storage, error)) ? gatewayFailure(error) : error',
        by: 'throw storage && error',
      },
    ],
    project: 'storage',
    test: 'test/examples/gateway-failures',
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
]
