import { type Migration, migrations } from '../../../src/storage/knex/migrations'
import type { Names } from '../../../src/storage/knex/shared/database'

const addNote = ({ table, index }: Names) => [
  `alter table ${table('settings')} add column note text`,
  `create index ${index('settings_note')} on ${table('settings')} (note)`,
]

/** The migrations of this release, and one as a later release may bring it. */
export const withSecond: readonly Migration[] = [
  ...migrations,
  { name: '0002_note', postgres: addNote, partitionedPostgres: addNote, sqlite: addNote },
]
