import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020'
import acknowledgement from '#schemas/acknowledgement.json'
import approversUpdate from '#schemas/approvers-update.json'
import commentSubmission from '#schemas/comment-submission.json'
import eventRecord from '#schemas/event-record.json'
import playgroundRequest from '#schemas/playground-request.json'
import rebase from '#schemas/rebase.json'
import revert from '#schemas/revert.json'
import settingsUpdate from '#schemas/settings-update.json'
import rebasedChange from '#schemas/shared/change-requests/rebased-change.json'
import eventData from '#schemas/shared/events/event-data.json'
import eventType from '#schemas/shared/events/event-type.json'
import tag from '#schemas/shared/events/tag.json'
import tags from '#schemas/shared/events/tags.json'
import name from '#schemas/shared/name.json'
import planSafeguard from '#schemas/shared/safeguards/plan-safeguard.json'
import planSafeguardRemoval from '#schemas/shared/safeguards/plan-safeguard-removal.json'
import safeguard from '#schemas/shared/safeguards/safeguard.json'
import segmentId from '#schemas/shared/segment-id.json'
import state from '#schemas/shared/states/state.json'
import stateUpdateScheduled from '#schemas/shared/states/state-update-scheduled.json'
import stateUpdateUnscheduled from '#schemas/shared/states/state-update-unscheduled.json'
import constraint from '#schemas/shared/strategies/constraint.json'
import constraints from '#schemas/shared/strategies/constraints.json'
import flagVariant from '#schemas/shared/strategies/flag-variant.json'
import operator from '#schemas/shared/strategies/operator.json'
import parameters from '#schemas/shared/strategies/parameters.json'
import strategyUpdate from '#schemas/shared/strategies/strategy-update.json'
import strategyVariant from '#schemas/shared/strategies/strategy-variant.json'
import strategyVariantClosed from '#schemas/shared/strategies/strategy-variant-closed.json'
import variantPayload from '#schemas/shared/strategies/variant-payload.json'
import title from '#schemas/title.json'
import { changeSchemas } from '../change-schemas'
import { addFormats } from './formats'

const sharedSchemas = [
  constraint,
  constraints,
  eventData,
  eventType,
  flagVariant,
  name,
  operator,
  parameters,
  planSafeguard,
  planSafeguardRemoval,
  rebasedChange,
  safeguard,
  segmentId,
  state,
  stateUpdateScheduled,
  stateUpdateUnscheduled,
  strategyUpdate,
  strategyVariant,
  strategyVariantClosed,
  tag,
  tags,
  variantPayload,
]

const bodySchemas = {
  acknowledgement,
  approversUpdate,
  commentSubmission,
  playgroundRequest,
  rebase,
  revert,
  settingsUpdate,
  stateUpdateScheduled,
  stateUpdateUnscheduled,
  title,
}

const compiled = new Map<string, ValidateFunction>()
let ajv: Ajv2020 | undefined

// Loaded on first use: Ajv takes longer to load than the rest of the package. With require, because import() is
// asynchronous; bundlers follow it.
function loadAjv(): typeof Ajv2020 {
  // biome-ignore lint/style/noCommonJs: see above
  const ajv2020: typeof import('ajv/dist/2020') = require('ajv/dist/2020')
  return ajv2020.Ajv2020
}

// The check against the meta-schema takes longer than compiling all schemas, so a test does it.
// allErrors is off: with it, a body of 150 kB could cause 150,000 errors.
function createAjv(): Ajv2020 {
  const Ajv = loadAjv()
  const created = new Ajv({
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    meta: false,
    validateSchema: false,
  })
  addFormats(created)
  created.addSchema(sharedSchemas)
  return created
}

function compileOnce(key: string, schema: object): ValidateFunction {
  const known = compiled.get(key)
  if (known) return known
  ajv ??= createAjv()
  const validate = ajv.compile(schema)
  compiled.set(key, validate)
  return validate
}

/** The validator of a submitted change by its action; undefined for an unknown action. */
export function validatorOfAction(action: unknown): ValidateFunction | undefined {
  const schema = typeof action === 'string' ? changeSchemas.get(action) : undefined
  return schema && compileOnce(action as string, schema)
}

/** The validator of an event that the host records. */
export function validatorOfRecordedEvent(): ValidateFunction {
  return compileOnce('recorded event', eventRecord)
}

/** The validator of a body without changes. State updates have two: one for Scheduled and one for all other states. */
export function validatorOfBody(kind: keyof typeof bodySchemas): ValidateFunction {
  return compileOnce(`body ${kind}`, bodySchemas[kind])
}
