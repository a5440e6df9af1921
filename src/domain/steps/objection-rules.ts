import type { ChangeRequest, Objection } from '../change-request'
import { isOwn } from '../content/authors'
import { openObjectionOf, openObjections } from '../content/objections'
import { isDecidable } from '../lifecycle'
import { permissionMissing } from './caller-rules'
import type { Missing } from './codes'
import type { Facts } from './facts'
import { revisionRequired } from './revision-rules'
import { rule } from './rule'
import { wrongState } from './state-rules'

/** Anyone who can approve in one of the affected environments, authors included: an objection only blocks. */
export const mayObject = rule(['approvesSomewhere'], (current, { approvesSomewhere }) =>
  approvesSomewhere ? undefined : permissionMissing('APPROVE_CHANGE_REQUEST', current),
)

/** Not for authors, whatever the option `adminSelfApproval`. */
export const mayDismiss = rule(['userId', 'ADMIN'], (current, { userId, ADMIN }) => {
  if (!ADMIN) return permissionMissing('ADMIN', {})
  return isOwn(current, userId)
    ? {
        code: 'own-change-request',
        message: "You can't dismiss an objection to a change request that you created or edited.",
      }
    : undefined
})

export const isStoppable = rule([], (current) =>
  isDecidable(current)
    ? undefined
    : wrongState(`The change request is ${current.state}. Only what is in review or approved can be stopped.`),
)

export const hasObjected = rule(['userId'], (current, { userId }) =>
  !isDecidable(current) || openObjectionOf(current, userId) !== undefined
    ? undefined
    : wrongState('You have no open objection to this change request.'),
)

/** The objection in the path; in the review, any open one of another user. */
export const isDismissible = rule(['userId', 'objectionId'], (current, { userId, objectionId }) => {
  if (!isDecidable(current)) return undefined
  const open = openObjections(current)
  const isOther = ({ by }: Objection) => by.id !== userId
  if (objectionId === null) {
    return open.some(isOther) ? undefined : wrongState('There is no open objection of another user.')
  }
  const found = open.find(({ id }) => id === objectionId)
  if (found === undefined) return wrongState('The objection has already ended.')
  return isOther(found) ? undefined : wrongState('This is your own objection. Lift it.')
})

export const hasStoredApproval = rule(['userId'], (current, { userId }) =>
  !isDecidable(current) || current.approvals.some(({ createdBy }) => createdBy.id === userId)
    ? undefined
    : wrongState('You have no approval of this change request that you could take back.'),
)

const maxInMessage = 200

/** A closed change request has no open ones. */
export const noObjections = rule([], objectionsMissing)

export function objectionsMissing(current: ChangeRequest): readonly Missing[] {
  return openObjections(current).map(({ by, text }) => {
    const beginning = [...text].slice(0, maxInMessage).join('')
    const message = `${by.username ?? 'A user'} objected${beginning === '' ? '.' : `: ${beginning}`}`
    return { code: 'objection', message }
  })
}

export const liftSeesPreset = rule(['revision', 'options', 'userId'], (current, facts) =>
  unseenPreset(current, ({ by }) => by.id === facts.userId, facts),
)

export const dismissalSeesPreset = rule(['revision', 'options', 'objectionId'], (current, facts) =>
  unseenPreset(current, ({ id }) => id === facts.objectionId, facts),
)

/** The end of an objection can put a preset schedule into effect, as an approval can (contract 25.2). */
function unseenPreset(
  current: ChangeRequest,
  isEnded: (objection: Objection) => boolean,
  { revision: { matches, isStated, isSeen, hasPreset }, options }: Pick<Facts, 'revision' | 'options'>,
): Missing | undefined {
  const open = openObjections(current)
  if (!matches || !open.some(isEnded)) return undefined
  if (options.requireRevision && hasPreset && !isStated && open.every(isEnded)) return revisionRequired
  if (isSeen || current.state !== 'Approved') return undefined
  return {
    code: 'outdated-revision',
    message:
      'The preset schedule has changed since you sent the request, and the end of the objection can put it into effect. Read the ' +
      'change request again before you decide.',
  }
}
