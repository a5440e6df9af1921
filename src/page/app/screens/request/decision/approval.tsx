import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { useRequestContext } from '../model/context'
import { type StepAction, useStep } from '../model/use-step'

interface Approval {
  /** The text that goes with the decision, whichever it is. */
  readonly comment: string
  readonly setComment: (text: string) => void
  readonly approve: StepAction<[]>
}

const context = createContext<Approval | null>(null)

/** One vote, wherever its button stands. */
export function ApprovalProvider({ children }: { readonly children: ComponentChildren }) {
  const { place, me } = useRequestContext()
  const [comment, setComment, clear] = useDraft(`decision ${place.project} ${place.id}`)
  const approve = useStep({
    run: ({ content }, write) => {
      const said = comment.trim() === '' ? {} : { comment }
      return client.setState(place, { state: 'Approved', digest: content.review.digest, ...said }, write)
    },
    said: 'You approved it. Nothing is applied by that.',
    isDone: ({ request }) => request.approvals.some(({ createdBy }) => createdBy.id === me.id),
    onDone: clear,
  })
  return <context.Provider value={{ comment, setComment, approve }}>{children}</context.Provider>
}

export function useApproval(): Approval {
  const found = useContext(context)
  if (found === null) throw new Error('No decision is to be taken.')
  return found
}
