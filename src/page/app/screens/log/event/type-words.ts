import { changeRequestSentences } from '../../../../../domain/events/vocabulary'
import type { EventType } from '../../../../../generated'

/** Short names of types, for the last column and the filter; any other type is shown in its own words. */
const own = {
  'change-request-created': 'Request created',
  'change-request-discarded': 'Draft discarded',
  'change-request-sent-to-review': 'Sent to review',
  'change-request-approval-added': 'Approval added',
  'change-request-approved': 'Approvals complete',
  'change-request-rejected': 'Request rejected',
  'change-request-cancelled': 'Request cancelled',
  'change-request-applied': 'Request applied',
  'change-request-scheduled': 'Request scheduled',
  'change-request-schedule-suspended': 'Schedule suspended',
  'change-request-scheduled-application-success': 'Applied on schedule',
  'change-request-scheduled-application-failure': 'Schedule failed',
  'change-request-configuration-updated': 'Settings changed',
  'change-request-requested-approvers-updated': 'Reviewers changed',
  'change-added': 'Change added',
  'change-edited': 'Change edited',
  'change-discarded': 'Change discarded',
  'feature-environment-enabled': 'Flag turned on',
  'feature-environment-disabled': 'Flag turned off',
  'feature-environment-variants-updated': 'Variants changed',
  'feature-variants-updated': 'Variants changed',
  'feature-strategy-add': 'Strategy added',
  'feature-strategy-update': 'Strategy updated',
  'feature-strategy-remove': 'Strategy removed',
  'strategy-order-changed': 'Strategies reordered',
  'feature-created': 'Flag created',
  'feature-updated': 'Flag updated',
  'feature-metadata-updated': 'Metadata updated',
  'feature-archived': 'Flag archived',
  'feature-revived': 'Flag revived',
  'feature-deleted': 'Flag deleted',
  'feature-tagged': 'Tag added',
  'feature-untagged': 'Tag removed',
  'feature-dependency-added': 'Dependency added',
  'feature-dependency-removed': 'Dependency removed',
  'feature-dependencies-removed': 'Dependencies removed',
  'segment-created': 'Segment created',
  'segment-updated': 'Segment updated',
  'segment-deleted': 'Segment deleted',
} as const satisfies Partial<Record<EventType, string>>

/** The types that the filter offers first, among them all about a change request; all others can be typed in. */
export const knownTypes: readonly string[] = [...new Set([...Object.keys(own), ...Object.keys(changeRequestSentences)])]

/** A type of event in a few words. */
export function typeWords(type: string): string {
  if (Object.hasOwn(own, type)) return own[type as keyof typeof own]
  const words = (type.startsWith('feature-') ? `flag${type.slice(7)}` : type).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The type that a person means: its own name, or its words on the page. */
export function typeFor(text: string): string {
  const wanted = text.trim().toLowerCase()
  return knownTypes.find((type) => typeWords(type).toLowerCase() === wanted) ?? wanted.replaceAll(' ', '-')
}
