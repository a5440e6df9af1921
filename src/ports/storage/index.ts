export type { Settings } from '../../domain/decisions/settings'
export type {
  ApplyAttempt,
  ChangeRequestFilter,
  ChangeRequestStorage,
  DueCursor,
  DuePage,
  DueTimes,
  InterruptedPage,
  ListCursor,
  ListedPage,
  ListPage,
  LoadedProposal,
  OpenKey,
  StoredChangeRequest,
  SummaryPage,
  Write,
} from './change-requests'
export type {
  EventCount,
  EventCreator,
  EventCursor,
  EventFilter,
  EventHead,
  EventPage,
  EventRow,
  EventScope,
  EventSearch,
  EventStorage,
  EventsOfDay,
  FoundEvents,
} from './events'
export { beyond, eventFingerprint, fingerprintDigits, newest } from './events'
export type { IdempotencyKey, IdempotencyRecord } from './idempotency'
export { requiredStorageMethods, storagePortVersion } from './requirements'
export type { SettingsPlace, SettingsStorage, SettingsWrite, StoredSettings } from './settings'
export type { Storage, StorageFailure, StorageHealth, StorageProblem, TransactionStorage } from './storage'
