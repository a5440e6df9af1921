import { decidingParameter, reachedPercent } from '../../../../domain/content/reach'
import { kindOf } from '../../../../domain/content/strategy-kinds'
import { shortened } from '../../../../domain/content/title'
import { changeWords, strategyName } from '../changes'
import type { SegmentNames } from '../fields/labels'
import { parameterWords } from '../fields/parameters'
import { changeOf, type FieldRow, lineOf, lowered } from '../fields/row'
import { type ReviewedChange, rowsOf } from '../fields/rows'
import { type Json, objectOf, textIn } from '../json'
import { counted, percent, points } from '../numbers'
import { joined, muted, plainText, strong, textOf, type Words } from '../spans'
import { audienceWords, goneWords, type Restrictions, restrictionsOf } from './audience'

/** A change with all that the page knows about it. */
export interface EffectChange extends ReviewedChange {
  readonly payload: Json
  /** Of a segment. */
  readonly name?: string
}

/** A change that is applied although no user submitted it. */
export interface ImpliedChange {
  readonly action: string
  readonly payload: Json
}

/** What will change in one flag or segment, in one line. */
export function effectWords(changes: readonly EffectChange[], implied?: ImpliedChange): Words {
  const conflict = changes.find((change) => change.conflict !== null)?.conflict
  if (conflict) return ['cannot be applied: ', lowered(conflict)]
  const parts = changes.map((change) => effectOf(change, implied)).filter((words) => words.length > 0)
  const shown = parts.slice(0, most)
  const rest = parts.length > most ? [['; ', muted(`${counted(parts.length - most, 'more change')}`)]].flat() : []
  return [...joined(shown, '; '), ...rest]
}

const most = 3

interface Target {
  readonly name: string
  readonly changes: readonly EffectChange[]
  readonly implied: ImpliedChange | undefined
}

/** A title that states the effect of changes, `checkout: 65 % → 75 % of everybody`; empty without changes. */
export function titleOf(targets: readonly Target[]): string {
  return shortened(
    targets.map(({ name, ...target }) => `${name}: ${textOf(effectWords(target.changes, target.implied))}`).join('; '),
  )
}

const everywhere = ' in all environments'

/** What one change makes different. */
export function effectOf(change: EffectChange, implied?: ImpliedChange): Words {
  switch (change.action) {
    case 'updateEnabled':
      return switchWords(change, implied)
    case 'archiveFeature':
      return [strong('archived'), everywhere]
    case 'addStrategy':
      return ['adds ', ...strategyWords(change.after ?? change.payload, change.segmentNames)]
    case 'deleteStrategy':
      return [`strategy “${strategyName(change.payload, change.before)}” `, strong('deleted')]
    case 'updateStrategy':
      return editedWords(change)
    case 'deleteSegment':
      return ['segment ', strong('deleted'), everywhere]
    default:
      return rowsWords(change)
  }
}

/** Off is off for all users; on is for all users if the implied strategy is. */
function switchWords(
  { payload, before, after, segmentNames }: EffectChange,
  implied: ImpliedChange | undefined,
): Words {
  // Of a switch that a later one replaces, the payload is not what it does.
  const on = (after ?? objectOf(payload)).enabled === true
  if (before !== null && (before.enabled === true) === on && implied === undefined)
    return [`stays ${on ? 'on' : 'off'}`]
  const now = before === null ? [] : [before.enabled === true ? 'on → ' : 'off → ']
  if (!on) return [...now, strong('off for everybody')]
  if (implied?.action !== 'addStrategy') return [...now, strong('on')]
  if (reachedPercent(implied.payload) === null)
    return [...now, strong('on'), ' with ', ...strategyWords(implied.payload, segmentNames)]
  return [...now, strong(`on for ${reachWords(implied.payload, segmentNames)}`)]
}

/** Whom a strategy with a known share reaches. */
export function reachWords(strategy: Json, names?: SegmentNames): string {
  const audience = textOf(audienceWords(restrictionsOf(strategy, null, names)))
  const share = reachedPercent(strategy)
  return share === null || share === 100 ? audience : `${percent(share)} of ${audience}`
}

/** `gradual rollout for 25 % of users in NO`; of a strategy whose reach is unknown only what it is limited to. */
export function strategyWords(strategy: Json, names?: SegmentNames): Words {
  const name = textIn(strategy, 'name')
  const known = kindOf(name)
  const kind = known === name ? `“${name}”` : lowered(known)
  if (reachedPercent(strategy) !== null)
    return [plainText(kind), ' for ', strong(reachWords(strategy, names)), ...offWords(strategy)]
  const own = decidingParameter(strategy)
  const what = own ? [plainText(kind), ': ', ...parameterWords(own.name, own.value)] : [plainText(kind)]
  return [...joined([what, ...limitWords(restrictionsOf(strategy, null, names))], ', '), ...offWords(strategy)]
}

function offWords(strategy: Json): Words {
  return objectOf(strategy).disabled === true ? [', switched off'] : []
}

/** `25 % → 75 % of users in NO, SE + DK`. */
function editedWords(change: EffectChange): Words {
  const { before, after, segmentNames } = change
  const rows = rowsOf(change)
  const own = rows.find(({ key }) => key === `/parameters/${decidingParameter(after)?.name}`)
  const isMoved = rows.some(isAudience)
  if (after === null || (!own && !isMoved)) return rowsWords(change)
  const restrictions = restrictionsOf(after, before, segmentNames)
  const share = reachedPercent(after)
  const others = rows.filter((row) => row !== own && !isAudience(row))
  const whom =
    share === null
      ? [...(own ? [lineOf(own)] : []), ...limitWords(restrictions)]
      : [[...(own ? changeOf(own) : [percent(share)]), ' of ', ...audienceWords(restrictions)]]
  return [
    ...joined([...whom, ...goneWords(restrictions), ...downWords(own)], ', '),
    // If the change disables it, that is one of the others.
    ...(others.some(({ key }) => key === '/disabled') ? [] : offWords(after)),
    ...(others.length > 0 ? ['; ', ...listRows(others)] : []),
  ]
}

const isAudience = ({ key }: { readonly key: string }) => key.startsWith('/constraints') || key.startsWith('/segments')

/** `only for users in NO`: nothing for a strategy without constraints and segments. */
function limitWords(restrictions: Restrictions): readonly Words[] {
  return restrictions.now.length === 0 ? [] : [['only for ', ...audienceWords(restrictions)]]
}

function downWords(row: FieldRow | undefined): readonly Words[] {
  const { from, to } = row?.share ?? { from: null, to: null }
  const moved = from !== null && to !== null ? points(from, to) : null
  return moved && !moved.up ? [[strong(moved.words)]] : []
}

/** The rows of the table as a list, and the heading of the change where there are none. */
function rowsWords(change: EffectChange): Words {
  const rows = rowsOf(change)
  if (rows.length > 0) return [...listRows(rows), ...(change.action === 'updateSegment' ? [everywhere] : [])]
  const { before, after, fields } = change
  if (before !== null && after !== null && fields.length === 0) return [muted('nothing: it already has this value')]
  const { what, how } = changeWords(change, before ?? after)
  return [lowered([what, how].filter((one) => one !== '').join(' '))]
}

const maxRows = 3

function listRows(rows: readonly FieldRow[]): Words {
  const words = rows.slice(0, maxRows).map(lineOf)
  const rest = rows.length > maxRows ? [', ', muted(counted(rows.length - maxRows, 'more field'))] : []
  return [...joined(words, ', '), ...rest]
}
