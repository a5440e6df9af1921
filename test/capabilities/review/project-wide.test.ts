import type { ApprovalRule, FlagState, Subjects } from '../../../src'
import { requestApprovers } from '../../../src/capabilities/discussion/discussion'
import { countActionable } from '../../../src/capabilities/lists/lists'
import { listReviews } from '../../../src/capabilities/lists/reviews'
import { discardChange, editChange } from '../../../src/capabilities/proposals/edit-changes'
import { rebase } from '../../../src/capabilities/rebase/rebase'
import { revert } from '../../../src/capabilities/revert/revert'
import { review } from '../../../src/capabilities/review/review'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { NewChange } from '../../../src/domain/change-request'
import { reviewRequirement } from '../../../src/gate/review-required'
import type { Permission } from '../../../src/ports/access'
import { HostFlags } from '../../kernel/support/flags'
import { createScheduledWorld } from '../../kernel/support/schedules'
import {
  actors,
  by,
  createWorld,
  enable,
  rejection,
  renameSegment,
  type Who,
  type World,
  type WorldOptions,
} from '../../kernel/support/world'

const archive: NewChange = { action: 'archiveFeature', feature: 'checkout', payload: {} }
const dependOn: NewChange = { action: 'addDependency', feature: 'checkout', payload: { feature: 'login' } }
const development = { environment: 'development' }

const named = (...names: string[]) => ({ environments: () => names.map((name) => ({ name, type: name })) })

/** Three environments; production needs three approvals, staging takes no change requests. */
async function shop(options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ directory: named('development', 'staging', 'production'), ...options })
  await set(world, 'production', 3)
  await set(world, 'staging', 5, false)
  return world
}

function set({ services }: World, environment: string, requiredApprovals: number, changeRequestsEnabled = true) {
  return changeSettings(services, {
    ...by('dora'),
    project: 'shop',
    environment,
    requiredApprovals,
    changeRequestsEnabled,
  })
}

const minimumOf = async (world: World, id = 1) => {
  const { minApprovals, ownMinApprovals } = (await world.stored(id)) ?? {}
  return ownMinApprovals === undefined ? [minApprovals] : [minApprovals, ownMinApprovals]
}

const lastChange = async (world: World) => (await world.stored())?.changes.at(-1)?.id

const reference = (id = 1) => ({ project: 'shop', id })

/** Nobody may do this in that environment. */
function without({ host }: World, permission: Permission, environment: string | undefined, whom?: Who): void {
  const { allows } = host
  host.allows = (actor, asked, scope) =>
    asked === permission && scope.environment === environment && (whom === undefined || actor.id === actors[whom].id)
      ? false
      : allows(actor, asked, scope)
}

/** @see contract 3.3 */
describe('the minimum of a change request', () => {
  it('is its own one without a change that affects the whole project', async () => {
    const world = await shop()
    await world.propose('ann', [enable()], development)
    expect(await minimumOf(world)).toEqual([1])
  })

  it.each<[string, NewChange]>([
    ['archiveFeature', archive],
    ['addDependency', dependOn],
    ['deleteDependency', { action: 'deleteDependency', feature: 'checkout', payload: {} }],
    ['updateSegment', renameSegment(4)],
    ['deleteSegment', { action: 'deleteSegment', feature: null, payload: { id: 4 } }],
  ])('is the highest of all gated environments with %s', async (_, change) => {
    const world = await shop()
    await world.propose('ann', [enable(), change], development)
    expect(await minimumOf(world)).toEqual([3, 1])
  })

  it('is computed again when a change is added, edited or discarded', async () => {
    const world = await shop()
    const { services } = world
    await world.propose('ann', [archive], development)
    await set(world, 'production', 2)
    await world.propose('ann', [enable()], development)
    expect(await minimumOf(world)).toEqual([2, 1])
    await set(world, 'production', 4)
    await editChange(services, {
      ...by('ann'),
      ...reference(),
      changeId: await lastChange(world),
      change: enable('search'),
    })
    expect(await minimumOf(world)).toEqual([4, 1])
    await set(world, 'production', 3)
    await discardChange(services, { ...by('ann'), ...reference(), changeId: await lastChange(world) })
    expect(await minimumOf(world)).toEqual([3, 1])
  })

  it('is its own one again once the last such change is edited, discarded or dropped', async () => {
    const world = await shop({ flags: new HostFlags() })
    const { services } = world
    await world.propose('ann', [enable(), archive], development)
    await discardChange(services, { ...by('ann'), ...reference(), changeId: 2 })
    expect(await minimumOf(world)).toEqual([1])
    await world.propose('ann', [archive], development)
    await editChange(services, { ...by('ann'), ...reference(), changeId: 3, change: enable('search') })
    expect(await minimumOf(world)).toEqual([1])
    await world.propose('ann', [archive], development)
    await rebase(services, { ...by('ann'), ...reference() }, { named: new Map([[5, 'drop']]), others: null })
    expect(await minimumOf(world)).toEqual([1])
  })

  it('is computed again at submit, where the own minimum rises as well', async () => {
    const world = await shop()
    await world.propose('ann', [archive], development)
    await set(world, 'development', 2)
    await set(world, 'production', 6)
    await world.to('ann', 'In review')
    expect(await minimumOf(world)).toEqual([6, 2])
    await set(world, 'production', 1)
    await world.propose('ann', [enable()], development)
    expect(await minimumOf(world)).toEqual([2, 2])
  })

  it('stays as it is while nobody changes or submits anything', async () => {
    const world = await shop()
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    await set(world, 'production', 1)
    await world.to('ben', 'Approved')
    expect([(await world.stored())?.state, ...(await minimumOf(world))]).toEqual(['In review', 3, 1])
  })

  it('counts an edit that meets another one', async () => {
    const world = await shop()
    await world.propose('ann', [enable()], development)
    await Promise.all([
      world.propose('ann', [archive], development),
      world.propose('ann', [enable('search')], development),
      editChange(world.services, { ...by('ann'), ...reference(), changeId: 1, change: dependOn }),
    ])
    expect(await minimumOf(world)).toEqual([3, 1])
  })

  it('is that of a revert which affects the whole project', async () => {
    const flags = new HostFlags()
    const world = await shop({ flags })
    await set(world, 'production', 1)
    flags.instead = async ({ features, segments }: Subjects): Promise<FlagState> => ({
      features: new Map(
        features.map((name) => [
          name,
          { archived: false, enabled: false, possibleParents: ['login'], dependencies: [] },
        ]),
      ),
      segments: new Map(segments.map((id) => [id, { name: 'beta' }])),
    })
    await world.propose('ann', [dependOn], development)
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    await world.to('ben', 'Applied')
    await set(world, 'production', 3)
    const { changeRequest } = await revert(world.services, { ...by('ann'), ...reference() }, false)
    expect(changeRequest.changes.map(({ action }) => action)).toEqual(['deleteDependency'])
    expect(await minimumOf(world, 2)).toEqual([3, 1])
  })

  it('is not checked elsewhere if no change affects the whole project', async () => {
    const environments = () => {
      throw new Error('The directory is down.')
    }
    const world = createWorld({ directory: { environments } })
    await world.approved([enable()])
    expect((await rejection(world.propose('ann', [archive]))).name).toBe('UnavailableError')
  })
})

/** @see contract 18 */
describe('the gated environments', () => {
  const gated = async (world: World) => (await reviewRequirement(world.services, { project: 'shop' })).environments

  it('are those of the directory in which change requests are enabled', async () => {
    expect(await gated(await shop())).toEqual(['development', 'production'])
  })

  it.each([
    ['without the hook', {}],
    ['with a directory that names none', named()],
  ])('are the known ones and one further with the defaults, %s', async (_, directory) => {
    const world = await shop({ directory, requiredApprovals: 4 })
    expect(await gated(world)).toEqual(['production'])
    await world.propose('ann', [archive], development)
    expect(await minimumOf(world)).toEqual([4, 4])
    await set(world, 'development', 1)
    await world.propose('ann', [archive], { environment: 'other' })
    expect(await minimumOf(world, 2)).toEqual([4, 4])
  })

  it('have no further one where change requests are off by default', async () => {
    const world = createWorld({ changeRequestsEnabled: false, requiredApprovals: 9 })
    await set(world, 'development', 1)
    await world.propose('ann', [archive], development)
    expect(await minimumOf(world)).toEqual([1, 1])
    without(world, 'APPROVE_CHANGE_REQUEST', undefined)
    await world.to('ann', 'In review')
    expect((await world.to('ben', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('are not guessed where the directory names one without a name', async () => {
    const world = createWorld({ directory: { environments: () => ['production'] as never } })
    expect((await rejection(world.propose('ann', [archive]))).name).toBe('UnknownError')
  })
})

describe('permissions', () => {
  const messages = async (work: Promise<unknown>) => {
    const { name, permissions, details = [] } = await rejection(work)
    return [name, permissions, details.map(({ message }) => message)]
  }

  it.each<[string, Permission, (world: World) => Promise<unknown>]>([
    ['approving', 'APPROVE_CHANGE_REQUEST', async (world) => world.to('ben', 'Approved')],
    ['rejecting', 'APPROVE_CHANGE_REQUEST', async (world) => world.to('ben', 'Rejected')],
    ['applying', 'APPLY_CHANGE_REQUEST', async (world) => world.to('ben', 'Applied')],
    ['scheduling', 'APPLY_CHANGE_REQUEST', async (world) => world.to('ben', 'Scheduled')],
    ['an emergency', 'SKIP_CHANGE_REQUEST', async (world) => world.to('ben', 'Applied', { reason: 'Payments fail.' })],
    ['an emergency', 'APPLY_CHANGE_REQUEST', async (world) => world.to('ben', 'Applied', { reason: 'Payments fail.' })],
  ])('%s needs %s in every gated environment', async (_, permission, act) => {
    const world = await shop({ emergency: true, recordOnly: true, schedule: 'here' })
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    without(world, permission, 'staging')
    without(world, permission, 'production')
    expect(await messages(act(world))).toEqual([
      'PermissionError',
      [permission],
      [`You need the permission ${permission} in project shop and environment production.`],
    ])
  })

  it('are asked for the project where environments are not named', async () => {
    const world = createWorld()
    await world.reviewed([archive])
    without(world, 'APPROVE_CHANGE_REQUEST', undefined, 'ben')
    expect((await messages(world.to('ben', 'Approved')))[2]).toEqual([
      'You need the permission APPROVE_CHANGE_REQUEST in project shop.',
    ])
    expect((await world.to('cleo', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('of the own environment alone are asked without such a change', async () => {
    const world = await shop({ recordOnly: true })
    for (const permission of ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const) {
      without(world, permission, 'production')
      without(world, permission, undefined)
    }
    await world.propose('ann', [enable()], development)
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    expect(new Set(world.host.asked.map(({ scope }) => scope.environment))).toEqual(new Set(['development', undefined]))
  })

  it('are the same in the review', async () => {
    const world = await shop()
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    without(world, 'APPROVE_CHANGE_REQUEST', 'production', 'ben')
    const stepsOf = async (who: Who) => {
      const { steps } = await review(world.services, { actor: actors[who], ...reference() })
      return steps.find(({ step }) => step === 'approve')?.missing.map(({ message }) => message)
    }
    expect(await stepsOf('cleo')).toEqual([])
    expect(await stepsOf('ben')).toEqual([
      'You need the permission APPROVE_CHANGE_REQUEST in project shop and environment production.',
    ])
  })

  it('decide which change requests wait for the caller', async () => {
    const world = await shop({ recordOnly: true })
    await set(world, 'production', 1)
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    await world.propose('cleo', [enable()], development)
    await world.to('cleo', 'In review', { id: 2 })
    without(world, 'APPROVE_CHANGE_REQUEST', 'production', 'ben')
    without(world, 'APPLY_CHANGE_REQUEST', 'production', 'ben')
    const waiting = async (who: Who) => {
      const everything = { environment: undefined, state: undefined, text: undefined, after: undefined, limit: 50 }
      const search = { ...everything, actor: actors[who], needs: 'me', project: 'shop' } as const
      const ids = (await listReviews(world.services, search)).items.map(({ described }) => described.changeRequest.id)
      expect(await countActionable(world.services, search)).toBe(ids.length)
      return ids
    }
    expect([await waiting('ben'), await waiting('dora')]).toEqual([[2], [2, 1]])
    await world.to('dora', 'Approved', { id: 1 })
    expect([await waiting('ben'), await waiting('cleo')]).toEqual([[2], [1]])
  })
})

describe('approval rules', () => {
  const owners: ApprovalRule = { name: 'owners', approvals: 1, from: { users: [3] } }
  const rulesOf = (world: World) =>
    review(world.services, { actor: actors.ann, ...reference() }).then(({ requirements }) =>
      requirements.map(({ name, environment }) => [name, environment]),
    )

  it('are those of the own and of every gated environment', async () => {
    const asked: string[] = []
    const approvalRules = ({ environment }: { environment: string }) => {
      asked.push(environment)
      return environment === 'development' ? [] : [owners]
    }
    const world = await shop({ approvalRules, recordOnly: true })
    await set(world, 'production', 1)
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    expect(await rulesOf(world)).toEqual([
      ['minimum', null],
      ['owners', 'production'],
    ])
    expect(new Set(asked)).toEqual(new Set(['development', 'production']))
    expect((await world.to('ben', 'Approved')).changeRequest.state).toBe('In review')
    expect((await rejection(world.to('ben', 'Applied'))).message).toBe(
      'The approval rule "owners" in production has 0 of 1 approvals from the users 3.',
    )
    expect((await world.to('cleo', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('of one name in two environments are two requirements', async () => {
    const world = await shop({
      approvalRules: [owners, { ...owners, name: 'there', when: { environments: ['staging'] } }],
    })
    await world.propose('ann', [archive], development)
    expect(await rulesOf(world)).toEqual([
      ['minimum', null],
      ['owners', 'development'],
      ['owners', 'production'],
    ])
    await discardChange(world.services, { ...by('ann'), ...reference(), changeId: 1 })
    expect(await rulesOf(world)).toEqual([
      ['minimum', null],
      ['owners', 'development'],
    ])
  })

  it('are told apart in one list of reviews', async () => {
    const world = await shop({ approvalRules: [{ ...owners, when: { environments: ['production'] } }] })
    await world.propose('ann', [archive], development)
    await world.propose('ben', [enable()], development)
    const search = { needs: 'all', project: 'shop', environment: undefined, state: undefined, text: undefined } as const
    for (const actor of [actors.ann, actors.ben]) {
      const { items } = await listReviews(world.services, { ...search, actor, after: undefined, limit: 50 })
      const waits = items.map(({ waitsFor }) => waitsFor.length)
      expect(waits).toEqual([actor === actors.ann ? 2 : 1])
    }
  })

  it('are checked again when a schedule is due', async () => {
    const rules: ApprovalRule[] = []
    const world = createScheduledWorld({
      approvalRules: ({ environment }) => (environment === 'production' ? rules : []),
      directory: named('development', 'production'),
    })
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    await world.to('cleo', 'Scheduled')
    rules.push(owners)
    await world.runAt('2026-03-04T13:00:00.000Z')
    expect(await world.status()).toEqual([
      'suspended',
      'The approval rule "owners" in production has 0 of 1 approvals from the users 3.',
    ])
  })
})

describe('people', () => {
  const everybody = [actors.ben, actors.cleo, actors.dora]
  const users = {
    find: () => everybody,
    reviewers: (_project: string, environment: string) => everybody.slice(environment === 'production' ? 1 : 0),
  }

  it('are requested only if they may approve in every gated environment', async () => {
    const world = await shop({ users })
    await world.propose('ann', [enable()], development)
    const request = (...ids: number[]) => requestApprovers(world.services, { ...by('ann'), ...reference() }, ids)
    await request(2)
    await request()
    await world.propose('ann', [archive], development)
    expect((await rejection(request(2, 3))).message).toContain('2')
    await request(3)
  })

  it('have to be in every list for a requirement to be satisfiable', async () => {
    const satisfiable = async (requiredApprovals: number) => {
      const world = await shop({ users })
      await set(world, 'production', requiredApprovals)
      await world.propose('ann', [archive], development)
      return (await review(world.services, { actor: actors.ann, ...reference() })).requirements[0]?.satisfiable
    }
    expect([await satisfiable(2), await satisfiable(3)]).toEqual([true, false])
  })

  it('count at apply only if they are still in every list, where that is asked', async () => {
    const world = await shop({ users, recheckApprovers: true, recordOnly: true })
    await set(world, 'production', 1)
    await world.propose('ann', [archive], development)
    await world.to('ann', 'In review')
    expect((await world.to('ben', 'Approved')).changeRequest.state).toBe('In review')
    expect((await world.to('cleo', 'Approved')).changeRequest.state).toBe('Approved')
  })
})

describe('segments of other projects', () => {
  const flagsOf = (project: string | null | undefined) => {
    const flags = new HostFlags()
    flags.instead = async ({ segments }: Subjects) => ({
      features: new Map(),
      segments: new Map(segments.map((id) => [id, { name: 'beta', ...(project !== undefined && { project }) }])),
    })
    return flags
  }
  const message = 'Segment 4 is not limited to the project shop, so a change request of this project cannot change it.'

  it.each([null, 'blog'])('are invalid when proposed: %j', async (project) => {
    const world = createWorld({ flags: flagsOf(project) })
    expect(await rejection(world.propose('ann', [enable(), renameSegment(4)]))).toMatchObject({
      name: 'BadDataError',
      details: [{ code: 'invalid', message, path: '/body/1/payload/id' }],
    })
    const { changeRequest } = await world.propose('ann', [enable()])
    const edit = {
      ...by('ann'),
      ...reference(changeRequest.id),
      changeId: changeRequest.changes[0]?.id,
      change: renameSegment(4),
    }
    expect((await rejection(editChange(world.services, edit))).details).toEqual([
      { code: 'invalid', message, path: '/body/payload/id' },
    ])
  })

  it.each([undefined, 'shop'])(
    'are not those of the project, or of a project that is not known: %j',
    async (project) => {
      const world = createWorld({ flags: flagsOf(project) })
      await world.approved([renameSegment(4)])
      expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
    },
  )

  it('are changed where the option allows it', async () => {
    const world = createWorld({ flags: flagsOf(null), globalSegments: true })
    await world.approved([renameSegment(4)])
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('are invalid at submit and apply, also where they became such meanwhile', async () => {
    const flags = flagsOf('shop')
    const world = createWorld({ flags, emergency: true })
    const own = flags.instead
    const foreign = flagsOf(null).instead
    const refused = { name: 'BadDataError', details: [{ code: 'invalid', message: `Change 1: ${message}` }] }
    const missing = async (name: string) => {
      const { steps } = await review(world.services, { actor: actors.ben, ...reference() })
      return steps.find(({ step }) => step === name)?.missing
    }
    await world.propose('ann', [renameSegment(4)])
    flags.instead = foreign
    expect(await rejection(world.to('ann', 'In review'))).toMatchObject(refused)
    flags.instead = own
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    flags.instead = foreign
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject(refused)
    expect(await rejection(world.to('ben', 'Applied', { reason: 'Payments fail.' }))).toMatchObject(refused)
    expect(await missing('apply')).toEqual(refused.details)
    flags.instead = own
    expect(await missing('apply')).toEqual([])
  })

  it('suspend a schedule', async () => {
    const world = createScheduledWorld()
    await world.scheduled([renameSegment(4)])
    const { instead } = flagsOf(null)
    world.flags.instead = instead
    await world.runAt('2026-03-04T13:00:00.000Z')
    expect(await world.status()).toEqual(['suspended', expect.stringContaining(`Change 1: ${message}`)])
  })
})
