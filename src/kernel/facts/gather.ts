import type { ChangeRequest, Scheduling } from '../../domain/change-request'
import { matchingChecks } from '../../domain/checks/check'
import { predecessorIn } from '../../domain/content/follow'
import { summarize } from '../../domain/content/summary'
import { findOverwrites, listOverwrites, withoutFollowed } from '../../domain/diff/overwrites'
import type { DefaultChange, FlagState } from '../../domain/flag-state'
import { findConflicts, listConflicts } from '../../domain/flags/conflicts'
import { findDefaultChanges } from '../../domain/flags/default-changes'
import { matchingFreezes, type PlacedFreeze } from '../../domain/freezes/freeze'
import { isClosed } from '../../domain/lifecycle'
import { matchingRules } from '../../domain/rules/condition'
import { pendingPreset } from '../../domain/schedule/preset'
import { listForeignSegments } from '../../domain/steps/content-rules'
import {
  type CallFacts,
  type DecisionFact,
  type Fact,
  type Facts,
  type PermissionElsewhere,
  permissionsElsewhere,
  type StepPermission,
  stepPermissions,
} from '../../domain/steps/facts'
import type { ApprovalFacts } from '../../domain/steps/requirements'
import { type CallerFacts, type GatheredFacts, needsOf, type RuleFactsOf, type Step } from '../../domain/steps/steps'
import type { Actor } from '../../ports/access'
import { changeDigests, digestOf, toVotedChanges } from '../digest'
import { kindOf, machineOf } from '../host/author'
import { isDeleted, reviewersThroughout } from '../host/find-users'
import { previewOf } from '../host/flag-state'
import { createPermissionCheck } from '../host/permissions'
import { settingsOf } from '../host/settings'
import { type HostServices, now } from '../host-services'
import { isInterrupted } from './expiry'
import { type FactContext, stepOptions } from './fact-context'
import { gatherFlags, targetDigests } from './flags'
import { copyFacts, draftOrigin, possibleRevert, revertFacts } from './new-draft'
import { type PlaceFacts, placeOfStep } from './place'
import { approversOf, checksThroughout, digestOfPolicy, type Policy, policyOf } from './policy'
import { followedTargets, predecessorOf } from './predecessor'
import { nothingProposed, proposalFacts } from './proposal'
import { freezesThroughout, type Reach, reachOf } from './reach'
import { validateStored } from './validate'

/** Everything that can be gathered: the facts, and the values that several facts are derived from. */
export interface Gatherable extends Omit<Facts, keyof CallFacts | DecisionFact> {
  readonly reach: Reach
  readonly policy: Policy
  readonly place: PlaceFacts
  /** The freezes in all environments that it affects, before they are matched with the changes. */
  readonly placeFreezes: readonly PlacedFreeze[]
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** The targets as its predecessor left them, by the id of the change: a change of them overwrites nothing. */
  readonly followedTargets: Scheduling['targets']
  /** The flags that a copy of the changes is compared with; undefined without a gateway. */
  readonly copiedFlags: FlagState | undefined
}

type Name = keyof Gatherable

type Get = <Wanted extends Name>(name: Wanted) => Promise<Gatherable[Wanted]>

/** How a fact is obtained: by a hook, from the storage, or from other facts. */
type Sources = {
  readonly [name in Name]: (context: FactContext, get: Get) => Gatherable[name] | Promise<Gatherable[name]>
}

const sources: Sources = {
  userId: ({ actor }) => actor.id,
  callerKind: ({ actor }) => kindOf(actor),
  callerGroups: ({ actor }) => actor.groups ?? [],
  callerFor: ({ actor }) => machineOf(actor).onBehalfOf?.id ?? null,
  options: stepOptions,
  commentId: ({ commentId }) => commentId,
  checkName: ({ checkName }) => checkName,
  ...permissionSources(),
  approvesSomewhere: async ({ hasPermission }, get) => {
    if (await get('APPROVE_CHANGE_REQUEST')) return true
    const { elsewhere } = await get('reach')
    const held = await Promise.all(elsewhere.map((scope) => hasPermission('APPROVE_CHANGE_REQUEST', scope)))
    return held.includes(true)
  },
  editsDetails: async (_, get) =>
    (await get('options')).detailsByAnyone ? get('APPROVE_CHANGE_REQUEST') : get('ADMIN'),

  reach: ({ services, changeRequest }) => reachOf(services, changeRequest),
  policy: async (context, get) => policyOf(context, await get('reach')),
  flags: gatherFlags,
  defaultChanges: async ({ changeRequest }, get) => findDefaultChanges(changeRequest, await get('flags')),
  digest: async ({ changeRequest }, get) => digestOn(changeRequest, await get('flags'), await get('defaultChanges')),
  votedChanges: ({ changeRequest }) => toVotedChanges(changeDigests(changeRequest)),
  rules: async ({ changeRequest }, get) => {
    const { ended } = changeRequest
    if (ended?.rules !== undefined) return ended.rules
    const [{ rules }, flags] = await Promise.all([get('policy'), get('flags')])
    return matchingRules(rules, changeRequest, flags)
  },
  placeChecks: async ({ services, changeRequest: { project } }, get) =>
    checksThroughout(services, project, await get('reach')),
  checks: async ({ changeRequest }, get) => {
    const { ended } = changeRequest
    if (ended?.rules !== undefined) return ended.checks ?? []
    const [checks, flags] = await Promise.all([get('placeChecks'), get('flags')])
    return matchingChecks(checks, changeRequest, flags)
  },
  placeFreezes: async ({ services, changeRequest }, get) =>
    freezesThroughout(services, changeRequest.project, await get('reach')),
  freezes: async ({ changeRequest }, get) => matchingFreezes(await get('placeFreezes'), summarize(changeRequest)),
  policyDigest: async ({ services: { options } }, get) =>
    options.applyTrace
      ? digestOfPolicy(await get('policy'), await get('placeChecks'), await get('placeFreezes'))
      : undefined,
  // Those whose approvals counted when it was closed; undefined if all approvals of its content count.
  approvers: async ({ changeRequest: { state, ended } }, get) =>
    isClosed({ state }) ? ended?.counted && new Set(ended.counted) : approversOf(await get('policy')),
  targets: async ({ changeRequest }, get) =>
    targetDigests(changeRequest, await get('flags'), await get('defaultChanges')),
  conflicts: async ({ changeRequest }, get) => {
    const flags = await get('flags')
    return flags === undefined ? [] : listConflicts(changeRequest, findConflicts(changeRequest, flags))
  },
  predecessor: (context, get) => predecessorOf(context, () => get('targets')),
  followedTargets: (context, get) => followedTargets(context, () => get('targets')),
  overwritten: async ({ changeRequest }, get) => {
    const found = findOverwrites(changeRequest, await get('flags'))
    if (found.size === 0 && predecessorIn(changeRequest) === undefined) return found
    return withoutFollowed(found, await get('targets'), await get('followedTargets'))
  },
  overwrites: async ({ changeRequest }, get) => listOverwrites(changeRequest, await get('overwritten')),
  // The gateway is called only if a change is about a segment.
  foreignSegments: async ({ services, changeRequest }, get) =>
    services.options.globalSegments || changeRequest.changes.every(({ feature }) => feature !== null)
      ? []
      : listForeignSegments(changeRequest, await get('flags')),
  preset: gatherPreset,
  interrupted: ({ services, changeRequest }) => isInterrupted(services, changeRequest),

  invalidOnSubmit: (context) => validateStored(context, 'submit'),
  // The implied changes of the flags before the transaction: a hook is never called inside it.
  invalidOnApply: async (context, get) => {
    const isCalled = context.services.validate !== null
    const implied = isCalled ? [...(await get('defaultChanges')).values()] : []
    return validateStored(context, 'apply', implied, isCalled ? await get('flags') : undefined)
  },
  customFields: ({ services }) => services.customFields,
  // The review has no proposal, but an edit would need the flags.
  proposal: async ({ proposal, ...context }, get) =>
    proposal === undefined
      ? { ...nothingProposed, flags: await get('flags') }
      : proposalFacts({
          ...{ ...context, place: context.changeRequest, proposal },
          replaced: context.changeRequest.changes.find(({ id }) => id === proposal.replaces),
        }),
  place: placeOfStep,
  enabled: async (_, get) => (await get('place')).enabled,
  otherOpen: async (_, get) => (await get('place')).otherOpen,
  requiredApprovals: async ({ services, changeRequest: { project, environment } }) =>
    (await settingsOf(services, project, environment)).requiredApprovals,
  gatedMinimum: async ({ services, changeRequest, changesAfter }, get) =>
    (await (changesAfter === undefined ? get('reach') : reachOf(services, { ...changeRequest, changes: changesAfter })))
      .gatedMinimum,
  reviewers: async ({ services, changeRequest: { project } }, get) => {
    const { environments } = await get('reach')
    return (await reviewersThroughout(services, project, environments)).map(({ id }) => id)
  },
  possibleRevert: (context, get) => possibleRevert(context, () => get('flags')),
  revert: async (context, get) => revertFacts(context, await get('possibleRevert')),
  revertOrigin: async (context, get) => draftOrigin(context, (await get('possibleRevert'))?.changes ?? []),
  copy: (context, get) => copyFacts(context, () => get('copiedFlags')),
  copiedFlags: async (_, get) => (await get('copyOrigin')).flags,
  copyOrigin: (context) => draftOrigin(context, isClosed(context.changeRequest) ? context.changeRequest.changes : []),
}

function permissionSources() {
  const here = stepPermissions.map((name) => [
    name,
    ({ hasPermission, changeRequest: { project, environment } }: FactContext) =>
      hasPermission(name, name === 'ADMIN' ? {} : { project, environment }),
  ])
  const elsewhere = permissionsElsewhere.map((name): [string, Sources['APPLY_CHANGE_REQUEST elsewhere']] => [
    `${name} elsewhere`,
    async ({ hasPermission }, get) => {
      const { elsewhere } = await get('reach')
      const held = await Promise.all(elsewhere.map((scope) => hasPermission(name, scope)))
      return elsewhere.filter((_, index) => !held[index]).map(({ environment }) => environment)
    },
  ])
  return Object.fromEntries([...here, ...elsewhere]) as Pick<
    Sources,
    StepPermission | `${PermissionElsewhere} elsewhere`
  >
}

const fromFlags: readonly Name[] = [
  'defaultChanges',
  'digest',
  'rules',
  'checks',
  'targets',
  'conflicts',
  'overwritten',
  'overwrites',
  'foreignSegments',
]

/** Gathers facts about one change request for one actor. Obtains each fact once. */
export class FactGatherer {
  readonly #context: FactContext
  readonly #known: Map<Name, unknown>

  constructor(context: FactContext, known: Partial<Gatherable> = {}) {
    this.#context = context
    this.#known = new Map(Object.entries(known) as [Name, unknown][])
  }

  async get<Wanted extends Name>(name: Wanted): Promise<Gatherable[Wanted]> {
    if (!this.#known.has(name)) {
      const obtained = (sources[name] as Sources[Name])(this.#context, (other) => this.get(other))
      this.#known.set(name, obtained)
    }
    return this.#known.get(name) as Gatherable[Wanted]
  }

  async forCaller<S extends Step>(step: S): Promise<CallerFacts<S>> {
    return (await this.#gather(needsOf(step, 'caller'))) as CallerFacts<S>
  }

  async forRules<S extends Step>(...steps: readonly S[]): Promise<Omit<RuleFactsOf<S>, DecisionFact>> {
    return (await this.#gather(needsOf(steps, 'caller', 'input', 'state'))) as Omit<RuleFactsOf<S>, DecisionFact>
  }

  async forStep<S extends Step>(step: S, ...known: readonly Name[]): Promise<GatheredFacts<S>> {
    const needed = needsOf(step, 'caller', 'input', 'state', 'decision')
    return (await this.#gather(needed, known)) as GatheredFacts<S>
  }

  /** A gatherer for other content that reuses the known values of these facts. */
  about(context: FactContext, ...reused: readonly Name[]): FactGatherer {
    return new FactGatherer(context, Object.fromEntries([...this.#known].filter(([name]) => reused.includes(name))))
  }

  /** A gatherer for the same facts, based on the flags that a transaction locked. */
  onFlags(flags: FlagState | undefined): FactGatherer {
    const reused = [...this.#known].filter(([name]) => !fromFlags.includes(name))
    return new FactGatherer(this.#context, Object.fromEntries([...reused, ['flags', flags]]))
  }

  async #gather(needed: readonly Fact[], known: readonly Name[] = []): Promise<Partial<Gatherable>> {
    const isGathered = (name: string): name is Name => Object.hasOwn(sources, name) && !known.includes(name as Name)
    const names = [...new Set<string>(needed)].filter(isGathered)
    const values = await Promise.all(names.map((name) => this.get(name)))
    const gathered: { [name: string]: unknown } = {}
    for (const [index, name] of names.entries()) gathered[name] = values[index]
    return gathered
  }
}

export function gathererFor(
  services: HostServices,
  actor: Actor,
  changeRequest: ChangeRequest,
  known: Partial<Gatherable> = {},
): FactGatherer {
  const hasPermission = createPermissionCheck(services, actor)
  return new FactGatherer({ services, actor, hasPermission, changeRequest }, known)
}

/** No hook is called if no preset schedule is in force. The validator is called for the user who set it. */
async function gatherPreset(context: FactContext, get: Get): Promise<Facts['preset']> {
  const { services, changeRequest } = context
  const preset = pendingPreset(changeRequest, now(services))
  if (preset === undefined) return undefined
  const [flags, reach, policy, placeChecks] = await Promise.all([
    get('flags'),
    get('reach'),
    get('policy'),
    get('placeChecks'),
  ])
  const gatherer = new FactGatherer(
    { ...context, actor: preset.by.person, after: preset.after },
    { flags, reach, policy, placeChecks },
  )
  const [facts, personGone] = await Promise.all([
    gatherer.forStep('scheduleOnceReady'),
    isDeleted(services, preset.by.person),
  ])
  return { ...facts, personGone }
}

/** The facts that decide which approvals are needed on these flags, and which count. */
export function approvalFactsOn(
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
  policy: Policy,
): Omit<ApprovalFacts, DecisionFact> {
  return {
    digest: digestOn(changeRequest, flags),
    rules: matchingRules(policy.rules, changeRequest, flags),
    approvers: approversOf(policy),
  }
}

function digestOn(
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
  defaultChanges?: Gatherable['defaultChanges'],
): string {
  if (!isClosed(changeRequest)) return previewOf(changeRequest, flags, defaultChanges).digest
  const { approvals, ended } = changeRequest
  // An earlier version closed it without its digest (contract 6.3). An edit would have removed the approval.
  return ended?.digest ?? approvals.at(-1)?.digest ?? digestOf(changeRequest)
}
