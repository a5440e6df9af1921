// Faults of the gateways and records in the database of the flags.
const [table, records] = ['src/storage/knex/flags/plain-flags-table.ts', 'src/storage/knex/flags/apply-records.ts']

function mutant(id, fault, file, text, by, test, only) {
  return { id, fault, edits: [{ file, text, by }], project: 'storage', test: `test/storage/knex/flags/${test}`, only }
}

const permanently = 'rejects an id permanently'

module.exports = [
  mutant(
    'F1-lock',
    'plain flags are read without a lock',
    table,
    'await (lock ? select.forUpdate() : select)',
    'await (lock ? select : select)',
    'plain-flags',
    'locks the rows',
  ),
  mutant(
    'F1-outdated',
    'plain flags are not read again for a second apply in a transaction',
    'src/storage/knex/flags/plain-flags.ts',
    'locked.delete(transaction)',
    'void transaction',
    'plain-flags',
    'on SQLite reads the flags again',
  ),
  mutant(
    'F1-number',
    'plain flags write booleans into columns of numbers',
    table,
    'numeric.has(property) ? Number(value) : value',
    'numeric.size > 9 ? Number(value) : value',
    'plain-flags',
    'works with case mappers',
  ),
  mutant(
    'F2-outcome',
    'outcome leaves no trace of an id that was not applied',
    records,
    'storedEvents(await claim(transaction, applyId, null))',
    "storedEvents((await transaction(table).first('attempt', 'events').where({ apply_id: applyId })) ?? { attempt: null, events: null })",
    'apply-records',
    permanently,
  ),
  mutant(
    'F2-late',
    'an id that was reported as not applied is applied',
    records,
    'if (record.attempt !== attempt) return',
    'if (record.events !== null) return',
    'apply-records',
    permanently,
  ),
  mutant(
    'F2-transaction',
    'the work of an apply record is not part of its transaction',
    records,
    'await work(transaction)',
    'await work(knex as never)',
    'apply-records',
    'on Postgres leaves nothing of work that failed',
  ),
]
