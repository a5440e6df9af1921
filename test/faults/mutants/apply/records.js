// Faults of the gateways and records in the database of the flags.
const [flags, rows, records] = ['plain-flags', 'flag-rows', 'apply-records'].map(
  (name) => `src/storage/flags/${name}.ts`,
)

function mutant(id, fault, file, text, by, test, only) {
  return { id, fault, edits: [{ file, text, by }], project: 'storage', test: `test/storage/flags/${test}`, only }
}

const permanently = 'rejects an id permanently'

module.exports = [
  mutant(
    'F1-lock',
    'plain flags are read without a lock',
    'src/storage/knex/flags/plain-flags.ts',
    'return lock ? query.forUpdate() : query',
    'return lock ? query : query',
    'plain-flags',
    'locks the rows',
  ),
  mutant(
    'F1-outdated',
    'plain flags are not read again for a second apply in a transaction',
    flags,
    'locked.delete(transaction as object)',
    'void transaction',
    'plain-flags',
    'on SQLite reads the flags again',
  ),
  mutant(
    'F1-number',
    'plain flags write booleans into columns of numbers',
    rows,
    'numeric.has(property) ? Number(value) :',
    'numeric.size > 9 ? Number(value) :',
    'plain-flags',
    'works with case mappers',
  ),
  mutant(
    'F2-outcome',
    'outcome leaves no trace of an id that was not applied',
    records,
    'storedEvents(await claim(transaction, applyId, null))',
    "storedEvents((await claim(transaction, 'other', null)) && { attempt: null, events: null })",
    'apply-records',
    permanently,
  ),
  mutant(
    'F2-late',
    'an id that was reported as not applied is applied',
    records,
    'if (record.attempt !== attempt) return earlierEvents(record, applyId)\n        const json',
    'if (record.events !== null) return earlierEvents(record, applyId)\n        const json',
    'apply-records',
    permanently,
  ),
  mutant(
    'F2-transaction',
    'the work of an apply record is not part of its transaction',
    'src/storage/knex/flags/apply-records.ts',
    'return work(transaction)',
    'return work(knex as never)',
    'apply-records',
    'on Postgres leaves nothing of work that failed',
  ),
]
