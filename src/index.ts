export type {
  Change,
  ChangeRequest,
  Comment,
  JsonValue,
  NewChange,
  Person,
  Schedule,
  Vote,
} from './domain/change-request'
export type { State } from './domain/lifecycle'
export { ChangeRequestError, type ChangeRequestErrorOptions, type ErrorDetail, type ErrorName } from './errors'
export type {
  Action,
  ChangeRequestView,
  ErrorView,
  EventListView,
  EventType,
  EventView,
  ProblemView,
  RecordedEvent,
  SubmittedChange,
} from './generated/index'
export type { ChangeRequestRouterOptions, Limits } from './options'
export type { Actor, Authenticate, Authorize, Grant, Permission, Scope } from './ports/access'
export { type ApiKey, apiKeys } from './ports/api-keys'
export type { Directory } from './ports/directory'
export type { Logger } from './ports/logger'
export type {
  EventCursor,
  EventHead,
  EventPage,
  EventRow,
  EventScope,
  OpenKey,
  Storage,
  StorageHealth,
  StoredChangeRequest,
  TransactionStorage,
  Write,
} from './ports/storage'
export { type ChangeRequestRouter, createChangeRequestRouter, type EventLog, type RecordOptions } from './router'
export { memoryStorage } from './storage/memory'
