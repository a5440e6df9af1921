import type { ComponentChildren } from 'preact'
import type { RequirementView } from '../../../../generated'
import { Notice } from '../../parts/messages/notice'
import { isMissing } from '../../words/waits'

interface SkippedReviewProps {
  readonly title: string
  readonly requirements: readonly RequirementView[]
  readonly children: ComponentChildren
}

/** What an apply in an emergency skips. */
export function SkippedReview({ title, requirements, children }: SkippedReviewProps) {
  return (
    <Notice tone="stop" icon="bolt" title={title}>
      <ul>
        {requirements.filter(isMissing).map(({ name, environment, given, approvals }) => (
          <li key={`${environment} ${name}`}>
            You skip <bdi class="strong">{name}</bdi>: {given ?? '?'} of {approvals} approvals.
          </li>
        ))}
      </ul>
      {children}
    </Notice>
  )
}
