import type { ChangeRequest } from '../change-request'
import type { Missing } from './codes'
import type { StepOptions, StepPermission, StepQuestion } from './facts'

/** Says what is missing, or nothing. */
export type Rule = (question: StepQuestion) => Missing | readonly Missing[] | undefined

/** The caller holds the permission in the environment of the change request. */
export function permission(name: StepPermission): Rule {
  return ({ current, facts }) => (facts.caller.held.has(name) ? undefined : permissionMissing(name, current))
}

/** The caller holds the permission there, and in every other environment that the changes affect (extensions 7). */
export function permissionThroughout(name: StepPermission): Rule {
  const own = permission(name)
  return (question) => {
    const { project } = question.current
    const elsewhere = (question.facts.caller.lacking ?? []).filter((one) => one.permission === name)
    return [
      own(question) ?? [],
      elsewhere.map(({ environment }) => permissionMissing(name, { project, ...(environment && { environment }) })),
    ].flat(2)
  }
}

/** The sentence about a missing permission; reading is granted for a whole project (contract 7.1). */
export function permissionMissing(
  name: string,
  { project, environment }: { readonly project?: string; readonly environment?: string },
): Missing {
  const place = [
    project === undefined ? '' : ` in project ${project.slice(0, 100)}`,
    environment === undefined || name === 'READ_CHANGE_REQUEST' ? '' : ` and environment ${environment}`,
  ].join('')
  return { code: 'permission', message: `You need the permission ${name}${place}.`, permission: name }
}

/** What a key misses that stands for nobody (contract 2.3). */
export const noPerson: Missing = {
  code: 'person',
  message: 'This key stands for no person. Change requests need one: use the key of a user.',
}

export const person: Rule = ({ facts }) => (facts.caller.id === null ? noPerson : undefined)

/** The caller made the change request. */
export function author(what: string): Rule {
  return (question) =>
    isAuthor(question) ? undefined : { code: 'author', message: `Only the author of the change request may ${what}.` }
}

/** The caller made the change request, or holds ADMIN. */
export function authorOrAdmin(what: string): Rule {
  return (question) =>
    isAuthor(question) || isAdmin(question)
      ? undefined
      : { code: 'author', message: `Only the author of the change request or an admin may ${what}.` }
}

/** What the host is asked for title and requested approvers. */
export function detailsPermissions({ detailsByAnyone }: StepOptions): readonly StepPermission[] {
  return ['CREATE_CHANGE_REQUEST', detailsByAnyone ? 'APPROVE_CHANGE_REQUEST' : 'ADMIN']
}

/** Title and requested approvers: by an option also whoever may create or approve there (contract 3.6). */
export function details(what: string): Rule {
  const create = permission('CREATE_CHANGE_REQUEST')
  const own = authorOrAdmin(what)
  return (question) => {
    const { caller, options } = question.facts
    if (!options.detailsByAnyone) return [create(question) ?? [], own(question) ?? []].flat()
    return caller.held.has('APPROVE_CHANGE_REQUEST') ? undefined : create(question)
  }
}

/** The caller neither made nor changed the change request, or is an ADMIN who may vote on it nevertheless. */
export function secondPair(what: string): Rule {
  return (question) => {
    const { adminSelfApproval } = question.facts.options
    if (!isOwn(question.current, question.facts.caller.id) || (adminSelfApproval && isAdmin(question))) return undefined
    return {
      code: 'own',
      message: `You cannot ${what} a change request that you made or changed: it takes a second pair of eyes.`,
    }
  }
}

/** True for the author, and for whoever has a change in it. */
export function isOwn({ createdBy, changes }: ChangeRequest, id: number | null): boolean {
  return id !== null && (createdBy.id === id || changes.some((change) => change.createdBy.id === id))
}

/** What is scheduled is also stopped by its author and by an ADMIN, who need no permission to approve (contract 6.2). */
export const mayReject: Rule = (question) => {
  const scheduled = question.current.state === 'Scheduled'
  if (scheduled && question.facts.caller.id !== null && (isAuthor(question) || isAdmin(question))) return undefined
  const missing = [permissionThroughout('APPROVE_CHANGE_REQUEST')(question) ?? []]
  if (!scheduled) missing.push(secondPair('reject')(question) ?? [])
  return missing.flat()
}

/** A key without a person is told so, not that it is somebody else. */
function isAuthor({ current, facts }: StepQuestion): boolean {
  return facts.caller.id === null || current.createdBy.id === facts.caller.id
}

function isAdmin({ facts }: StepQuestion): boolean {
  return facts.caller.held.has('ADMIN')
}
