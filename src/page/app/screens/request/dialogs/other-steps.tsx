import type { ReviewStepView, StepName } from '../../../../../generated'
import type { Missing } from '../../../core/api/answers'
import { MissingList } from '../../../parts/messages/load-failed'

const stepTitles: Readonly<Record<StepName, string>> = {
  submit: 'Send to review',
  cancel: 'Cancel',
  discard: 'Discard the draft',
  edit: 'Edit the changes',
  approve: 'Approve',
  reject: 'Reject',
  object: 'Object',
  liftObjection: 'Lift the objection',
  dismissObjection: 'Dismiss an objection',
  takeBackApproval: 'Take the approval back',
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

/** What the steps lack. */
export function OtherStepsList({ steps }: { readonly steps: readonly ReviewStepView[] }) {
  return (
    <ul>
      {groupByMissing(steps).map(({ missing, steps }) => (
        <li key={missing.message}>
          <h3 class="soft small">{steps.map((step) => stepTitles[step]).join(', ')}</h3>
          <MissingList missing={[missing]} />
        </li>
      ))}
    </ul>
  )
}

/** What steps lack, each once with the steps. Messages about the caller's own request differ by step. */
function groupByMissing(steps: readonly ReviewStepView[]) {
  const groups = new Map<string, { readonly missing: Missing; readonly steps: readonly StepName[] }>()
  for (const { step, missing } of steps) {
    for (const one of missing) {
      const key = one.code === 'own-change-request' ? one.code : one.message
      const known = groups.get(key) ?? { missing: one, steps: [] }
      groups.set(key, { ...known, steps: [...known.steps, step] })
    }
  }
  return [...groups.values()]
}
