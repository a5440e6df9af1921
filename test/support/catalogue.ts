import type { Knex } from 'knex'

/** The schema of the tables with this prefix: columns, indexes, constraints, the version rows. */
export async function catalogue(knex: Knex, prefix = 'ffcr_'): Promise<unknown> {
  const like = `${prefix.replaceAll('_', '\\_')}%`
  const version = await knex(`${prefix}meta`).select('name', 'value').orderBy('name')
  if (knex.client.driverName !== 'pg') {
    const found = knex('sqlite_master').select('type', 'name', 'tbl_name', 'sql').orderBy(['type', 'name'])
    const rows = await found.whereRaw(`tbl_name like ? escape '\\'`, [like])
    return { version, rows, journal: await knex.raw('pragma journal_mode') }
  }
  const [{ schema }] = (await knex.raw('select current_schema() as schema')).rows
  const ask = async (text: string) => (await knex.raw(text, [schema, like])).rows
  const found = {
    version,
    columns: await ask(`select table_name, column_name, ordinal_position, data_type, is_nullable, column_default,
        is_identity, identity_generation
      from information_schema.columns where table_schema = ? and table_name like ? order by 1, 3`),
    indexes: await ask(`select tablename, indexname, indexdef from pg_indexes
      where schemaname = ? and tablename like ? order by 1, 2`),
    constraints: await ask(`select c.relname, k.conname, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.connamespace = ?::regnamespace and c.relname like ? order by 1, 2`),
    sequences: await ask(`select sequencename, data_type, start_value, increment_by, last_value from pg_sequences
      where schemaname = ? and sequencename like ? order by 1`),
  }
  return JSON.parse(JSON.stringify(found).replaceAll(schema, 'the schema'))
}
