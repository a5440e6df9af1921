import type { Settings } from '../../domain/decisions/settings'
import type { EventRow } from './events'
import type { IdempotencyKey, IdempotencyRecord } from './idempotency'

/**
 * The settings of an environment as they were read, with the version that the next write must name.
 *
 * @example
 * ```ts
 * const stored: StoredSettings = {
 *   environment: 'production',
 *   settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
 *   version: 3,
 * }
 * ```
 */
export interface StoredSettings {
  /** The environment; its project is the one given in the call. */
  readonly environment: string
  /** Null if nothing is set, but a change request exists. */
  readonly settings: Settings | null
  /** 0 if nothing is set. */
  readonly version: number
}

/**
 * The project and environment that settings belong to.
 *
 * @example
 * ```ts
 * const place: SettingsPlace = { project: 'shop', environment: 'production' }
 * const stored = await storage.findSettings(place)
 * ```
 */
export interface SettingsPlace {
  /** The project. */
  readonly project: string
  /** An environment of it. */
  readonly environment: string
}

/**
 * A write of the settings of an environment, for {@link SettingsStorage.commitSettings}.
 *
 * @example
 * ```ts
 * const write: SettingsWrite = {
 *   project: 'shop',
 *   environment: 'production',
 *   settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
 *   expectedVersion: 0,
 *   events: [],
 * }
 * ```
 */
export interface SettingsWrite extends SettingsPlace {
  /** The new settings; their version is `expectedVersion` + 1. */
  readonly settings: Settings
  /** The version that was read; 0 if nothing was set. */
  readonly expectedVersion: number
  /** Their ids are assigned in this order. */
  readonly events: readonly EventRow[]
}

/**
 * The part of a {@link Storage} that stores settings and idempotency records.
 *
 * @example
 * ```ts
 * const isEnabled = async (storage: SettingsStorage, place: SettingsPlace) =>
 *   (await storage.findSettings(place))?.settings?.changeRequestsEnabled ?? true
 * ```
 */
export interface SettingsStorage {
  /** The settings of the environment; undefined if nothing is set. */
  findSettings(place: SettingsPlace): Promise<StoredSettings | undefined>

  /** All environments of the project that have settings or change requests, by name. */
  settings(project: string): Promise<StoredSettings[]>

  /** Writes the settings and their events atomically; `false` if another writer was faster. */
  commitSettings(write: SettingsWrite): Promise<boolean>

  /** The record stored for the key; undefined if there is none, or if it was created before `since`. */
  findIdempotencyRecord(key: IdempotencyKey, since: string): Promise<IdempotencyRecord | undefined>
}
