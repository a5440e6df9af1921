import { checkNode } from './check-node'

export { type ApiKey, apiKeys } from './auth/api-keys'
export { type SameOriginOptions, sameOrigin } from './auth/same-origin'
export type { RouterHealth, ScheduleHealth } from './capabilities/schedule/schedule-health'
export type { ApprovalRule, ApprovalRules } from './domain/approval/approval-rule'
export type {
  AppliedDefault,
  ApplyAttempt,
  ApplyTrace,
  ApprovalRecord,
  Author,
  BypassedFreeze,
  BypassedObjection,
  Change,
  ChangeRequest,
  CheckReport,
  Comment,
  CountedApproval,
  CustomField,
  Emergency,
  EmergencyTrace,
  Ending,
  Hold,
  JsonValue,
  Machine,
  MachineKind,
  MissingApprovals,
  MissingCheck,
  NewChange,
  Objection,
  ObjectionEnding,
  OverwrittenField,
  Person,
  PresetSchedule,
  RecordedCheck,
  RecordedRequirement,
  RecordedRule,
  Schedule,
  Scheduling,
  TracedCheck,
  TrialResult,
  VoidedApproval,
  Vote,
  VotedChange,
  VotedContent,
  WithdrawnSchedule,
} from './domain/change-request'
export type { Check, Checks } from './domain/checks/check'
export type { ChangeRequestSummary } from './domain/content/summary'
export type { CustomFieldSchema, CustomFields } from './domain/custom-fields/custom-fields'
export type { EnvironmentWithoutSettings, SettingOrFunction, Settings } from './domain/decisions/settings'
export { type ChangeDiff, diffOf, type FieldDiff } from './domain/diff/diff'
export type { FeatureState, FlagState, Mentions, SegmentState, StrategyState, Subjects } from './domain/flag-state'
export type { Freeze, Freezes } from './domain/freezes/freeze'
export type { State } from './domain/lifecycle'
export type { LinkTemplates } from './domain/links'
export type { FieldCondition } from './domain/rules/altered-fields'
export type { RuleCondition, RuleMode } from './domain/rules/condition'
export { ChangeRequestError, type ChangeRequestErrorOptions, type ErrorDetail, type ErrorName } from './errors'
export type { DescribeWrite, GatedPlace, GateOptions, Proposed } from './gate/gate-options'
export type { Action, CheckStatus, EventType, RecordedEvent, StepCode } from './generated/index'
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
export type * from './ports/directory'
export type * from './ports/event-ledger'
export type * from './ports/event-log'
export type * from './ports/flags'
export type * from './ports/logger'
export type * from './ports/playground'
export type * from './ports/storage/change-requests'
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
export type { ConsumerGauge, CountedChangeRequests, StoredGauges } from './ports/storage/gauges'
export type * from './ports/storage/idempotency'
export type {
  ChangeRequestColumns,
  Inspected,
  InspectedChangeRequest,
  InspectedConsumer,
  InspectedCounts,
  InspectedEvent,
  InspectionPage,
  InspectionPart,
  MissingTable,
  StorageInspection,
} from './ports/storage/inspection'
export type * from './ports/storage/settings'
export type * from './ports/storage/storage'
export type { TelemetryMeter, TelemetryObserver, TelemetryOptions, TelemetryTracer } from './ports/telemetry'
export type * from './ports/users'
export type * from './ports/validate'
export { createChangeRequestRouter } from './router'
export type { ChangeRequestRouter, CloseOptions, ScheduleRun } from './router/change-request-router'
export type { EventLog, RecordOptions } from './router/event-log'
export { memoryStorage } from './storage/memory'
export { unleashRules } from './unleash-rules'
export type { VerifyCode, VerifyFinding } from './verify/findings'
export {
  type VerifyLedger,
  type VerifyOptions,
  type VerifyProgress,
  type VerifyResult,
  verifyStorage,
} from './verify/verify-storage'

checkNode()
