import { checkNode } from '../../../check-node'

export type { ApplyRecords } from '../../flags/apply-records'
export type { PlainFlagsColumns } from '../../flags/flag-rows'
export type { PlainFlags, PlainFlagsTable } from '../../flags/plain-flags'
export { type MigrationSqlOptions, migrationSql } from '../../sql/migration-sql'
export type { CommonPostgresOptions } from '../../sql/postgres/options'
export type { PostgresAccess } from './access'
export { type ApplyRecordsOptions, applyRecords } from './flags/apply-records'
export { type PlainFlagsOptions, plainFlags } from './flags/plain-flags'
export type { PostgresClient, PostgresPool } from './host'
export { type PostgresStorage, type PostgresStorageOptions, postgresStorage } from './storage'

checkNode()
