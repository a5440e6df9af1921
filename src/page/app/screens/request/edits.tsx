import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
import { dropDraft, useDrafts } from '../../core/tools/drafts'
import { Button } from '../../parts/controls/button'
import { DialogFallback, lazy } from '../../parts/lazy'
import { Notice } from '../../parts/messages/notice'
import type { DialogProps } from './dialogs/step-dialog'
import { isAllowed } from './review'
import type { RequestProps } from './use-request'

/** A change that the user is writing in this tab and has not sent. */
interface UnsavedEdit {
  /** The change that is edited. */
  readonly id: number
  readonly feature: string
  readonly discard: () => void
}

interface Draft {
  readonly feature: string
  readonly payload?: unknown
  readonly edit?: unknown
  readonly id?: string
}

export function useUnsavedEdits(place: ChangeRequestPlace, review: ReviewView): readonly UnsavedEdit[] {
  const prefix = prefixOf(place)
  const drafts = useDrafts(prefix)
  if (!isAllowed(review, 'edit')) return []
  return [...drafts].flatMap(([name, text]) => {
    const { feature, payload, edit, id: chosen }: Draft = JSON.parse(text)
    if (payload === undefined && edit === undefined && chosen === undefined) return []
    return { id: Number(name.slice(prefix.length)), feature, discard: () => dropDraft(name) }
  })
}

const prefixOf = ({ project, id }: ChangeRequestPlace): string => `change ${project} ${id} `

/** A notice for each edit that is not sent, because the steps do not include it. */
export function UnsavedEdits({ request, review, actions }: Pick<RequestProps, 'request' | 'review' | 'actions'>) {
  const edits = useUnsavedEdits(request, review)
  return (
    <div role="status">
      {edits.map(({ id, feature, discard }) => (
        <Notice
          key={id}
          tone="care"
          icon="pencil"
          title="An edit is not saved"
          actions={
            <>
              <Button onClick={() => actions.open('edit', id)}>Open it</Button>
              <Button kind="quiet" onClick={discard}>
                Discard it
              </Button>
            </>
          }
        >
          What you typed{feature !== '' && ' for '}
          <bdi>{feature}</bdi> is only in this tab. No step includes it.
        </Notice>
      ))}
    </div>
  )
}

/** Edits a change. The editor is loaded when it is opened, because most users only review. */
export function EditDialog({ id = 0, actions, onClose }: DialogProps) {
  const { request, review } = actions.latest
  return (
    <ChangeEditor
      request={request}
      review={review}
      place={request}
      refresh={actions.refresh}
      changeId={id}
      draftName={`${prefixOf(request)}${id}`}
      onClose={onClose}
    />
  )
}

const ChangeEditor = lazy(async () => (await import('../change')).ChangeEditor, DialogFallback)
