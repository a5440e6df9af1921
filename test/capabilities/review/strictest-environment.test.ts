import fc from 'fast-check'
import { type ChangeRequest, ChangeRequestError, type Directory } from '../../../src'
import { discardChange, editChange } from '../../../src/capabilities/proposals/changes'
import { Scheduler } from '../../../src/capabilities/schedule/scheduler'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { NewChange } from '../../../src/domain/change-request'
import { by, createFixture, enable, inAnHour, noon, rejection, type Who } from '../../kernel/support/fixture'
import { random } from '../../support/random'

/** As listed in the contract, independent of the table of actions. */
const projectWide: readonly string[] = [
  'archiveFeature',
  'updateSegment',
  'deleteSegment',
  'addDependency',
  'deleteDependency',
]

const environments = ['development', 'staging', 'production'] as const
type Environment = (typeof environments)[number]

const changes: readonly NewChange[] = [
  enable(),
  { action: 'archiveFeature', feature: 'checkout', payload: {} },
  { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [] } },
  { action: 'deleteSegment', feature: null, payload: { id: 4 } },
  { action: 'addDependency', feature: 'checkout', payload: { feature: 'login' } },
  { action: 'deleteDependency', feature: 'checkout', payload: {} },
]

/** `rest` means unlisted environments: permissions are checked for the whole project. */
type Place = Environment | 'rest'
type Asked = 'APPROVE_CHANGE_REQUEST' | 'APPLY_CHANGE_REQUEST'

interface Setting {
  readonly changeRequestsEnabled: boolean
  readonly requiredApprovals: number
}

type Command =
  | { readonly kind: 'add' | 'edit'; readonly change: NewChange }
  | { readonly kind: 'discard' | 'submit' | 'runDue' }
  | { readonly kind: 'approve' | 'apply' | 'schedule'; readonly who: Who }
  | { readonly kind: 'set'; readonly environment: Environment; readonly setting: Setting }
  | {
      readonly kind: 'permit'
      readonly who: Who
      readonly permission: Asked
      readonly place: Place
      readonly held: boolean
    }

const setting: fc.Arbitrary<Setting> = fc.record({
  changeRequestsEnabled: fc.boolean(),
  requiredApprovals: fc.integer({ min: 1, max: 3 }),
})
const reviewer = fc.constantFrom<Who>('ben', 'cleo', 'dora')
const change = fc.oneof(fc.constant(enable()), fc.constantFrom(...changes))
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'edit' as const), change }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('discard' as const, 'submit' as const, 'submit' as const, 'runDue' as const),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('approve' as const, 'approve' as const, 'apply' as const, 'schedule' as const),
      who: reviewer,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('set' as const), environment: fc.constantFrom(...environments), setting }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('permit' as const),
      who: reviewer,
      permission: fc.constantFrom<Asked>('APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'),
      place: fc.constantFrom<Place>(...environments, 'rest'),
      held: fc.boolean(),
    }),
  },
)

const situation = fc.record({
  own: fc.constantFrom(...environments),
  directory: fc.constantFrom<'complete' | 'empty' | 'none'>('complete', 'empty', 'none'),
  defaults: setting,
  settings: fc.record(
    { development: setting, staging: setting, production: setting },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Partial<Record<Environment, Setting>>>,
  commands: fc.array(command, { minLength: 8, maxLength: 30 }),
})

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

/** The result of the rules of contract 18 and 3.3, computed from the actions alone. */
class Model {
  readonly stored = new Map<Environment, Setting>()
  readonly denied = new Set<string>()
  readonly votes = new Set<Who>()
  changes: readonly NewChange[] = []
  ownMinimum = 0
  minimum = 0
  readonly #situation: Situation

  constructor(current: Situation) {
    this.#situation = current
  }

  settingOf(environment: Environment): Setting {
    return this.stored.get(environment) ?? this.#situation.defaults
  }

  /** All environments with change requests. */
  gated(): Place[] {
    const { directory, own, defaults } = this.#situation
    if (directory === 'complete') return environments.filter((one) => this.settingOf(one).changeRequestsEnabled)
    const known = environments.filter((one) => one === own || this.stored.has(one))
    const gated: Place[] = known.filter((one) => this.settingOf(one).changeRequestsEnabled)
    return defaults.changeRequestsEnabled ? [...gated, 'rest'] : gated
  }

  isProjectWide(): boolean {
    return this.changes.some(({ action }) => projectWide.includes(action))
  }

  recompute(): void {
    const minimums = this.gated().map((place) =>
      place === 'rest' ? this.#situation.defaults.requiredApprovals : this.settingOf(place).requiredApprovals,
    )
    this.minimum = Math.max(this.ownMinimum, ...(this.isProjectWide() ? minimums : []))
  }

  /** Whether the user has the permission in every required environment. */
  may(who: Who, permission: Asked): boolean {
    const places: readonly Place[] = [this.#situation.own, ...(this.isProjectWide() ? this.gated() : [])]
    return places.every((place) => !this.denied.has(`${who} ${permission} ${place}`))
  }
}

async function run(current: Situation): Promise<{ readonly applied: boolean; readonly wide: boolean }> {
  const { own, defaults, commands } = current
  const model = new Model(current)
  const named = current.directory === 'complete' ? environments : []
  const directory: Directory =
    current.directory === 'none' ? {} : { environments: () => named.map((name) => ({ name, type: name })) }
  const fixture = createFixture({ directory, ...defaults, recordOnly: true, schedule: 'here' })
  const { services, host } = fixture
  const scheduler = new Scheduler(services, 1_000)
  host.allows = ({ id }, permission, { environment = 'rest' }) => {
    const who = (['ann', 'ben', 'cleo', 'dora'] as const).find((one) => by(one).actor.id === id)
    return permission !== 'ADMIN' && !model.denied.has(`${who} ${permission} ${environment}`)
  }
  const set = async (environment: Environment, value: Setting) => {
    await changeSettings(services, { ...by('dora'), project: 'shop', environment, ...value })
    model.stored.set(environment, value)
  }
  for (const environment of environments) {
    const value = current.settings[environment]
    if (value !== undefined) await set(environment, value)
  }
  let id: number | undefined
  const stored = async (): Promise<ChangeRequest | undefined> => (id === undefined ? undefined : fixture.stored(id))
  /** The result matches the model; after a rejection nothing has changed. */
  const check = async () => {
    const present = await stored()
    if (present !== undefined)
      expect([present.minApprovals, present.changes.length]).toEqual([model.minimum, model.changes.length])
  }
  const edited = (next: readonly NewChange[]) => {
    model.changes = next
    model.votes.clear()
    model.recompute()
  }
  const wide = () => model.isProjectWide()

  for (const one of commands) {
    const before = await stored()
    const { state } = before ?? {}
    const reference = { project: 'shop', id }
    const last = before?.changes.at(-1)?.id
    const open = state === 'Draft' || state === 'In review' || state === 'Approved'
    if (one.kind === 'set') await set(one.environment, one.setting)
    else if (one.kind === 'permit') {
      const key = `${one.who} ${one.permission} ${one.place}`
      if (one.held) model.denied.delete(key)
      else model.denied.add(key)
    } else if (one.kind === 'add') {
      if ((before !== undefined && !open) || !model.settingOf(own).changeRequestsEnabled) continue
      if (before === undefined) model.ownMinimum = model.settingOf(own).requiredApprovals
      id = (await fixture.propose('ann', [one.change], { environment: own })).changeRequest.id
      edited([...model.changes, one.change])
    } else if (one.kind === 'edit') {
      if (!open || last === undefined) continue
      await editChange(services, { ...by('ann'), ...reference, changeId: last, change: one.change })
      edited([...model.changes.slice(0, -1), one.change])
    } else if (one.kind === 'discard') {
      if (!open || last === undefined || (state !== 'Draft' && model.changes.length === 1)) continue
      await discardChange(services, { ...by('ann'), ...reference, changeId: last })
      edited(model.changes.slice(0, -1))
    } else if (one.kind === 'submit') {
      if (state !== 'Draft' || model.changes.length === 0) continue
      await fixture.to('ann', 'In review', { id: id as number })
      model.ownMinimum = Math.max(model.ownMinimum, model.settingOf(own).requiredApprovals)
      model.recompute()
    } else if (one.kind === 'approve') {
      if (state !== 'In review' || model.votes.has(one.who)) continue
      const vote = fixture.to(one.who, 'Approved', { id: id as number })
      if (model.may(one.who, 'APPROVE_CHANGE_REQUEST')) {
        model.votes.add(one.who)
        expect((await vote).changeRequest.state).toBe(model.votes.size >= model.minimum ? 'Approved' : 'In review')
      } else expect((await rejection(vote)).name).toBe('PermissionError')
    } else if (one.kind === 'runDue') {
      if (state !== 'Scheduled') continue
      host.now = Date.parse(inAnHour)
      await scheduler.runDue()
      host.now = Date.parse(noon)
      expect((await stored())?.state).toBe('Applied')
    } else if (one.kind === 'apply' || one.kind === 'schedule') {
      if (state !== 'In review' && state !== 'Approved' && state !== 'Scheduled') continue
      const target = one.kind === 'apply' ? 'Applied' : 'Scheduled'
      const step = fixture.to(one.who, target, { id: id as number })
      if (!model.may(one.who, 'APPLY_CHANGE_REQUEST')) expect((await rejection(step)).name).toBe('PermissionError')
      else if (model.votes.size < model.minimum) expect((await rejection(step)).name).toBe('ConflictError')
      else expect((await step).changeRequest.state).toBe(target)
    }
    await check()
    if ((await stored())?.state === 'Applied') {
      expect(model.votes.size).toBeGreaterThanOrEqual(model.minimum)
      return { applied: true, wide: wide() }
    }
  }
  return { applied: false, wide: wide() }
}

/** Proposes, submits and approves after the random steps, so that enough change requests are applied. */
const ending: readonly Command[] = [
  { kind: 'add', change: changes[1] as NewChange },
  { kind: 'submit' },
  ...(['ben', 'cleo', 'dora'] as const).map((who): Command => ({ kind: 'approve', who })),
  ...(['ben', 'cleo', 'dora'] as const).map((who): Command => ({ kind: 'apply', who })),
]

/** @see contract 18 */
describe('a change request that affects a whole project', () => {
  it('is applied only with the approvals and permissions that its strictest environment requires', async () => {
    const { numRuns, seed } = random(40)
    let applied = 0
    const property = fc.asyncProperty(situation, async (current) => {
      const outcome = await run({ ...current, commands: [...current.commands, ...ending] }).catch((error: unknown) => {
        if (ChangeRequestError.is(error)) throw new Error(`${error.name}: ${error.message}`)
        throw error
      })
      if (outcome.applied && outcome.wide) applied += 1
    })
    await fc.assert(property, { numRuns, seed }).catch((error: Error) => {
      throw new Error(`SEED=${seed} RUNS=${numRuns}: ${error.message}`, { cause: error })
    })
    expect([seed, applied > numRuns / 10]).toEqual([seed, true])
  })
})
