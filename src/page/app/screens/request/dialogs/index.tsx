import type { ComponentType } from 'preact'
import { EditDialog } from '../edits'
import type { DialogName } from '../use-request'
import { AskReviewersDialog } from './ask-reviewers'
import { CancelDialog, DeleteCommentDialog, DiscardChangeDialog, DiscardDialog } from './confirmations'
import { AcknowledgeDialog, DismissObjectionDialog, EmergencyDialog, ObjectDialog, RejectDialog } from './decisions'
import { RevertDialog } from './revert'
import { ScheduleDialog } from './schedule'
import type { DialogProps } from './step-dialog'

// Also loaded when it is needed, which is rare.
export { FollowUpSteps } from './follow-ups'
export { OtherStepsList } from './other-steps'
export { Permalink } from './permalink'
export { RenameForm } from './rename'

const dialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  acknowledge: AcknowledgeDialog,
  askReviewers: AskReviewersDialog,
  cancel: CancelDialog,
  deleteComment: DeleteCommentDialog,
  discard: DiscardDialog,
  discardChange: DiscardChangeDialog,
  dismissObjection: DismissObjectionDialog,
  edit: EditDialog,
  emergency: EmergencyDialog,
  object: ObjectDialog,
  reject: RejectDialog,
  revert: RevertDialog,
  schedule: ScheduleDialog,
}

export function RequestDialog({ name, ...props }: DialogProps & { readonly name: DialogName }) {
  const Dialog = dialogs[name]
  return <Dialog {...props} />
}
