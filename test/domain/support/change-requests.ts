import type { Change, ChangeRequest, Comment, JsonValue, NewChange, Vote } from '../../../src/domain/change-request'
import type { Attribution } from '../../../src/domain/events/events'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import {
  type CallFacts,
  type Facts,
  returnedRevision,
  type StepOptions,
  type StepPermission,
  stepOptionNames,
  stepPermissions,
} from '../../../src/domain/steps/facts'
import { ChangeRequestError } from '../../../src/errors'

export const noon = '2026-03-04T12:00:00.000Z'
export const later = '2026-03-04T12:05:00.000Z'
export const digest = 'sha256:reviewed'
/** Replaces the real digest, so that it is readable in tests. */
export const hash = (value: JsonValue) => `hash of ${JSON.stringify(value)}`

const people = { ann: 1, ben: 2, cleo: 3, dora: 4 } as const
export type Name = keyof typeof people

export const personOf = (name: Name) => ({ id: people[name], username: name, imageUrl: null })

export function by(name: Name): Attribution['by'] {
  return { author: { person: personOf(name), signature: `${name}@example.com`, ip: '::1' } }
}

/** For steps that depend on no option. */
const noOptions = Object.fromEntries(stepOptionNames.map((name) => [name, false])) as StepOptions

/** The gathered facts: everything except the facts of the call. */
export type GatheredFacts = Omit<Facts, keyof CallFacts>

/** Everyone has every permission; Dora is the admin. Changes can be applied, and nothing else is known. */
export function facts(name: Name, options: Partial<StepOptions> = {}): GatheredFacts {
  return {
    userId: people[name],
    callerKind: 'person',
    callerGroups: [],
    callerFor: null,
    commentId: undefined,
    checkName: undefined,
    predecessor: undefined,
    options: { ...noOptions, canApply: true, ...options },
    ...permissions({ ADMIN: name === 'dora' }),
    approvesSomewhere: true,
    editsDetails: options.detailsByAnyone === true || name === 'dora',
    revision: returnedRevision,
    flags: undefined,
    digest,
    votedChanges: [],
    rules: [],
    placeChecks: [],
    checks: [],
    approvers: undefined,
    freezes: [],
    expiry: undefined,
    preset: undefined,
    targets: {},
    conflicts: [],
    overwrites: [],
    overwritten: new Map(),
    policyDigest: undefined,
    foreignSegments: [],
    customFields: undefined,
    proposal: { rejected: undefined, invalid: [], flags: undefined },
    enabled: true,
    otherOpen: undefined,
    invalidOnSubmit: [],
    invalidOnApply: [],
    interrupted: false,
    possibleRevert: undefined,
    revert: undefined,
    revertOrigin: { flags: undefined, gatedMinimum: undefined },
    copy: undefined,
    copyOrigin: { flags: undefined, gatedMinimum: undefined },
    gatedMinimum: undefined,
    requiredApprovals: 1,
    reviewers: Object.values(people),
  }
}

/** By default every permission, in all environments. */
export function permissions(held: Partial<Pick<Facts, StepPermission>> = {}) {
  return {
    READ_CHANGE_REQUEST: true,
    CREATE_CHANGE_REQUEST: true,
    APPROVE_CHANGE_REQUEST: true,
    APPLY_CHANGE_REQUEST: true,
    SKIP_CHANGE_REQUEST: true,
    REPORT_CHECK: true,
    ADMIN: false,
    ...held,
    'APPROVE_CHANGE_REQUEST elsewhere': [],
    'APPLY_CHANGE_REQUEST elsewhere': [],
    'SKIP_CHANGE_REQUEST elsewhere': [],
    'REPORT_CHECK elsewhere': [],
  } as const satisfies Partial<Facts>
}

/** A key without a user id and without permissions. */
export const nobody: GatheredFacts = {
  ...facts('ann'),
  ...permissions(Object.fromEntries(stepPermissions.map((permission) => [permission, false]))),
  userId: null,
  approvesSomewhere: false,
  editsDetails: false,
}

export const on = (name: Name) => ({ by: by(name), now: later, facts: facts(name) })

const commentLimits = { comments: 10, bytes: 10_000, bytesWithSteps: 20_000 }

export function step(name: Name, comment: string | null = null) {
  return { ...on(name), comment, commentLimits }
}

export function change(id: number, properties: Partial<Change> = {}): Change {
  const payload = { enabled: true }
  const base = { id, action: 'updateEnabled', feature: 'checkout', payload, createdBy: personOf('ann') } as const
  return { ...base, createdAt: noon, ...properties }
}

export function vote(name: Name, of = digest): Vote {
  return { createdBy: personOf(name), createdAt: noon, digest: of }
}

/** A comment that was written at noon. */
export function commentOf(id: number, name: Name, properties: Partial<Comment> = {}): Comment {
  return { id, text: `Comment ${id}`, createdBy: personOf(name), createdAt: noon, ...properties }
}

/** A change request of Ann with changes 1 and 2, by default in review. */
export function changeRequest(properties: Partial<ChangeRequest> = {}): ChangeRequest {
  return {
    id: 7,
    project: 'shop',
    environment: 'production',
    title: null,
    state: 'In review',
    minApprovals: 2,
    changes: [change(1), change(2)],
    approvals: [],
    rejections: [],
    comments: [],
    requestedApprovers: [],
    createdBy: personOf('ann'),
    createdAt: noon,
    updatedAt: noon,
    stateTimestamps: { Draft: noon },
    schedule: null,
    ...properties,
  }
}

/** A change request with these changes, numbered from 1. */
export function proposing(...changes: readonly NewChange[]): ChangeRequest {
  return changeRequest({ changes: changes.map((proposed, index) => change(index + 1, proposed)) })
}

/** The flag `checkout` and the segment 4. */
export function flags(state: Partial<FeatureState> = {}, others: Partial<FlagState> = {}): FlagState {
  return {
    features: new Map([['checkout', { archived: false, enabled: false, ...state }]]),
    segments: new Map([[4, { name: 'beta users' }]]),
    ...others,
  }
}

/** The error of a decision as `name: message`, or undefined. */
export function refusalOf(decide: () => unknown): string | undefined {
  try {
    decide()
    return undefined
  } catch (error) {
    if (ChangeRequestError.is(error)) return `${error.name}: ${error.message}`
    throw error
  }
}
