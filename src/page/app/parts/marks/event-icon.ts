import type { EventType } from '../../../../generated'
import { objectOf } from '../../words/json'
import type { IconName } from './icon'

/** By the last word of the type; an edit has no icon of its own. */
const byLastWord: Readonly<Record<string, IconName>> = {
  add: 'plus',
  added: 'plus',
  applied: 'applied',
  approved: 'approved',
  archived: 'trash',
  cancelled: 'cancelled',
  completed: 'check',
  created: 'plus',
  deleted: 'trash',
  disabled: 'flag',
  discarded: 'trash',
  enabled: 'flag',
  failure: 'warn',
  import: 'plus',
  imported: 'plus',
  paused: 'paused',
  registered: 'plus',
  rejected: 'rejected',
  remove: 'trash',
  removed: 'trash',
  review: 'review',
  scheduled: 'scheduled',
  success: 'applied',
  suspended: 'paused',
  tagged: 'plus',
  untagged: 'trash',
}

/** Types with another icon than their last word. */
const byType = {
  'change-request-approval-added': 'check',
  'change-request-configuration-updated': 'sliders',
  'change-request-created': 'draft',
  'change-request-requested-approvers-updated': 'users',
} satisfies Partial<Record<EventType, IconName>>

/** The icon of an event; other types have that of an edit. */
export function eventIcon({ type, data }: { readonly type: string; readonly data?: unknown }): IconName {
  const { afterReview, emergency } = objectOf(data)
  if (emergency !== undefined) return 'bolt'
  if (afterReview === true) return 'met'
  const last = type.slice(type.lastIndexOf('-') + 1)
  return iconIn(byType, type) ?? iconIn(byLastWord, last) ?? 'pencil'
}

function iconIn(icons: Readonly<Record<string, IconName>>, key: string): IconName | undefined {
  return Object.hasOwn(icons, key) ? icons[key] : undefined
}
