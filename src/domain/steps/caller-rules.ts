import type { ChangeRequest } from '../change-request'
import { isOwn } from '../content/authors'
import type { Missing } from './codes'
import type { Facts, PermissionElsewhere, StepPermission } from './facts'
import { findingsOf, type Rule, rule } from './rule'

type Placed = Pick<ChangeRequest, 'project' | 'environment'>

export function permission<Name extends StepPermission>(name: Name): Rule<Name, Placed> {
  return rule([name], (current: Placed, facts) => (facts[name] ? undefined : permissionMissing(name, current)))
}

/** The caller has the permission there, and in every other gated environment that the changes affect (contract 18). */
export function permissionThroughout<Name extends PermissionElsewhere>(name: Name): Rule<Name | `${Name} elsewhere`> {
  const elsewhere = `${name} elsewhere` as const
  return rule([name, elsewhere], (current, facts) => {
    const environments: readonly (string | undefined)[] = facts[elsewhere]
    return [
      ...(facts[name] ? [] : [permissionMissing(name, current)]),
      ...environments.map((environment) =>
        permissionMissing(name, { project: current.project, ...(environment && { environment }) }),
      ),
    ]
  })
}

/** The environment is left out for reading, which is granted for a whole project (contract 7.1). */
export function permissionMissing(
  name: string,
  { project, environment }: { readonly project?: string; readonly environment?: string },
): Missing {
  const place = [
    project === undefined ? '' : ` in project ${project.slice(0, 100)}`,
    environment === undefined || name === 'READ_CHANGE_REQUEST' ? '' : ` and environment ${environment}`,
  ].join('')
  return { code: 'missing-permission', message: `You need the permission ${name}${place}.`, permission: name }
}

export const noUserId: Missing = {
  code: 'no-user-id',
  message: 'This API key has no user id. Use the API key of a user.',
}

export const hasUserId = rule(['userId'], (_: unknown, { userId }) => (userId === null ? noUserId : undefined))

export function isAuthor(what: string) {
  return rule(['userId'], (current, { userId }) =>
    isAuthorOf(current, userId)
      ? undefined
      : { code: 'not-the-author', message: `Only the author of the change request may ${what}.` },
  )
}

export function isAuthorOrAdmin(what: string) {
  return rule(['userId', 'ADMIN'], (current, { userId, ADMIN }) =>
    isAuthorOf(current, userId) || ADMIN ? undefined : neitherAuthorNorAdmin(what),
  )
}

/** Title and requested approvers: with an option also anyone who can create or approve there (contract 3.6). */
export function maySetDetails(what: string) {
  return rule(['userId', 'options', 'CREATE_CHANGE_REQUEST', 'editsDetails'], (current, facts) => {
    const { userId, options, CREATE_CHANGE_REQUEST: mayCreate, editsDetails } = facts
    const create = mayCreate ? [] : [permissionMissing('CREATE_CHANGE_REQUEST', current)]
    if (options.detailsByAnyone) return editsDetails ? [] : create
    return [...create, ...(isAuthorOf(current, userId) || editsDetails ? [] : [neitherAuthorNorAdmin(what)])]
  })
}

function neitherAuthorNorAdmin(what: string): Missing {
  return { code: 'not-the-author', message: `Only the author of the change request or an admin may ${what}.` }
}

/** The caller neither created nor edited the change request, or is an ADMIN and `adminSelfApproval` is set. */
export function notOwnChangeRequest(what: string) {
  return rule(['userId', 'options', 'ADMIN'], (current, { userId, options, ADMIN }) =>
    !isOwn(current, userId) || (options.adminSelfApproval && ADMIN)
      ? undefined
      : {
          code: 'own-change-request',
          message: `You can't ${what} a change request that you created or edited.`,
        },
  )
}

/** For a machine there is one finding, whatever permissions it has (contract 23). */
export function onlyForPeople<const Rules extends readonly Rule[]>(what: string, ...rules: Rules) {
  const needs: readonly Rules[number]['needs'][number][] = rules.flatMap((one) => one.needs)
  return rule(['callerKind', ...needs], (current, facts) =>
    facts.callerKind === 'person'
      ? rules.flatMap((one) => findingsOf(one, current, facts as Facts))
      : notForMachines(what, facts.callerKind),
  )
}

function notForMachines(what: string, kind: Facts['callerKind']): Missing {
  const caller = kind === 'agent' ? 'an agent' : 'a service'
  return { code: 'not-for-machines', message: `Only people may ${what} a change request; the caller is ${caller}.` }
}

const mayVote = permissionThroughout('APPROVE_CHANGE_REQUEST')
const notOwnVote = notOwnChangeRequest('reject')

/** Its author and an ADMIN can also reject a scheduled one (contract 6.2). A machine can only withdraw its own. */
export const mayReject = rule(['callerKind', ...mayVote.needs, ...notOwnVote.needs], (current, facts) => {
  const { userId, callerKind, ADMIN } = facts
  const isScheduled = current.state === 'Scheduled'
  if (isScheduled && userId !== null && isAuthorOf(current, userId)) return undefined
  if (callerKind !== 'person') return notForMachines('reject', callerKind)
  if (isScheduled && ADMIN) return undefined
  return [...findingsOf(mayVote, current, facts), ...(isScheduled ? [] : findingsOf(notOwnVote, current, facts))]
})

const mayApply = permissionThroughout('APPLY_CHANGE_REQUEST')

/** The author, an ADMIN, and everyone who could have set the preset schedule. */
export const mayWithdrawPresetSchedule = rule(['userId', 'ADMIN', ...mayApply.needs], (current, facts) => {
  const { userId, ADMIN } = facts
  const isOfCaller = ADMIN || (userId !== null && isAuthorOf(current, userId))
  return isOfCaller ? undefined : findingsOf(mayApply, current, facts)
})

/** Also true for a key without a user id: `hasUserId` rejects it. */
export function isAuthorOf({ createdBy }: ChangeRequest, userId: Facts['userId']): boolean {
  return userId === null || createdBy.id === userId
}
