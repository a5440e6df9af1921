import { kindOf } from '../../../../domain/content/strategy-kinds'
import { changeWords, strategyName } from '../changes'
import type { FieldRow } from '../fields/row'
import { type ReviewedChange, reachesAll, rowsOf } from '../fields/rows'
import type { SegmentNames } from '../fields/segments'
import { isBlank, isSame, type Json, objectOf, shown, textIn } from '../json'
import { counted, parsePercent, percent, points } from '../numbers'
import { joined, muted, plainText, strong, textOf, type Words } from '../spans'
import { audienceWords } from './audience'

/** A change with all that the page knows about it. */
export interface EffectChange extends ReviewedChange {
  readonly payload: Json
  /** Of a segment. */
  readonly name?: string
}

/** A change that is applied although nobody submitted it. */
export interface ComesAlong {
  readonly action: string
  readonly payload: Json
}

/** What will change in one flag or segment, in one line. */
export function effectWords(changes: readonly EffectChange[], along?: ComesAlong): Words {
  const conflict = changes.find((change) => change.conflict !== null)?.conflict
  if (conflict) return ['cannot be applied: ', lowered(conflict)]
  const parts = changes.map((change) => effectOf(change, along)).filter((words) => words.length > 0)
  const shown = parts.slice(0, most)
  const rest = parts.length > most ? [['; ', muted(`${counted(parts.length - most, 'more change')}`)]].flat() : []
  return [...joined(shown, '; '), ...rest]
}

const most = 3

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** What one change makes different. */
export function effectOf(change: EffectChange, along?: ComesAlong): Words {
  switch (change.action) {
    case 'updateEnabled':
      return switchWords(change, along)
    case 'archiveFeature':
      return [strong('archived'), ' in all environments']
    case 'addStrategy':
      return ['adds ', ...strategyWords(change.after ?? change.payload, change.segmentNames)]
    case 'deleteStrategy':
      return [`strategy “${strategyName(change.payload, change.before)}” `, strong('deleted')]
    case 'updateStrategy':
      return editedWords(change)
    case 'deleteSegment':
      return ['segment ', strong('deleted')]
    default:
      return rowsWords(change)
  }
}

/** Off is off for all users; on is for all users if the implied strategy is. */
function switchWords({ payload, before, segmentNames }: EffectChange, along: ComesAlong | undefined): Words {
  const on = objectOf(payload).enabled === true
  const now = before === null ? [] : [before.enabled === true ? 'on → ' : 'off → ']
  if (!on) return [...now, strong('off for everybody')]
  if (before?.enabled === true && along === undefined) return ['stays on']
  return [...now, strong(along?.action === 'addStrategy' ? `on for ${reachOf(along.payload, segmentNames)}` : 'on')]
}

function reachOf(strategy: Json, names?: SegmentNames): string {
  const audience = textOf(audienceWords(strategy, null, names))
  const share = reached(strategy)
  return share === percent(100) ? audience : `${share} of ${audience}`
}

/** `gradual rollout for 25 % of users in NO`. */
export function strategyWords(strategy: Json, names?: SegmentNames): Words {
  const kind = kindOf(textIn(strategy, 'name')).toLowerCase()
  const off = objectOf(strategy).disabled === true ? [', switched off'] : []
  return [plainText(kind), ' for ', strong(reachOf(strategy, names)), ...off]
}

/** `25 % → 75 % of users in NO, SE + DK`. */
function editedWords(change: EffectChange): Words {
  const rows = rowsOf(change)
  const rollout = rows.find(({ key }) => key === '/parameters/rollout')
  const moved = rows.some(isAudience)
  if (change.after === null || (!rollout?.share && !moved)) return rowsWords(change)
  const audience = audienceWords(change.after, change.before, change.segmentNames)
  const others = rows.filter((row) => row.key !== rollout?.key && !isAudience(row))
  const whom = rollout?.share ? shareWords(rollout.share) : [reached(change.after)]
  const widened = moved && reachesAll(change.after) ? [strong('everybody')] : audience
  return [...whom, ' of ', ...widened, ...downWords(rollout), ...(others.length > 0 ? ['; ', ...listRows(others)] : [])]
}

const isAudience = ({ key }: { readonly key: string }) => key.startsWith('/constraints') || key.startsWith('/segments')

/** A strategy without a rollout is for all. Text that is no percentage is shown as it is. */
function reached(strategy: Json): string {
  const { rollout = null } = objectOf(objectOf(strategy).parameters)
  if (rollout === null) return percent(100)
  const parsed = parsePercent(rollout)
  return parsed === null ? `“${shown(rollout)}” (not a percentage)` : percent(parsed)
}

function shareWords({ from, to }: NonNullable<FieldRow['share']>): Words {
  return [from === null ? 'none' : percent(from), ' → ', strong(to === null ? 'none' : percent(to))]
}

function downWords(row: FieldRow | undefined): Words {
  const { from, to } = row?.share ?? { from: null, to: null }
  const moved = from !== null && to !== null ? points(from, to) : null
  return moved && !moved.up ? [', ', strong(moved.words)] : []
}

/** The rows of the table as a list, and the heading of the change where there are none. */
function rowsWords(change: EffectChange): Words {
  const rows = rowsOf(change)
  if (rows.length > 0) return listRows(rows)
  if (change.before !== null && isSame(change.before, change.after))
    return [muted('nothing: it already has this value')]
  const { what, how } = changeWords(change, change.before ?? change.after)
  return [lowered([what, how].filter((one) => one !== '').join(' '))]
}

const maxRows = 3

function listRows(rows: readonly FieldRow[]): Words {
  const words = rows.slice(0, maxRows).map((row): Words => [`${lowered(row.label)} `, ...changeOf(row)])
  const rest = rows.length > maxRows ? [', ', muted(counted(rows.length - maxRows, 'more field'))] : []
  return [...joined(words, ', '), ...rest]
}

function changeOf({ now, after, share }: FieldRow): Words {
  if (share) return shareWords(share)
  const [from, to] = [short(textOf(now.words)), textOf(after.words)]
  return [plainText(from), ' → ', strong(short(to))]
}

/** A long text is named, not shown: the table has all of it. */
function short(text: string): string {
  return isBlank(text) || text.length <= 40 ? text : 'another text'
}
