import { type Migration, migrations } from '../../../src/storage/sql/migrations'

const addNote = `
alter table {{settings}} add column note text;

create index {{index settings_note}} on {{settings}} (note);
`

/** The migrations of this release, and one that a later release might add. */
export const withSecond: readonly Migration[] = [
  ...migrations,
  { name: '0002_note', compatibleFrom: 1, postgres: addNote, sqlite: addNote },
]
