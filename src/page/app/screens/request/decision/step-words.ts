import type { StepName } from '../../../../../generated'

/** The steps with a button in `AuthorSteps`. */
const authorSteps = {
  submit: 'Send to review',
  cancel: 'Cancel',
  discard: 'Discard the draft',
} as const satisfies Partial<Record<StepName, string>>

export type AuthorStep = keyof typeof authorSteps

/** What each step is called. */
export const stepWords: Readonly<Record<StepName, string>> = {
  ...authorSteps,
  edit: 'Edit the changes',
  approve: 'Approve',
  reject: 'Reject',
  schedule: 'Schedule',
  presetSchedule: 'Schedule before the approval',
  withdrawPresetSchedule: 'Withdraw the schedule',
  apply: 'Apply',
  applyInEmergency: 'Apply in emergency',
  settle: 'Settle',
  acknowledge: 'Acknowledge',
  rebase: 'Rebase',
  revert: 'Revert',
  copy: 'Propose again',
}

export const isAuthorStep = (step: StepName): step is AuthorStep => step in authorSteps
