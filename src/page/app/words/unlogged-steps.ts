import type { PersonView, ReviewView } from '../../../generated'
import { plainText, strong, type Words } from './spans'

/** A step that the log has no event about. */
export interface UnloggedStep {
  readonly at: string
  readonly person: PersonView
  readonly isObjection: boolean
  /** They follow the name of the user. */
  readonly words: Words
}

/** Objections, their ends, and approvals that were taken back, for the activity. */
export function unloggedSteps({ objections = [], voidedApprovals }: ReviewView): readonly UnloggedStep[] {
  const ends = objections.flatMap(({ person, ended }): UnloggedStep[] => {
    if (ended?.how === 'lifted') return [stepAt(ended.at, ended.by, ['lifted the objection'])]
    if (ended?.how !== 'dismissed') return []
    const reason = plainText(ended.reason ?? '')
    return [
      stepAt(ended.at, ended.by, [
        'dismissed the objection of ',
        strong(person.username || `user ${person.id}`),
        ': “',
        reason,
        '”',
      ]),
    ]
  })
  const takenBack = voidedApprovals.flatMap(({ by, at, cause }) =>
    cause === 'taken-back' && at !== null ? [stepAt(at, by, ['took the approval back'])] : [],
  )
  return [
    ...objections.map(({ at, person }) => ({ ...stepAt(at, person, ['objected']), isObjection: true })),
    ...ends,
    ...takenBack,
  ]
}

const stepAt = (at: string, person: PersonView, words: Words): UnloggedStep => ({
  at,
  person,
  isObjection: false,
  words,
})
