import { checkNode } from '../../../check-node'

export type { ApplyRecords, SyncApplyRecords } from '../../flags/apply-records'
export type { PlainFlagsColumns } from '../../flags/flag-rows'
export type { PlainFlags, PlainFlagsTable, SyncPlainFlags } from '../../flags/plain-flags'
export { type MigrationSqlOptions, migrationSql } from '../../sql/migration-sql'
export type { Durability } from '../../sql/sqlite/durability'
export type { CommonSqliteOptions } from '../../sql/sqlite/options'
export { type ApplyRecordsOptions, applyRecords } from './flags/apply-records'
export { type PlainFlagsOptions, plainFlags } from './flags/plain-flags'
export type { SqliteDatabase } from './host'
export { type SqliteStorage, type SqliteStorageOptions, sqliteStorage } from './storage'

checkNode()
