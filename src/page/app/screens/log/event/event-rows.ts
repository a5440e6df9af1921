import { strategyName } from '../../../words/changes'
import { fieldsBetween } from '../../../words/fields/compared'
import { type FieldRow, lineOf } from '../../../words/fields/row'
import { rowsOf } from '../../../words/fields/rows'
import { isObject, type JsonObject, objectOf } from '../../../words/json'
import { joined, textOf, type Words } from '../../../words/spans'
import { type LoggedFacts, proposedChange, sidesOf } from './event-facts'

/** What an event says was there before and is there after, field by field. */
export interface EventRows {
  readonly rows: readonly FieldRow[]
  /** Whether what it is about is gone afterwards. */
  readonly isGone: boolean
  /** Whether there is a previous state: without one, the rows are facts and no difference. */
  readonly isDifference: boolean
}

const known = new WeakMap<LoggedFacts, EventRows>()

/** The rows of the table of an event, in the words of a review; a line is rendered with each step of scrolling. */
export function eventRows(event: LoggedFacts): EventRows {
  const found = known.get(event) ?? readRows(event)
  known.set(event, found)
  return found
}

function readRows(event: LoggedFacts): EventRows {
  const { before, after } = subjectOf(event)
  const fields = fieldsBetween(before, after)
  const change = { id: 0, feature: null, conflict: null, before, after, fields, action: actionOf(event) }
  const rows = rowsOf(change).map((row) => ({
    ...row,
    label: Object.hasOwn(labels, row.label) ? (labels[row.label] as string) : row.label,
  }))
  return { rows, isDifference: before !== null, isGone: after === null }
}

/** `rollout 10 % → 40 %`, for the line of an event that alters something; null where it says too much for a line. */
export function differenceWords({ rows, isDifference, isGone }: EventRows): Words | null {
  if (!isDifference || isGone || rows.length === 0) return null
  const shown = rows.slice(0, 2)
  const words = joined(shown.map(lineOf), ', ')
  if (textOf(words).length > longest) return null
  const rest = rows.length - shown.length
  return rest === 0 ? words : [...words, ` and ${rest} more`]
}

const longest = 160

/** `“Nordics”`: the strategy that came or went; null for all other events. */
export function strategyTitle({ type, data, preData }: LoggedFacts): string | null {
  if (type !== 'feature-strategy-add' && type !== 'feature-strategy-remove') return null
  const name = strategyName(objectOf(data), objectOf(preData))
  return name === '' ? null : `“${name}”`
}

/** Of a change in a request its payload, of all else the whole state. */
function subjectOf(event: LoggedFacts): { before: JsonObject | null; after: JsonObject | null } {
  const { before, after } = sidesOf(event)
  if (proposedChange(event) !== undefined) {
    return { before: payloadOf(before), after: payloadOf(after) }
  }
  return { before: before && readable(before), after: after && readable(after) }
}

function payloadOf(change: JsonObject | null): JsonObject | null {
  const payload = change?.payload
  // An order of strategies.
  if (Array.isArray(payload)) return { order: payload }
  return isObject(payload) ? payload : null
}

/** Settings of review are switches. */
function readable(state: JsonObject): JsonObject {
  const { changeRequestsEnabled } = state
  return typeof changeRequestsEnabled === 'boolean'
    ? { ...state, changeRequestsEnabled: changeRequestsEnabled ? 'on' : 'off' }
    : state
}

function actionOf({ type, data, preData }: LoggedFacts): string {
  const named = objectOf(data ?? preData).action
  if (typeof named === 'string' && !type.startsWith('change-request')) return named
  return type.startsWith('feature-strategy') ? 'updateStrategy' : ''
}

const labels: Readonly<Record<string, string | undefined>> = {
  changeRequestsEnabled: 'Change requests',
  requiredApprovals: 'Approvals',
  reviewers: 'Reviewers',
  scheduledDate: 'Scheduled for',
  reason: 'Reason',
  selfApproval: 'Own approval',
  reverts: 'Reverts',
}
