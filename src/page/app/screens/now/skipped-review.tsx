import type { ComponentChildren } from 'preact'
import type { CheckView, RequirementView } from '../../../../generated'
import { Notice } from '../../parts/messages/notice'
import { missingChecks, statusWords } from '../../words/checks'
import { isMissing } from '../../words/waits'

interface SkippedReviewProps {
  readonly title: string
  readonly requirements: readonly RequirementView[]
  readonly checks: readonly CheckView[] | undefined
  readonly children: ComponentChildren
}

/** What an apply in an emergency skips. */
export function SkippedReview({ title, requirements, checks, children }: SkippedReviewProps) {
  return (
    <Notice tone="stop" icon="bolt" title={title}>
      <ul>
        {requirements.filter(isMissing).map(({ name, environment, given, approvals }) => (
          <li key={`${environment} ${name}`}>
            You skip <bdi class="strong">{name}</bdi>: {given ?? '?'} of {approvals} approvals.
          </li>
        ))}
        {missingChecks({ ...(checks && { checks }) }).map(({ name, status }) => (
          <li key={name}>
            You skip the check <bdi class="strong">{name}</bdi>: {statusWords(status)}.
          </li>
        ))}
      </ul>
      {children}
    </Notice>
  )
}
