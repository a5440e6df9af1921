import { AcknowledgeDialog } from './dialogs/acknowledge'
import { AskReviewersDialog } from './dialogs/ask-reviewers'
import { CancelDialog, DeleteCommentDialog, DiscardChangeDialog, DiscardDialog } from './dialogs/confirm'
import { EditDialog } from './dialogs/edit'
import { EmergencyDialog } from './dialogs/emergency'
import { RejectDialog } from './dialogs/reject'
import { RevertDialog } from './dialogs/revert/revert'
import { ScheduleDialog } from './dialogs/schedule'
import type { DialogName } from './model/context'
import { useRequestContext } from './model/context'

export { LargeChanges } from './changes/large/large'
export { Discussion, Thread } from './discussion/discussion'
export { Since, SinceMark, Viewed, VoidedVotes } from './since/since'

/** One of the windows over the screen. */
export function ShownDialog({ name }: { readonly name: DialogName }) {
  const { open } = useRequestContext()
  const close = () => open(null)
  if (typeof name === 'object' && 'edit' in name) return <EditDialog id={name.edit} onClose={close} />
  if (typeof name === 'object' && 'deleteComment' in name) {
    return <DeleteCommentDialog id={name.deleteComment} onClose={close} />
  }
  if (typeof name === 'object') return <DiscardChangeDialog id={name.discardChange} onClose={close} />
  const Shown = dialogs[name]
  return <Shown onClose={close} />
}

const dialogs = {
  askReviewers: AskReviewersDialog,
  reject: RejectDialog,
  cancel: CancelDialog,
  discard: DiscardDialog,
  schedule: ScheduleDialog,
  emergency: EmergencyDialog,
  acknowledge: AcknowledgeDialog,
  revert: RevertDialog,
} as const
