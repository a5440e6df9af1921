import { checkNode } from './check-node'

export { type ApiKey, apiKeys } from './auth/api-keys'
export { type SameOriginOptions, sameOrigin } from './auth/same-origin'
export type { RouterHealth, ScheduleHealth } from './capabilities/schedule/schedule-health'
export type { ApprovalRule, ApprovalRules } from './domain/approval/approval-rule'
export type {
  AppliedDefault,
  ApplyAttempt,
  ApprovalRecord,
  Author,
  BypassedFreeze,
  Change,
  ChangeRequest,
  Comment,
  Emergency,
  EmergencyTrace,
  Ending,
  Hold,
  JsonValue,
  Machine,
  MachineKind,
  MissingApprovals,
  NewChange,
  Person,
  PresetSchedule,
  RecordedRule,
  Schedule,
  Scheduling,
  VoidedApproval,
  Vote,
  VotedChange,
  WithdrawnSchedule,
} from './domain/change-request'
export type { ChangeRequestSummary } from './domain/content/summary'
export type { Settings } from './domain/decisions/settings'
export { type ChangeDiff, diffOf, type FieldDiff } from './domain/diff/diff'
export type { FeatureState, FlagState, Mentions, SegmentState, StrategyState, Subjects } from './domain/flag-state'
export type { Freeze, Freezes } from './domain/freezes/freeze'
export type { State } from './domain/lifecycle'
export { ChangeRequestError, type ChangeRequestErrorOptions, type ErrorDetail, type ErrorName } from './errors'
export type { DescribeWrite, GatedPlace, GateOptions, Proposed } from './gate/gate-options'
export type { Action, EventType, RecordedEvent, StepCode } from './generated/index'
export { createEventChain, type EventChain, type EventChainOptions, type Verification } from './ledger/event-chain'
export { fileLedger } from './ledger/file-ledger'
export type { OpenApiDocument, OpenApiOptions } from './openapi'
export type { Limits } from './options/limits'
export type { ChangeRequestRouterOptions } from './options/router-options'
export type { Actor, Authenticate, Authorize, Grant, Permission, Scope } from './ports/access'
export {
  type Consumer,
  type ConsumerContext,
  ConsumerRetry,
  type ConsumerStart,
  ConsumerStop,
  type ConsumersHealth,
  type LogFilter,
} from './ports/consumers'
export type { Directory, Environment } from './ports/directory'
export type { EventCheckpoint, EventLedger } from './ports/event-ledger'
export type { EventFollowOptions, EventReadOptions, EventReadPage } from './ports/event-log'
export type {
  ApplicableChange,
  ApplyContext,
  CurrentOptions,
  FlagEvent,
  FlagGateway,
  Settlement,
  SyncFlagGateway,
} from './ports/flags'
export type { Logger } from './ports/logger'
export type { Playground } from './ports/playground'
export type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  ChangeRequestStorage,
  DueChangeRequest,
  DueCursor,
  DuePage,
  DueTimes,
  FoundReviews,
  GroupFilter,
  GroupKey,
  HoldWrite,
  InterruptedApply,
  InterruptedPage,
  ListCursor,
  ListedPage,
  ListPage,
  LoadedProposal,
  OpenKey,
  ReviewCase,
  ReviewCursor,
  ReviewSearch,
  StoredChangeRequest,
  SubjectRange,
  SummaryPage,
  Write,
  WriteBefore,
} from './ports/storage/change-requests'
export type {
  ConsumerPosition,
  ConsumerStatus,
  ConsumerStorage,
  ConsumerWrite,
  StoredConsumer,
} from './ports/storage/consumers'
export type {
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
} from './ports/storage/events'
export type { IdempotencyKey, IdempotencyRecord } from './ports/storage/idempotency'
export type { SettingsPlace, SettingsStorage, SettingsWrite, StoredSettings } from './ports/storage/settings'
export type {
  Storage,
  StorageFailure,
  StorageHealth,
  StorageProblem,
  StorageReplication,
  TransactionStorage,
} from './ports/storage/storage'
export type { User, UserDirectory } from './ports/users'
export type { Validate, ValidationContext } from './ports/validate'
export { createChangeRequestRouter } from './router'
export type { ChangeRequestRouter, CloseOptions, ScheduleRun } from './router/change-request-router'
export type { EventLog, RecordOptions } from './router/event-log'
export { memoryStorage } from './storage/memory'
export { unleashRules } from './unleash-rules'

checkNode()
