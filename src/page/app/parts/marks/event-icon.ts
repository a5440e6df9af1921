import { objectOf } from '../../words/json'
import { type IconName, icons } from './icons'

/** By the type of the vocabulary, else by its last word. */
const kinds: readonly (readonly [icon: IconName, names: string])[] = [
  ['draft', 'change-request-created'],
  ['check', 'change-request-approval-added completed'],
  ['users', 'change-request-requested-approvers-updated'],
  ['sliders', 'change-request-configuration-updated'],
  ['paused', 'suspended'],
  ['warn', 'failure'],
  ['applied', 'success'],
  ['trash', 'archived deleted discarded remove removed untagged'],
  ['plus', 'add added created import imported registered tagged'],
  ['flag', 'disabled enabled'],
]

/** The icon of an event: that of its kind, or the one that is called like the last word of its type: `applied`. */
export function eventIcon({ type, data }: { readonly type: string; readonly data?: unknown }): IconName {
  const { afterReview, emergency } = objectOf(data)
  if (emergency !== undefined) return 'bolt'
  if (afterReview === true) return 'met'
  const last = type.slice(type.lastIndexOf('-') + 1)
  const found = kinds.find(([, names]) => names.split(' ').some((name) => name === type || name === last))
  return found?.[0] ?? (Object.hasOwn(icons, last) ? (last as IconName) : 'pencil')
}
