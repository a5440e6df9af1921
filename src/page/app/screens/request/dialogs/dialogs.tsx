import type { DialogName } from '../model/context'
import { useRequestContext } from '../model/context'
import { AcknowledgeDialog } from './acknowledge'
import { CancelDialog, DiscardChangeDialog, DiscardDialog } from './confirm'
import { EmergencyDialog } from './emergency'
import { RejectDialog } from './reject'
import { RevertDialog } from './revert/revert'
import { ScheduleDialog } from './schedule'

/** One of the windows over the screen. */
export function ShownDialog({ name }: { readonly name: DialogName }) {
  const { open } = useRequestContext()
  const close = () => open(null)
  if (typeof name === 'object') return <DiscardChangeDialog id={name.discardChange} onClose={close} />
  const Shown = dialogs[name]
  return <Shown onClose={close} />
}

const dialogs = {
  reject: RejectDialog,
  cancel: CancelDialog,
  discard: DiscardDialog,
  schedule: ScheduleDialog,
  emergency: EmergencyDialog,
  acknowledge: AcknowledgeDialog,
  revert: RevertDialog,
} as const
