import type { ObjectionView, PersonView, ReviewView } from '../../../generated'
import { followersWords } from './follows'
import { plainText, strong, type Words } from './spans'

type Ending = NonNullable<ObjectionView['ended']>

const nameOf = ({ id, username }: PersonView) => strong(username || `user ${id}`)

/** `dismissed by Cara: “The load test passes.”` */
export function endingWords({ how, by, reason }: Ending): Words {
  const person = nameOf(by)
  switch (how) {
    case 'lifted':
      return ['lifted by ', person]
    case 'approved':
      return ['ended by the approval of ', person]
    case 'dismissed':
      return ['dismissed by ', person, ': “', plainText(reason ?? ''), '”']
    case 'replaced':
      return ['replaced by a later objection']
    case 'applied':
      return [person, ' had begun to apply it before']
    case 'closed':
      return ['closed with the change request by ', person]
    case 'emergency':
      return [person, ' applied it in an emergency']
  }
}

/** What taking an approval back does beyond removing it, in a sentence; empty if nothing. */
export function takeBackWords(review: ReviewView): string {
  const { state, changeRequest, requirements } = review
  const minimum = requirements.find(({ name }) => name === 'minimum')
  const isEnough = minimum !== undefined && changeRequest.approvals.length > minimum.approvals
  if (isEnough) return ''
  if (state === 'Approved') return 'The change request returns to review.'
  return isPending(changeRequest) ? suspendedWords(review) : ''
}

const suspendedWords = (review: ReviewView): string => `The schedule is suspended. ${followersWords(review)}`.trim()

/** What an objection does now, in sentences. */
export function objectingWords(review: ReviewView, isApprover: boolean): string {
  const { changeRequest } = review
  const rest = isPending(changeRequest) ? suspendedWords(review) : isApprover ? takeBackWords(review) : ''
  const ends = isApprover ? 'Your approval ends.' : ''
  const blocks = "It can't be applied until you lift the objection or approve, or an admin dismisses it."
  return [blocks, ends, rest].filter((sentence) => sentence !== '').join(' ')
}

const isPending = (request: ReviewView['changeRequest']): boolean =>
  'schedule' in request && request.schedule.status === 'pending'

/** Whether the user has an objection that they had not before, or the same text is open for this content. */
export function hasObjected(
  { objections = [] }: ReviewView,
  before: ReviewView,
  user: number | null,
  text: string,
): boolean {
  const known = new Set(before.objections?.map(({ id }) => id))
  return objections.some(
    ({ id, person, ended, outdated, text: own }) =>
      person.id === user && ended === null && (!known.has(id) || (!outdated && own === text.trim())),
  )
}
