import type { SubmittedChange } from '../../../../generated'
import type { Json } from '../../words/json'
import { currentPayload, type Offered } from '../authoring/model/payload'
import { typedPayload } from '../flag/model/changes'
import { type FlagEdit, isEdited } from '../flag/model/edit'

/** The change of an edited segment: its whole content, because it is replaced. A deleted one has no other change. */
export function segmentChanges(edit: FlagEdit, offered: readonly Offered[], id: number): readonly SubmittedChange[] {
  const { segment: expected } = edit.targets
  const withDigest = <Change extends object>(change: Change) =>
    ({ ...change, ...(expected !== undefined && { expected }) }) as unknown as SubmittedChange
  const find = (action: string) => offered.find((one) => one.action === action)
  if (edit.others?.length) {
    return (edit.others as readonly { action: string; payload?: Json }[]).map(({ action, payload }) =>
      withDigest({ action, payload: typedPayload(payload, find(action)) }),
    )
  }
  const update = find('updateSegment')
  if (!isEdited(edit) || update === undefined) return []
  const payload = currentPayload(update, edit.own, String(id)) as object
  return [withDigest({ action: 'updateSegment', payload: { ...payload, id } })]
}

/** What deletes a segment. */
export const deletion = (id: number): SubmittedChange => ({ action: 'deleteSegment', payload: { id } })
