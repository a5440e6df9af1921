import type { ChangeRequestPlace } from '../../../client'
import { keepDraft, useDraft } from '../core/tools/drafts'

/** What is sent after a change request was created: each is a call of its own, and kept until it is done. */
export interface FollowUps {
  readonly title?: string | undefined
  readonly reviewers?: readonly number[] | undefined
  /** Sends it to review, with {@link useSubmitComment}. */
  readonly submit?: true | undefined
  /** Applies it in an emergency, for this reason. */
  readonly emergency?: string | undefined
  /** The change request that was cancelled for it, which the user can propose again. */
  readonly again?: number | undefined
}

/** What is sent without a further press. */
export type FollowUp = Exclude<keyof FollowUps, 'again'>

/** The change requests that were created since the page was loaded: what follows is sent without a further press. */
const created = new Set<string>()

export function keepFollowUps(place: ChangeRequestPlace, followUps: FollowUps, comment: string): void {
  created.add(nameOf(place))
  keepDraft(nameOf(place), JSON.stringify(followUps))
  keepDraft(commentName(place), comment)
}

/** Whether what follows is to be sent now; true once. */
export const takeCreated = (place: ChangeRequestPlace): boolean => created.delete(nameOf(place))

/** What is not done yet, and what leaves one of it out. */
export function useFollowUps(place: ChangeRequestPlace): [left: FollowUps, drop: (one: keyof FollowUps) => void] {
  const [text, write] = useDraft(nameOf(place))
  const left: FollowUps = text === '' ? {} : JSON.parse(text)
  const drop = (one: keyof FollowUps) => {
    const { [one]: _, ...others } = left
    write(Object.keys(others).length === 0 ? '' : JSON.stringify(others))
  }
  return [left, drop]
}

/** Why a change request is proposed: the comment of its submission. */
export const useSubmitComment = (place: ChangeRequestPlace) => useDraft(commentName(place))

const nameOf = ({ project, id }: ChangeRequestPlace) => `follow-ups ${project} ${id}`
const commentName = ({ project, id }: ChangeRequestPlace) => `submission ${project} ${id}`
