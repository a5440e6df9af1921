import fc from 'fast-check'
import type { Who } from './callers'
import { flagNames } from './hosts'

export const environments = ['production', 'development'] as const
export type Environment = (typeof environments)[number]

export interface ProposedChange {
  readonly action: string
  readonly feature?: string
  readonly payload?: unknown
}

/** The If-Match of a write: none, the current revision, an outdated one, any. */
export type Bound = 'free' | 'present' | 'past' | 'any'

/** `request` counts back from the newest change request, `change` through its changes. One more than the last names nothing. */
interface Aimed {
  readonly who: Who
  readonly request: number
  readonly bound: Bound
}

export const targets = ['Draft', 'In review', 'Approved', 'Scheduled', 'Applied', 'Cancelled', 'Rejected'] as const
export type Target = (typeof targets)[number]

/** The `digest` in a body: none, the current one, another one. */
export type Digest = 'none' | 'current' | 'other'

/** An action. Plain data, so that a failing sequence is readable. */
export type Action =
  | {
      readonly do: 'add'
      readonly who: Who
      readonly environment: Environment
      readonly changes: readonly ProposedChange[]
      readonly bound: Bound
    }
  | (Aimed & { readonly do: 'edit'; readonly change: number; readonly to: ProposedChange })
  | (Aimed & { readonly do: 'discard change'; readonly change: number })
  | (Aimed & { readonly do: 'discard draft' })
  | (Aimed & { readonly do: 'state'; readonly state: Target; readonly comment: string | null })
  | (Aimed & { readonly do: 'object'; readonly text: string; readonly digest: Digest })
  | (Aimed & { readonly do: 'lift' })
  | (Aimed & { readonly do: 'dismiss'; readonly objection: number })
  | (Aimed & { readonly do: 'take back' })
  | (Aimed & { readonly do: 'title'; readonly title: string })
  | (Aimed & { readonly do: 'comment'; readonly text: string })
  | (Aimed & { readonly do: 'approvers'; readonly reviewers: readonly number[] })
  | {
      readonly do: 'settings'
      readonly who: Who
      readonly environment: Environment
      readonly enabled: boolean
      readonly approvals: number | null
    }
  | { readonly do: 'read'; readonly who: Who; readonly request: number; readonly what: Reading }
  | { readonly do: 'flags'; readonly archived: string | null; readonly fails: 'conflict' | 'error' | null }
  | { readonly do: 'wait'; readonly ms: number }

export const readings = [
  'one',
  'list',
  'pending',
  'open',
  'pending for checkout',
  'count',
  'actionable',
  'settings',
  'approvers',
  'reviewers',
  'search',
  'search open by ann',
  'search closed',
] as const
export type Reading = (typeof readings)[number]

const anybody = fc.constantFrom<Who>('ann', 'ben', 'cleo', 'dora', 'bot')
const writer = fc.oneof({ weight: 6, arbitrary: fc.constant<Who>('ann') }, { weight: 4, arbitrary: anybody })
const reviewer = fc.oneof({ weight: 2, arbitrary: fc.constantFrom<Who>('ben', 'cleo') }, anybody)
const environment = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Environment>('production') },
  fc.constantFrom(...environments),
)
const request = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat(3))
const bound = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Bound>('free') },
  fc.constantFrom<Bound>('present', 'past', 'any'),
)
const feature = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...flagNames) }, fc.constant('ghost'))

/** Changes of one environment. Another property covers those that affect the whole project. */
const proposed: fc.Arbitrary<ProposedChange> = fc.oneof(
  fc.record({ action: fc.constant('updateEnabled'), feature, payload: fc.record({ enabled: fc.boolean() }) }),
  fc.record({ action: fc.constant('reorderStrategy'), feature, payload: fc.constant([]) }),
  fc.record({ action: fc.constant('patchVariant'), feature, payload: fc.constant({ variants: [] }) }),
)
const aimedAt = { request, bound }
const comment = fc.option(fc.constantFrom('fine by me', '  '), { freq: 2 })

function step(state: Target, who: fc.Arbitrary<Who>) {
  return fc.record({ do: fc.constant('state' as const), who, ...aimedAt, state: fc.constant(state), comment })
}

/** Any action. Those that advance a change request are frequent enough for some to be applied. */
export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      who: writer,
      environment,
      changes: fc.array(proposed, { minLength: 1, maxLength: 3 }),
      bound,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      who: writer,
      ...aimedAt,
      change: fc.nat(3),
      to: proposed,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('discard change' as const), who: writer, ...aimedAt, change: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('discard draft' as const), who: writer, ...aimedAt }) },
  { weight: 18, arbitrary: step('In review', writer) },
  { weight: 22, arbitrary: step('Approved', reviewer) },
  { weight: 14, arbitrary: step('Applied', reviewer) },
  { weight: 3, arbitrary: step('Rejected', reviewer) },
  { weight: 3, arbitrary: step('Cancelled', writer) },
  { weight: 1, arbitrary: fc.constantFrom<Target>('Draft', 'Scheduled').chain((state) => step(state, anybody)) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('object' as const),
      who: reviewer,
      ...aimedAt,
      text: fc.constantFrom('Too early.', ' Not on Friday. '),
      digest: fc.constantFrom<Digest>('none', 'none', 'current', 'other'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('lift' as const), who: reviewer, ...aimedAt }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dismiss' as const),
      who: fc.oneof({ weight: 3, arbitrary: fc.constant<Who>('dora') }, anybody),
      ...aimedAt,
      objection: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take back' as const), who: reviewer, ...aimedAt }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('title' as const),
      who: anybody,
      ...aimedAt,
      title: fc.constantFrom('Sale', ' Winter sale '),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('comment' as const),
      who: anybody,
      ...aimedAt,
      text: fc.constant(' why? '),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('approvers' as const),
      who: anybody,
      ...aimedAt,
      reviewers: fc.array(fc.constantFrom(2, 2, 3, 4, 9), { maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settings' as const),
      who: fc.oneof({ weight: 3, arbitrary: fc.constant<Who>('dora') }, anybody),
      environment,
      enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
      approvals: fc.option(fc.constantFrom(0, 1, 2, 2, 3, 12), { freq: 4 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      who: anybody,
      request,
      what: fc.constantFrom(...readings),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('flags' as const),
      archived: fc.option(fc.constantFrom(...flagNames), { freq: 1 }),
      fails: fc.option(fc.constantFrom('conflict', 'error'), { freq: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 90_000) }) },
)
