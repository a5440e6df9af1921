import { changeWords } from '../changes'
import { effectOf, effectWords } from '../effects/effects'
import { counted } from '../numbers'
import { textOf, type Words } from '../spans'
import type { ChangeItem, TargetItem } from './items'

/** Flags or segments whose changes have equal effects. */
export interface TargetGroup {
  readonly key: string
  readonly targets: readonly TargetItem[]
}

/** Equal effects together, in the order of the first of each. */
export function groupTargets(targets: readonly TargetItem[]): readonly TargetGroup[] {
  const groups = new Map<string, TargetItem[]>()
  for (const target of targets) {
    const effect = JSON.stringify([target.kind, target.implied, ...target.changes.map((one) => effectKey(one, target))])
    const group = groups.get(effect)
    if (group) group.push(target)
    else groups.set(effect, [target])
  }
  return [...groups.values()].map((members) => ({ key: `group ${members[0]?.key}`, targets: members }))
}

/** `Enabled: off → on, in 180 flags`. What a member conflicts with is no effect of the others. */
export function groupWords({ targets }: TargetGroup): Words {
  const one = targets.find(({ changes }) => changes.every(({ conflict }) => conflict === null)) ?? targets[0]
  if (one === undefined) return []
  const [change, ...others] = one.changes
  const subject = change && others.length === 0 && change.conflict === null ? subjectOf(change) : ''
  return [subject, ...effectWords(one.changes, one.implied), `, in ${counted(targets.length, one.kind)}`]
}

/** What an effect does not name itself. */
function subjectOf(change: ChangeItem): string {
  if (change.action === 'updateEnabled') return 'Enabled: '
  return change.action === 'updateStrategy' ? `${changeWords(change, change.before).what}: ` : ''
}

const keys = new WeakMap<ChangeItem, string>()

/** The same for two changes with equal effects, apart from the names of their flags. */
function effectKey(change: ChangeItem, { name, implied }: TargetItem): string {
  let key = keys.get(change)
  if (key === undefined) {
    // By default, the group of a strategy has the name of its flag.
    const isOwn = (property: string, value: unknown) => property === 'groupId' && value === name
    const fields = change.fields.map(({ path, current, proposed }) => {
      const property = path.replace('/parameters/', '')
      const values = [current, proposed].map((value) => (isOwn(property, value) ? '' : value))
      return ['/id', '/sortOrder'].includes(path) ? [] : [path, ...values]
    })
    const words = [titleOf(change), textOf(effectOf(change, implied))]
    key = JSON.stringify([words, fields, change.endsAtEverybody], (property, value) =>
      isOwn(property, value) ? '' : value,
    )
    keys.set(change, key)
  }
  return key
}

function titleOf(change: ChangeItem): string {
  const { what, how } = changeWords(change, change.before ?? change.after)
  return `${what} ${how}`
}

/** The changes that have all words of the text in the name of their flag, or in the kind of the change. */
export function filterTargets(targets: readonly TargetItem[], text: string): readonly TargetItem[] {
  const words = text.toLowerCase().split(' ')
  if (text.trim() === '') return targets
  return targets.flatMap((target) => {
    const changes = target.changes.filter((change) => {
      const searched = `${target.name} ${titleOf(change)} ${change.action}`.toLowerCase()
      return words.every((word) => searched.includes(word))
    })
    if (changes.length === target.changes.length) return target
    return changes.length === 0 ? [] : { ...target, changes }
  })
}
