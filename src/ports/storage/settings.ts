import type { Settings } from '../../domain/decisions/settings'
import type { EventRow } from './events'
import type { IdempotencyKey, IdempotencyRecord } from './idempotency'

/** The settings of an environment as they were read, with the version that the next write must name. */
export interface StoredSettings {
  /** The environment; its project is the one given in the call. */
  readonly environment: string
  /** Null if nothing is set, but a change request exists. */
  readonly settings: Settings | null
  /** 0 if nothing is set. */
  readonly version: number
}

/** The project and environment that settings belong to. */
export interface SettingsPlace {
  /** The project. */
  readonly project: string
  /** An environment of it. */
  readonly environment: string
}

/** A write of the settings of an environment, for {@link SettingsStorage.commitSettings}. */
export interface SettingsWrite extends SettingsPlace {
  /** The new settings; their version is `expectedVersion` + 1. */
  readonly settings: Settings
  /** The version that was read; 0 if nothing was set. */
  readonly expectedVersion: number
  /** Their ids are assigned in this order. */
  readonly events: readonly EventRow[]
}

/** The part of a {@link Storage} that stores settings and idempotency records. */
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
