import type { ApprovalRule, FlagState, Subjects } from '../../../src'
import { requestApprovers } from '../../../src/capabilities/discussion/discussion'
import { countActionable } from '../../../src/capabilities/lists/lists'
import { discardChange, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { NewChange } from '../../../src/domain/change-request'
import { reviewRequirement } from '../../../src/gate/review-required'
import type { Permission } from '../../../src/ports/access'
import {
  actors,
  by,
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  rejection,
  renameSegment,
  type Who,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { createScheduledFixture } from '../../kernel/support/schedules'
import { inboxOf } from '../support/inbox'

const archive: NewChange = { action: 'archiveFeature', feature: 'checkout', payload: {} }
const dependOn: NewChange = { action: 'addDependency', feature: 'checkout', payload: { feature: 'login' } }
const development = { environment: 'development' }

const named = (...names: string[]) => ({ environments: () => names.map((name) => ({ name, type: name })) })

/** Three environments; production needs three approvals, staging takes no change requests. */
async function shop(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = createFixture({ directory: named('development', 'staging', 'production'), ...options })
  await set(fixture, 'production', 3)
  await set(fixture, 'staging', 5, false)
  return fixture
}

function set({ services }: Fixture, environment: string, requiredApprovals: number, changeRequestsEnabled = true) {
  return changeSettings(services, {
    ...by('dora'),
    project: 'shop',
    environment,
    requiredApprovals,
    changeRequestsEnabled,
  })
}

const minimumOf = async (fixture: Fixture, id = 1) => {
  const { minApprovals, ownMinApprovals } = (await fixture.stored(id)) ?? {}
  return ownMinApprovals === undefined ? [minApprovals] : [minApprovals, ownMinApprovals]
}

const reference = (id = 1) => ({ project: 'shop', id })

/** Nobody has this permission in that environment. */
function without({ host }: Fixture, permission: Permission, environment: string | undefined, whom?: Who): void {
  const { allows } = host
  host.allows = (actor, asked, scope) =>
    asked === permission && scope.environment === environment && (whom === undefined || actor.id === actors[whom].id)
      ? false
      : allows(actor, asked, scope)
}

/** @see contract 3.3 */
describe('the minimum of a change request', () => {
  it('is the highest of all gated environments', async () => {
    const fixture = await shop()
    await fixture.propose('ann', [enable(), archive], development)
    expect(await minimumOf(fixture)).toEqual([3, 1])
  })

  it('is its own again after the last such change is edited, discarded or dropped', async () => {
    const fixture = await shop({ flags: new HostFlags() })
    const { services } = fixture
    await fixture.propose('ann', [enable(), archive], development)
    await discardChange(services, { ...by('ann'), ...reference(), changeId: 2 })
    expect(await minimumOf(fixture)).toEqual([1])
    await fixture.propose('ann', [archive], development)
    await editChange(services, { ...by('ann'), ...reference(), changeId: 3, change: enable('search') })
    expect(await minimumOf(fixture)).toEqual([1])
    await fixture.propose('ann', [archive], development)
    await rebase(services, { ...by('ann'), ...reference() }, { named: new Map([[5, 'drop']]), others: null })
    expect(await minimumOf(fixture)).toEqual([1])
  })

  it('includes a concurrent edit', async () => {
    const fixture = await shop()
    await fixture.propose('ann', [enable()], development)
    await Promise.all([
      fixture.propose('ann', [archive], development),
      fixture.propose('ann', [enable('search')], development),
      editChange(fixture.services, { ...by('ann'), ...reference(), changeId: 1, change: dependOn }),
    ])
    expect(await minimumOf(fixture)).toEqual([3, 1])
  })

  it('includes a revert that affects the whole project', async () => {
    const flags = new HostFlags()
    const fixture = await shop({ flags })
    await set(fixture, 'production', 1)
    flags.instead = async ({ features, segments }: Subjects): Promise<FlagState> => ({
      features: new Map(
        features.map((name) => [
          name,
          { archived: false, enabled: false, possibleParents: ['login'], dependencies: [] },
        ]),
      ),
      segments: new Map(segments.map((id) => [id, { name: 'beta' }])),
    })
    await fixture.propose('ann', [dependOn], development)
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    await set(fixture, 'production', 3)
    const { changeRequest } = await revert(fixture.services, { ...by('ann'), ...reference() }, false)
    expect(changeRequest.changes.map(({ action }) => action)).toEqual(['deleteDependency'])
    expect(await minimumOf(fixture, 2)).toEqual([3, 1])
  })

  it('is not checked elsewhere if no change affects the whole project', async () => {
    const environments = () => {
      throw new Error('The directory is down.')
    }
    const fixture = createFixture({ directory: { environments } })
    await fixture.approved([enable()])
    expect((await rejection(fixture.propose('ann', [archive]))).name).toBe('UnavailableError')
  })
})

/** @see contract 18 */
describe('the gated environments', () => {
  const gated = async (fixture: Fixture) =>
    (await reviewRequirement(fixture.services, { project: 'shop' })).environments

  it('are those of the directory in which change requests are enabled', async () => {
    expect(await gated(await shop())).toEqual(['development', 'production'])
  })

  it('are not guessed if the directory returns one without a name', async () => {
    const fixture = createFixture({ directory: { environments: () => ['production'] as never } })
    expect((await rejection(fixture.propose('ann', [archive]))).name).toBe('UnknownError')
  })
})

describe('permissions', () => {
  const messages = async (work: Promise<unknown>) => {
    const { name, permissions, details = [] } = await rejection(work)
    return [name, permissions, details.map(({ message }) => message)]
  }

  it.each<[string, Permission, (fixture: Fixture) => Promise<unknown>]>([
    ['approving', 'APPROVE_CHANGE_REQUEST', async (fixture) => fixture.to('ben', 'Approved')],
    ['rejecting', 'APPROVE_CHANGE_REQUEST', async (fixture) => fixture.to('ben', 'Rejected')],
    ['applying', 'APPLY_CHANGE_REQUEST', async (fixture) => fixture.to('ben', 'Applied')],
    ['scheduling', 'APPLY_CHANGE_REQUEST', async (fixture) => fixture.to('ben', 'Scheduled')],
    [
      'an emergency',
      'SKIP_CHANGE_REQUEST',
      async (fixture) => fixture.to('ben', 'Applied', { reason: 'Payments fail.' }),
    ],
    [
      'an emergency',
      'APPLY_CHANGE_REQUEST',
      async (fixture) => fixture.to('ben', 'Applied', { reason: 'Payments fail.' }),
    ],
  ])('%s needs %s in every gated environment', async (_, permission, act) => {
    const fixture = await shop({ emergency: true, recordOnly: true, schedule: 'here' })
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    without(fixture, permission, 'staging')
    without(fixture, permission, 'production')
    expect(await messages(act(fixture))).toEqual([
      'PermissionError',
      [permission],
      [`You need the permission ${permission} in project shop and environment production.`],
    ])
  })

  it('are needed in the whole project where the host names no environments, with the default minimum', async () => {
    const fixture = createFixture({ requiredApprovals: 2 })
    await set(fixture, 'development', 1)
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    expect(await minimumOf(fixture)).toEqual([2, 1])
    without(fixture, 'APPROVE_CHANGE_REQUEST', undefined)
    expect(await messages(fixture.to('ben', 'Approved'))).toEqual([
      'PermissionError',
      ['APPROVE_CHANGE_REQUEST'],
      ['You need the permission APPROVE_CHANGE_REQUEST in project shop.'],
    ])
  })

  it('are the same in the review', async () => {
    const fixture = await shop()
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    without(fixture, 'APPROVE_CHANGE_REQUEST', 'production', 'ben')
    const stepsOf = async (who: Who) => {
      const { steps } = await review(fixture.services, { actor: actors[who], ...reference() })
      return steps.find(({ step }) => step === 'approve')?.missing.map(({ message }) => message)
    }
    expect(await stepsOf('cleo')).toEqual([])
    expect(await stepsOf('ben')).toEqual([
      'You need the permission APPROVE_CHANGE_REQUEST in project shop and environment production.',
    ])
  })

  it('decide which change requests wait for the caller', async () => {
    const fixture = await shop({ recordOnly: true })
    await set(fixture, 'production', 1)
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    await fixture.propose('cleo', [enable()], development)
    await fixture.to('cleo', 'In review', { id: 2 })
    without(fixture, 'APPROVE_CHANGE_REQUEST', 'production', 'ben')
    without(fixture, 'APPLY_CHANGE_REQUEST', 'production', 'ben')
    const waiting = async (who: Who) => {
      const { items } = await inboxOf(fixture, who, { needs: 'me' })
      const ids = items.map(({ described }) => described.changeRequest.id)
      expect(await countActionable(fixture.services, { actor: actors[who], project: 'shop' })).toBe(ids.length)
      return ids
    }
    expect([await waiting('ben'), await waiting('dora')]).toEqual([[2], [2, 1]])
    await fixture.to('dora', 'Approved', { id: 1 })
    expect([await waiting('ben'), await waiting('cleo')]).toEqual([[2], [1]])
  })
})

describe('approval rules', () => {
  const owners: ApprovalRule = { name: 'owners', approvals: 1, from: { users: [3] } }
  const rulesOf = (fixture: Fixture) =>
    review(fixture.services, { actor: actors.ann, ...reference() }).then(({ requirements }) =>
      requirements.map(({ name, environment }) => [name, environment]),
    )

  it('are those of the own and of every gated environment', async () => {
    const asked: string[] = []
    const approvalRules = ({ environment }: { environment: string }) => {
      asked.push(environment)
      return environment === 'development' ? [] : [owners]
    }
    const fixture = await shop({ approvalRules, recordOnly: true })
    await set(fixture, 'production', 1)
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    expect(await rulesOf(fixture)).toEqual([
      ['minimum', null],
      ['owners', 'production'],
    ])
    expect(new Set(asked)).toEqual(new Set(['development', 'production']))
    expect((await fixture.to('ben', 'Approved')).changeRequest.state).toBe('In review')
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toBe(
      'The approval rule "owners" in production has 0 of 1 approvals from the users 3.',
    )
    expect((await fixture.to('cleo', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('with the same name in two environments are two requirements', async () => {
    const fixture = await shop({
      approvalRules: [owners, { ...owners, name: 'there', when: { environments: ['staging'] } }],
    })
    await fixture.propose('ann', [archive], development)
    expect(await rulesOf(fixture)).toEqual([
      ['minimum', null],
      ['owners', 'development'],
      ['owners', 'production'],
    ])
    await discardChange(fixture.services, { ...by('ann'), ...reference(), changeId: 1 })
    expect(await rulesOf(fixture)).toEqual([
      ['minimum', null],
      ['owners', 'development'],
    ])
  })

  it('are checked again when a schedule is due', async () => {
    const rules: ApprovalRule[] = []
    const fixture = createScheduledFixture({
      approvalRules: ({ environment }) => (environment === 'production' ? rules : []),
      directory: named('development', 'production'),
    })
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await fixture.to('cleo', 'Scheduled')
    rules.push(owners)
    await fixture.runAt('2026-03-04T13:00:00.000Z')
    expect(await fixture.status()).toEqual([
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

  it('are requested only if they can approve in every gated environment', async () => {
    const fixture = await shop({ users })
    await fixture.propose('ann', [enable()], development)
    const request = (...ids: number[]) => requestApprovers(fixture.services, { ...by('ann'), ...reference() }, ids)
    await request(2)
    await request()
    await fixture.propose('ann', [archive], development)
    expect((await rejection(request(2, 3))).message).toContain('2')
    await request(3)
  })

  it('count at apply only if they are still in every list, with recheckApprovers', async () => {
    const fixture = await shop({ users, recheckApprovers: true, recordOnly: true })
    await set(fixture, 'production', 1)
    await fixture.propose('ann', [archive], development)
    await fixture.to('ann', 'In review')
    expect((await fixture.to('ben', 'Approved')).changeRequest.state).toBe('In review')
    expect((await fixture.to('cleo', 'Approved')).changeRequest.state).toBe('Approved')
  })

  it('must be in every list to make a requirement satisfiable', async () => {
    const satisfiable = async (requiredApprovals: number) => {
      const fixture = await shop({ users })
      await set(fixture, 'production', requiredApprovals)
      await fixture.propose('ann', [archive], development)
      return (await review(fixture.services, { actor: actors.ann, ...reference() })).requirements[0]?.satisfiable
    }
    expect([await satisfiable(2), await satisfiable(3)]).toEqual([true, false])
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
    const fixture = createFixture({ flags: flagsOf(project) })
    expect(await rejection(fixture.propose('ann', [enable(), renameSegment(4)]))).toMatchObject({
      name: 'BadDataError',
      details: [{ code: 'invalid', message, path: '/body/1/payload/id' }],
    })
    const { changeRequest } = await fixture.propose('ann', [enable()])
    const edit = {
      ...by('ann'),
      ...reference(changeRequest.id),
      changeId: changeRequest.changes[0]?.id,
      change: renameSegment(4),
    }
    expect((await rejection(editChange(fixture.services, edit))).details).toEqual([
      { code: 'invalid', message, path: '/body/payload/id' },
    ])
  })

  it('can be changed if the option allows it', async () => {
    const fixture = createFixture({ flags: flagsOf(null), globalSegments: true })
    await fixture.approved([renameSegment(4)])
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('are invalid at submit and apply, also if they became so meanwhile', async () => {
    const flags = flagsOf('shop')
    const fixture = createFixture({ flags, emergency: true })
    const own = flags.instead
    const foreign = flagsOf(null).instead
    const refused = {
      name: 'BadDataError',
      details: [{ code: 'invalid', message: `Editing the segment “beta”: ${message}` }],
    }
    const missing = async (name: string) => {
      const { steps } = await review(fixture.services, { actor: actors.ben, ...reference() })
      return steps.find(({ step }) => step === name)?.missing
    }
    await fixture.propose('ann', [renameSegment(4)])
    flags.instead = foreign
    expect(await rejection(fixture.to('ann', 'In review'))).toMatchObject(refused)
    flags.instead = own
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    flags.instead = foreign
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject(refused)
    expect(await rejection(fixture.to('ben', 'Applied', { reason: 'Payments fail.' }))).toMatchObject(refused)
    expect(await missing('apply')).toEqual(refused.details)
    flags.instead = own
    expect(await missing('apply')).toEqual([])
  })

  const moving = (project: string | null): NewChange => ({
    action: 'updateSegment',
    feature: null,
    payload: { id: 4, name: 'beta', constraints: [], project },
  })

  it.each([null, 'blog', ''])('are not made of one of the own project: %j', async (project) => {
    const fixture = createFixture({ flags: flagsOf('shop') })
    expect(await rejection(fixture.propose('ann', [enable(), moving(project)]))).toMatchObject({
      name: 'BadDataError',
      details: [
        {
          code: 'invalid',
          message:
            'Segment 4 is limited to the project shop, so a change request of this project cannot change its project.',
          path: '/body/1/payload/project',
        },
      ],
    })
    const allowed = createFixture({ flags: flagsOf('shop'), globalSegments: true })
    await allowed.approved([moving(project)])
    expect((await allowed.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('suspend a schedule', async () => {
    const fixture = createScheduledFixture()
    await fixture.scheduled([renameSegment(4)])
    const { instead } = flagsOf(null)
    fixture.flags.instead = instead
    await fixture.runAt('2026-03-04T13:00:00.000Z')
    expect(await fixture.status()).toEqual([
      'suspended',
      expect.stringContaining(`Editing the segment “beta”: ${message}`),
    ])
  })
})
