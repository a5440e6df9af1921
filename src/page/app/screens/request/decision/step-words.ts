import type { StepName } from '../../../../../generated'

/** What a step is called, and who has its button: its author alone, or others too. */
interface StepWords {
  readonly words: string
  readonly of: 'author' | 'all'
}

export const stepWords = {
  edit: { words: 'Edit the changes', of: 'all' },
  submit: { words: 'Send to review', of: 'author' },
  approve: { words: 'Approve', of: 'all' },
  reject: { words: 'Reject', of: 'all' },
  cancel: { words: 'Cancel', of: 'author' },
  discard: { words: 'Discard the draft', of: 'author' },
  schedule: { words: 'Schedule', of: 'all' },
  presetSchedule: { words: 'Schedule before the approval', of: 'all' },
  withdrawPresetSchedule: { words: 'Withdraw the schedule', of: 'all' },
  apply: { words: 'Apply', of: 'all' },
  applyInEmergency: { words: 'Apply in emergency', of: 'all' },
  settle: { words: 'Settle', of: 'all' },
  acknowledge: { words: 'Acknowledge', of: 'all' },
  rebase: { words: 'Rebase', of: 'all' },
  revert: { words: 'Revert', of: 'all' },
  copy: { words: 'Propose again', of: 'all' },
} as const satisfies Readonly<Record<StepName, StepWords>>

/** The steps with a button in `AuthorSteps`. */
export type AuthorStep = {
  [S in StepName]: (typeof stepWords)[S]['of'] extends 'author' ? S : never
}[StepName]
