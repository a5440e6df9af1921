import { objectOf } from '../../words/json'
import { type IconName, icons } from './icons'

/** The first that fits. */
const kinds: readonly (readonly [pattern: RegExp, icon: IconName])[] = [
  [/request-created/, 'draft'],
  [/approval-added|-completed/, 'check'],
  [/approvers/, 'users'],
  [/config|setting/, 'sliders'],
  [/suspended/, 'paused'],
  [/failure/, 'warn'],
  [/success/, 'applied'],
  [/remov|delet|discard|archiv|untagg|drop/, 'trash'],
  [/add|creat|import|tagg|register/, 'plus'],
  [/abled/, 'flag'],
]

/** The icon of an event: that of its kind, or the one that is called like the last word of its type: `applied`. */
export function eventIcon({ type, data }: { readonly type: string; readonly data?: unknown }): IconName {
  const { afterReview, emergency } = objectOf(data)
  if (emergency !== undefined) return 'bolt'
  if (afterReview === true) return 'met'
  const last = type.replace(/.*-/, '')
  return kinds.find(([pattern]) => pattern.test(type))?.[1] ?? (last in icons ? (last as IconName) : 'pencil')
}
