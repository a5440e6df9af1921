import type { RuleCauseView } from '../../../generated'
import { changeWords, strategyName } from './changes'
import type { ChangeItem, TargetItem } from './content/items'
import { fieldOf } from './fields/path'
import { changeOf, lowered } from './fields/row'
import { rowsOf } from './fields/rows'
import { objectOf } from './json'
import { counted } from './numbers'
import { flag, strong, type Words } from './spans'

/**
 * What made a rule match, as a part of a sentence: `the rollout grows by 40 points`. Of several changes of the same field it is
 * what they do together. Empty where the page does not know the change.
 *
 * @param targets those of the change request
 */
export function causeWords(cause: RuleCauseView, targets: readonly TargetItem[]): Words {
  const key = cause.feature === undefined ? `segment ${cause.segment}` : `flag ${cause.feature}`
  const target = targets.find((one) => one.key === key)
  if (target === undefined) return []
  if (cause.change === null) return impliedWords(target)
  const change = target.changes.find(({ id }) => id === cause.change)
  if (change === undefined) return []
  const { before, after } = change
  const { path } = cause
  const isWhole = path === null || before === null || after === null
  const words = isWhole ? changedWords(change, target) : fieldWords(change, path, target)
  const isNamed = words.some((one) => typeof one !== 'string' && 'as' in one && one.as === 'flag')
  return isNamed || targets.length < 2 || target.kind === 'segment' ? words : [...words, ' in ', flag(target.name)]
}

function impliedWords(target: TargetItem): Words {
  const { implied } = target
  if (implied === undefined) return []
  return implied.action === 'addStrategy'
    ? ['a default strategy is added to ', flag(target.name)]
    : [flag(target.name), ' is switched off']
}

/** `the strategy “Nordics” is deleted` */
function changedWords(change: ChangeItem, { name }: TargetItem): Words {
  const { action, before, after } = change
  const { icon, what, how } = changeWords(change, before ?? after)
  if (icon === 'braces') return ['it has the change ', strong(what)]
  const shown = lowered(what)
  if (action === 'updateEnabled') return [flag(name), ` is ${shown}`]
  if (action === 'archiveFeature') return [flag(name), ` is ${shown} ${how}`]
  const subject = shown.startsWith('all ') ? shown : `the ${shown}`
  return [`${subject} ${shown.endsWith('s') ? 'are' : 'is'} ${how}`]
}

/** `the rollout grows by 40 points` */
function fieldWords(change: ChangeItem, path: string, target: TargetItem): Words {
  const same = target.changes.filter((one) => one.action === change.action && idOf(one) === idOf(change))
  const fields = same.flatMap((one) => one.fields.filter((field) => field.path === path))
  const [first, last] = [fields[0], fields.at(-1)]
  const what = fieldOf(path)
  if (first === undefined || last === undefined) return [`it changes ${what}`]
  if (path === '/enabled') return [flag(target.name), ` is switched ${last.proposed === true ? 'on' : 'off'}`]
  if (path === '/disabled') {
    const name = strategyName(change.payload, change.before)
    return [`the strategy “${name}” is switched ${last.proposed === true ? 'off' : 'on'}`]
  }
  const { current } = first
  const whole = { ...last, base: current, current, overwrites: false }
  const [row, ...others] = rowsOf({ ...change, before: same[0]?.before ?? null, fields: [whole] })
  const { from, to } = row?.share ?? { from: null, to: null }
  if (from !== null && to !== null && from !== to)
    return [`${what} ${to > from ? 'grows' : 'shrinks'} by `, strong(counted(Math.abs(to - from), 'point'))]
  const isShort = row !== undefined && others.length === 0 && row.texts === undefined
  return isShort ? [`it changes ${what}: `, ...changeOf(row)] : [`it changes ${what}`]
}

const idOf = ({ payload }: ChangeItem) => objectOf(payload).id
