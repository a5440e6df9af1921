import { checkNode } from '../../check-node'

export type { ApplyRecords } from '../flags/apply-records'
export type { PlainFlagsColumns } from '../flags/flag-rows'
export type { PlainFlags, PlainFlagsTable } from '../flags/plain-flags'
export { type MigrationSqlOptions, migrationSql } from '../sql/migration-sql'
export type { CommonPostgresOptions } from '../sql/postgres/options'
export type { Durability } from '../sql/sqlite/durability'
export type { CommonSqliteOptions } from '../sql/sqlite/options'
export { type ApplyRecordsOptions, applyRecords } from './flags/apply-records'
export { type PlainFlagsOptions, plainFlags } from './flags/plain-flags'
export { type KnexMigration, type KnexMigrationSourceOptions, knexMigrationSource } from './migration-source'
export type { KnexStorageOptions } from './options'
export { type KnexStorage, knexStorage } from './storage'

checkNode()
