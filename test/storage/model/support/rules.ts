import type { Action, Bound, Environment, ProposedChange, Target } from './actions'
import type { Who } from './callers'
import { noon } from './hosts'
import { lastSwitches } from './invariants'

/**
 * A second implementation of the review rules from the contract (3.2 to 3.8, 6.2, 6.3, 7.1, 11.4), without a store,
 * versions or processes: the response to every call, and what it stores.
 */

export interface ExpectedChange {
  id: number
  readonly feature: string | null
  readonly action: string
  readonly payload: unknown
  readonly by: Who
}

export interface ExpectedObjection {
  readonly id: number
  readonly by: Who
  readonly text: string
  outdated: boolean
  ended: string | null
}

export interface Expected {
  id: number
  readonly environment: Environment
  readonly author: Who
  minimum: number
  readonly createdAt: number
  state: Target
  isRemoved: boolean
  title: string | null
  changes: ExpectedChange[]
  approvals: Who[]
  rejections: Who[]
  voided: { readonly by: Who; readonly cause: 'edit' | 'objected' | 'taken-back' }[]
  objections: ExpectedObjection[]
  comments: number
  approvers: readonly number[]
}

export interface Verdict {
  readonly status: number
  readonly name?: string
  /** Its events in the log, in order. */
  readonly events?: readonly string[]
  /** The change request of the call, if it exists. */
  readonly about?: Expected | undefined
}

export const idOf: Readonly<Record<Who, number>> = { ann: 1, ben: 2, cleo: 3, dora: 4, bot: 5 }
export const maxChanges = 5
const knownFlags = ['checkout', 'search', 'basket']
const takesChanges: readonly Target[] = ['Draft', 'In review', 'Approved']

const bad: Verdict = { status: 400, name: 'BadDataError' }
const tooMany: Verdict = { status: 400, name: 'ExceedsLimitError' }
const noPermission: Verdict = { status: 403, name: 'PermissionError' }
const notYours: Verdict = { status: 403, name: 'OperationDeniedError' }
const missing: Verdict = { status: 404, name: 'NotFoundError' }
const conflict: Verdict = { status: 409, name: 'ConflictError' }
const otherRevision: Verdict = { status: 412, name: 'PreconditionFailedError' }
const revisionRequired: Verdict = { status: 428, name: 'PreconditionRequiredError' }
const failure: Verdict = { status: 500, name: 'UnknownError' }

type Need = 'READ' | 'CREATE' | 'APPROVE' | 'APPLY'

/** Requested state -> from which states, by whom, and whether the author can do it (contract 6.2). */
const ways: Readonly<
  Record<
    Target,
    {
      readonly need: Need
      readonly from: readonly Target[]
      readonly by: 'all' | 'author' | 'author, admin' | 'others'
    }
  >
> = {
  Draft: { need: 'READ', from: [], by: 'all' },
  'In review': { need: 'CREATE', from: ['Draft'], by: 'author' },
  // Approved -> Approved by someone whose objection that ends.
  Approved: { need: 'APPROVE', from: ['In review', 'Approved'], by: 'others' },
  Rejected: { need: 'APPROVE', from: ['In review'], by: 'others' },
  Applied: { need: 'APPLY', from: ['Approved'], by: 'all' },
  Scheduled: { need: 'APPLY', from: [], by: 'all' },
  Cancelled: { need: 'CREATE', from: ['Draft', 'In review', 'Approved'], by: 'author, admin' },
}

export class Rules {
  readonly requests: Expected[] = []
  readonly settings = new Map<Environment, { readonly enabled: boolean; readonly approvals: number }>()
  archived = new Set<string>()
  fails: 'conflict' | 'error' | null = null
  now = noon

  /** Counts back from the newest. One more than the oldest names nothing. */
  aim(back: number): Expected | undefined {
    return this.requests.at(-1 - (back % (this.requests.length + 1)))
  }

  aimChange(request: Expected, position: number): ExpectedChange | undefined {
    return request.changes[position % (request.changes.length + 1)]
  }

  visible(who: Who, request: Expected | undefined): Expected | undefined {
    if (request === undefined || request.isRemoved || (request.state === 'Draft' && request.author !== who))
      return undefined
    return request
  }

  may(who: Who, need: Need, environment: Environment): boolean {
    if (who === 'dora' || need === 'READ') return true
    if (need === 'CREATE') return who === 'ann' || who === 'bot'
    return who !== 'cleo' || environment === 'production'
  }

  setting(environment: Environment) {
    return this.settings.get(environment) ?? { enabled: true, approvals: 1 }
  }

  open(who: Who, environment: Environment): Expected | undefined {
    return this.requests.find(
      (one) =>
        !one.isRemoved && one.author === who && one.environment === environment && takesChanges.includes(one.state),
    )
  }

  /** The response to the action, which also takes effect here if it is not rejected. */
  judge(action: Action): Verdict {
    switch (action.do) {
      case 'add':
        return this.#add(action)
      case 'settings':
        return this.#set(action)
      case 'flags':
        if (action.archived !== null) {
          if (!this.archived.delete(action.archived)) this.archived.add(action.archived)
        }
        this.fails = action.fails
        return { status: 0 }
      case 'wait':
        this.now += action.ms
        return { status: 0 }
      case 'read':
        return { status: 200 }
      default:
        return this.#write(action)
    }
  }

  #add({ who, environment, changes, bound }: Action & { do: 'add' }): Verdict {
    if (!this.may(who, 'CREATE', environment)) return noPermission
    const present = this.open(who, environment)
    if (bound === 'past' || (bound !== 'free' && present === undefined)) return otherRevision
    const { enabled, approvals } = this.setting(environment)
    if (!enabled) return bad
    if (changes.some(isUnknown)) return missing
    if ((present?.changes.length ?? 0) + changes.length > maxChanges) return tooMany
    const about = present ?? this.#create(who, environment, approvals)
    about.changes.push(...changes.map((change) => toExpected(change, who)))
    this.#unreview(about)
    const added = changes.map(() => 'change-added')
    return { status: 200, about, events: present === undefined ? ['change-request-created', ...added] : added }
  }

  #create(author: Who, environment: Environment, minimum: number): Expected {
    const fresh: Expected = {
      id: 0,
      environment,
      author,
      minimum,
      createdAt: this.now,
      state: 'Draft',
      isRemoved: false,
      title: null,
      changes: [],
      approvals: [],
      rejections: [],
      voided: [],
      objections: [],
      comments: 0,
      approvers: [],
    }
    this.requests.push(fresh)
    return fresh
  }

  #set({ who, environment, enabled, approvals }: Action & { do: 'settings' }): Verdict {
    if (who !== 'dora') return noPermission
    const before = this.setting(environment)
    const after = { enabled, approvals: approvals === null ? before.approvals : Math.min(Math.max(approvals, 1), 10) }
    this.settings.set(environment, after)
    const same = before.enabled === after.enabled && before.approvals === after.approvals
    return { status: 204, events: same ? [] : ['change-request-configuration-updated'] }
  }

  #write(action: Exclude<Action, { do: 'add' | 'settings' | 'flags' | 'wait' | 'read' }>): Verdict {
    const about = this.visible(action.who, this.aim(action.request))
    if (about === undefined) return missing
    switch (action.do) {
      case 'edit':
      case 'discard change':
        return this.#change(action, about)
      case 'discard draft':
        return (
          this.#authorOnly(action, about) ??
          (about.state !== 'Draft' ? { ...conflict, about } : this.#discardDraft(about))
        )
      case 'state':
        return this.#step(action, about)
      case 'comment':
        if (action.bound === 'past') return { ...otherRevision, about }
        about.comments += 1
        return { status: 204, about, events: [] }
      case 'object':
        return this.#object(action, about)
      case 'lift':
      case 'dismiss':
        return this.#endObjection(action, about)
      case 'take back':
        return this.#takeBack(action, about)
      default:
        return this.#describe(action, about)
    }
  }

  /** The four steps that stop a change request, and undo that (extensions 17). */
  #object({ who, bound, text, digest }: Action & { do: 'object' }, about: Expected): Verdict {
    if (isMachine(who)) return { ...notYours, about }
    if (!this.may(who, 'APPROVE', about.environment)) return { ...noPermission, about }
    if (bound === 'past') return { ...otherRevision, about }
    if (!isStoppable(about)) return { ...conflict, about }
    const [trimmed, outdated, own] = [text.trim(), digest === 'other', openObjectionOf(about, who)]
    if (own?.text === trimmed && own.outdated === outdated) return { status: 204, about, events: [] }
    if (own !== undefined) own.ended = 'replaced'
    const id = about.objections.length + 1
    about.objections.push({ id, by: who, text: trimmed, outdated, ended: null })
    about.comments += 1
    return this.#withoutApproval(who, 'objected', about)
  }

  #endObjection({ who, bound, ...action }: Action & { do: 'lift' | 'dismiss' }, about: Expected): Verdict {
    if (isMachine(who)) return { ...notYours, about }
    const isDismissal = action.do === 'dismiss'
    if (isDismissal && who !== 'dora') return { ...noPermission, about }
    if (isDismissal && about.author === who) return { ...notYours, about }
    const found = isDismissal ? about.objections[action.objection] : openObjectionOf(about, who)
    if (isDismissal && found === undefined) return { ...missing, about }
    if (bound === 'past') return { ...otherRevision, about }
    const ends = found !== undefined && found.ended === null && !(isDismissal && found.by === who)
    if (!isStoppable(about) || !ends) return { ...conflict, about }
    found.ended = isDismissal ? 'dismissed' : 'lifted'
    return { status: 204, about, events: [] }
  }

  #takeBack({ who, bound }: Action & { do: 'take back' }, about: Expected): Verdict {
    if (isMachine(who)) return { ...notYours, about }
    if (bound === 'past') return { ...otherRevision, about }
    if (!isStoppable(about) || !about.approvals.includes(who)) return { ...conflict, about }
    return this.#withoutApproval(who, 'taken-back', about)
  }

  /** Back in review if too few approvals are left. */
  #withoutApproval(who: Who, cause: 'objected' | 'taken-back', about: Expected): Verdict {
    const stopped: Verdict = { status: 204, about, events: [] }
    if (!about.approvals.includes(who)) return stopped
    about.approvals = about.approvals.filter((one) => one !== who)
    about.voided.push({ by: who, cause })
    if (about.state !== 'Approved' || about.approvals.length >= about.minimum) return stopped
    about.state = 'In review'
    return { ...stopped, events: ['change-request-sent-to-review'] }
  }

  #discardDraft(about: Expected): Verdict {
    about.isRemoved = true
    return { status: 200, about, events: ['change-request-discarded'] }
  }

  /** Permission, author, revision: in this order for everything that only the author can do. */
  #authorOnly({ who, bound }: { readonly who: Who; readonly bound: Bound }, about: Expected): Verdict | undefined {
    if (!this.may(who, 'CREATE', about.environment)) return { ...noPermission, about }
    if (about.author !== who) return { ...notYours, about }
    return bound === 'past' ? { ...otherRevision, about } : undefined
  }

  #change(action: Action & { do: 'edit' | 'discard change' }, about: Expected): Verdict {
    const old = this.aimChange(about, action.change)
    if (old === undefined) return { ...missing, about }
    const refusal = this.#authorOnly(action, about)
    if (refusal !== undefined) return refusal
    if (action.do === 'edit' && isUnknown(action.to)) return { ...missing, about }
    if (!takesChanges.includes(about.state)) return { ...conflict, about }
    if (action.do === 'discard change' && about.changes.length === 1 && about.state !== 'Draft') {
      return { ...conflict, about }
    }
    about.changes = about.changes.filter((one) => one !== old)
    if (action.do === 'edit') about.changes.push(toExpected(action.to, action.who))
    this.#unreview(about)
    return { status: 200, about, events: [action.do === 'edit' ? 'change-edited' : 'change-discarded'] }
  }

  /** The current content has no approvals. */
  #unreview(about: Expected): void {
    if (about.state !== 'Draft') about.state = 'In review'
    about.voided.push(...about.approvals.map((by) => ({ by, cause: 'edit' as const })))
    about.approvals = []
    for (const one of openObjections(about)) one.outdated = true
  }

  #step({ who, state, comment, bound }: Action & { do: 'state' }, about: Expected): Verdict {
    const { need, from, by } = ways[state]
    if (by === 'others' && isMachine(who)) return { ...notYours, about }
    if (!this.may(who, need, about.environment)) return { ...noPermission, about }
    const own = about.author === who
    const isBehind = about.author === 'bot' && who === 'ben'
    if (by === 'author' && !own) return { ...notYours, about }
    if (by === 'author, admin' && !own && who !== 'dora') return { ...notYours, about }
    if (by === 'others' && (own || isBehind || about.changes.some((change) => change.by === who)))
      return { ...notYours, about }
    if (bound === 'past') return { ...otherRevision, about }
    const lifts = state === 'Approved' && openObjectionOf(about, who) !== undefined
    if (lifts && bound !== 'present') return { ...revisionRequired, about }
    if (!from.includes(about.state)) return { ...conflict, about }
    const events = this.#arrive(who, state, about)
    if (!Array.isArray(events)) return { ...(events as Verdict), about }
    if (comment !== null && comment.trim() !== '') about.comments += 1
    return { status: 200, about, events }
  }

  #arrive(who: Who, state: Target, about: Expected): readonly string[] | Verdict {
    switch (state) {
      case 'In review':
        if (about.changes.length === 0) return conflict
        about.minimum = Math.max(about.minimum, this.setting(about.environment).approvals)
        about.state = state
        return ['change-request-sent-to-review']
      case 'Approved':
        return this.#approve(who, about)
      case 'Rejected':
        if (about.approvals.includes(who)) return conflict
        about.rejections.push(who)
        this.#close(state, about)
        return ['change-request-rejected']
      case 'Applied':
        return this.#apply(about)
      default:
        this.#close(state, about)
        return ['change-request-cancelled']
    }
  }

  #approve(who: Who, about: Expected): readonly string[] | Verdict {
    const objection = openObjectionOf(about, who)
    const isReady = about.state === 'Approved'
    if (objection === undefined && (isReady || about.approvals.includes(who))) return conflict
    if (objection !== undefined) objection.ended = 'approved'
    about.approvals.push(who)
    if (isReady || about.approvals.length < about.minimum) return ['change-request-approval-added']
    about.state = 'Approved'
    return ['change-request-approval-added', 'change-request-approved']
  }

  #close(state: Target, about: Expected): void {
    about.state = state
    for (const one of openObjections(about)) one.ended = 'closed'
  }

  #apply(about: Expected): readonly string[] | Verdict {
    if (openObjections(about).length > 0) return conflict
    if (about.changes.some(({ feature }) => feature !== null && this.archived.has(feature))) return conflict
    const { fails } = this
    this.fails = null
    if (fails !== null) return fails === 'conflict' ? conflict : failure
    about.state = 'Applied'
    return [...lastSwitches(about.changes).map(() => 'feature-environment-enabled'), 'change-request-applied']
  }

  #describe(action: Action & { do: 'title' | 'approvers' }, about: Expected): Verdict {
    const { who } = action
    if (!this.may(who, 'CREATE', about.environment)) return { ...noPermission, about }
    if (about.author !== who && who !== 'dora') return { ...notYours, about }
    if (action.bound === 'past') return { ...otherRevision, about }
    if (action.do === 'title') {
      if (['Applied', 'Cancelled', 'Rejected'].includes(about.state)) return { ...conflict, about }
      about.title = action.title.trim()
      return { status: 204, about, events: [] }
    }
    if (!['Draft', 'In review'].includes(about.state)) return { ...conflict, about }
    const able = about.environment === 'production' ? [1, 2, 3, 4] : [1, 2, 4]
    if (action.reviewers.some((id) => !able.includes(id))) return { ...bad, about }
    const wanted = [...new Set(action.reviewers)]
    const same = wanted.join() === about.approvers.join()
    about.approvers = wanted
    return { status: 204, about, events: same ? [] : ['change-request-requested-approvers-updated'] }
  }
}

function isMachine(who: Who): boolean {
  return who === 'bot'
}

function isStoppable({ state }: Expected): boolean {
  return state === 'In review' || state === 'Approved'
}

export function openObjections({ objections }: Expected): ExpectedObjection[] {
  return objections.filter(({ ended }) => ended === null)
}

export function openObjectionOf(about: Expected, who: Who): ExpectedObjection | undefined {
  return openObjections(about).find(({ by }) => by === who)
}

function isUnknown({ feature }: ProposedChange): boolean {
  return feature !== undefined && !knownFlags.includes(feature)
}

function toExpected({ action, feature, payload = {} }: ProposedChange, by: Who): ExpectedChange {
  return { id: 0, action, feature: feature ?? null, payload, by }
}
