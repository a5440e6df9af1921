import { checkNode } from '../../check-node'

export type { ApplyRecords } from '../flags/apply-records'
export type { PlainFlagsColumns } from '../flags/flag-rows'
export type { PlainFlags, PlainFlagsTable } from '../flags/plain-flags'
export { type MigrationSqlOptions, migrationSql } from '../sql/migration-sql'
export type { CommonPostgresOptions } from '../sql/postgres/options'
export type { CommonSqliteOptions, Durability } from '../sql/sqlite/options'
export { type ApplyRecordsOptions, applyRecords, type PlainFlagsOptions, plainFlags } from './flags'
export { type KnexMigration, type KnexMigrationSourceOptions, knexMigrationSource } from './migration-source'
export { type KnexStorage, type KnexStorageOptions, knexStorage } from './storage'

checkNode()
