import { checkNode } from '../../../check-node'

export type { ApplyRecords, SyncApplyRecords } from '../../flags/apply-records'
export type { PlainFlagsColumns } from '../../flags/flag-rows'
export type { PlainFlags, PlainFlagsTable, SyncPlainFlags } from '../../flags/plain-flags'
export { type MigrationSqlOptions, migrationSql } from '../../sql/migration-sql'
export type { CommonSqliteOptions, Durability } from '../../sql/sqlite/options'
export { type ApplyRecordsOptions, applyRecords, type PlainFlagsOptions, plainFlags } from './flags'
export type { SqliteDatabase } from './handle'
export { type SqliteStorage, type SqliteStorageOptions, sqliteStorage } from './storage'

checkNode()
