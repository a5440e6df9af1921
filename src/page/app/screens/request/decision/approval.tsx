import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { DiscussionCommentView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { useRequestContext } from '../model/context'
import { approvalsOf } from '../model/people'
import { approvalWords, approveWords, pendingPreset } from '../model/preset-schedule'
import { digestOf } from '../model/use-request'
import { type StepAction, useStep } from '../model/use-step'

interface Approval {
  /** The text that goes with the decision, whichever it is. */
  readonly comment: string
  readonly setComment: (text: string) => void
  readonly approve: Pick<StepAction<[]>, 'busy' | 'outcome' | 'retryNow' | 'stop' | 'press' | 'onShow'>
  /** What the button says. */
  readonly words: string
  /** Comments that came before the approval, and were not on the screen yet. */
  readonly unseen: readonly DiscussionCommentView[]
}

const context = createContext<Approval | null>(null)

/** One vote, wherever its button stands. */
export function ApprovalProvider({ children }: { readonly children: ComponentChildren }) {
  const { place, me, content, latest } = useRequestContext()
  const [seen, setSeen] = useState<ReadonlySet<number>>()
  const [comment, setComment, clear] = useDraft(`decision ${place.project} ${place.id}`)
  const isPreset = pendingPreset(content.review) !== undefined
  const step = useStep<[isPreset: boolean]>({
    // Without If-Match: a comment of another user does not change what was reviewed, and the digest does not allow anything
    // else. It does not include a preset schedule, for which the approval is, too.
    run: (_context, { ifMatch, ...write }, isPreset) => {
      const said = comment.trim() === '' ? {} : { comment }
      setSeen((before) => before ?? new Set(latest.review.discussion.map(({ id }) => id)))
      const vote = { state: 'Approved', ...digestOf(content.review), ...said } as const
      return client.setState(place, vote, isPreset ? { ifMatch, ...write } : write)
    },
    said: `You approved it. ${approvalWords(content.review, me)}`,
    isDone: ({ request }) => request.approvals.some(({ createdBy }) => createdBy.id === me.id),
    onDone: clear,
  })
  const vote = approvalsOf(latest).find(({ person }) => person.id === me.id)
  const unseen = latest.review.discussion.filter(
    ({ id, text, createdAt, createdBy }) =>
      vote !== undefined && text !== null && createdAt <= vote.at && seen?.has(id) === false && createdBy.id !== me.id,
  )
  const approve = { ...step, press: () => step.press(isPreset) }
  const words = approveWords(latest.review, me)
  return <context.Provider value={{ comment, setComment, approve, words, unseen }}>{children}</context.Provider>
}

export function useApproval(): Approval {
  const found = useContext(context)
  if (found === null) throw new Error('No decision is to be taken.')
  return found
}
