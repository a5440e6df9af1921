import { findFlag, findSegment } from '../../../src/capabilities/authoring/flags'
import { addChanges, editChange } from '../../../src/capabilities/proposals/changes'
import { review } from '../../../src/capabilities/review/review'
import { allActions } from '../../../src/domain/actions/table'
import type { JsonValue, ProposedChange } from '../../../src/domain/change-request'
import type { FeatureState, FlagState, Subjects } from '../../../src/index'
import {
  actors,
  by,
  createFixture,
  enable,
  type FixtureOptions,
  losing,
  production,
  rejection,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { payloads } from './fixtures/payloads'

const strategy = { id: '8a1f', name: 'default', title: 'all', disabled: true, parameters: { rollout: '25' } }
const feature: FeatureState = {
  archived: false,
  enabled: false,
  strategies: [strategy, { ...strategy, id: '9b' }],
  variants: [{ name: 'grey', weight: 1000 }],
  dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
  milestoneStrategies: [{ ...strategy, id: 'm1' }],
}

/** A gateway whose flag and segment a test alters. */
function open(options: FixtureOptions = {}) {
  const flags = new HostFlags()
  const host = { feature, segment: { name: 'beta', constraints: [] as JsonValue[] } }
  flags.instead = async ({ features, segments }: Subjects): Promise<FlagState> => {
    return {
      features: new Map(features.map((name) => [name, host.feature])),
      segments: new Map(segments.map((id) => [id, host.segment])),
    }
  }
  const fixture = createFixture({ flags, ...options })
  const { services } = fixture
  return {
    ...fixture,
    alter: host,
    targets: async () => (await findFlag(services, { ...production, actor: actors.ann, name: 'checkout' })).targets,
    segment: async () => (await findSegment(services, { ...production, actor: actors.ann, id: 4 })).targets,
    add: (changes: readonly ProposedChange[], more: object = {}) =>
      addChanges(services, { ...by('ann'), ...production, changes, ...more }),
  }
}

const update = (expected: string | undefined, id = '8a1f'): ProposedChange => ({
  ...{ action: 'updateStrategy', feature: 'checkout', payload: { id, title: 'new' } },
  ...(expected !== undefined && { expected }),
})
const codeOf = async (work: Promise<unknown>) => {
  const { name, details } = await rejection(work)
  return [name, details.map(({ code, path }) => [code, path])]
}

/** @see contract 16.1 */
describe('a change with `expected`', () => {
  it('is accepted while its target is as the caller saw it, and `expected` is not stored', async () => {
    const fixture = open()
    const targets = await fixture.targets()
    await fixture.add([update(targets['8a1f'])])
    const stored = await fixture.stored()
    expect([stored?.changes[0]?.baseHash, JSON.stringify(stored)]).toEqual([
      targets['8a1f'],
      expect.not.stringContaining('expected'),
    ])
    expect(JSON.stringify(await fixture.events())).not.toContain('expected')
  })

  it('is 412 if another user edited the target since, and nothing is stored', async () => {
    const fixture = open()
    const { '8a1f': seen } = await fixture.targets()
    fixture.alter.feature = { ...feature, strategies: [{ ...strategy, title: 'by cleo' }] }
    expect(await codeOf(fixture.add([update(seen)], { listed: false }))).toEqual([
      'PreconditionFailedError',
      [['outdated-base', '/body']],
    ])
    expect([await fixture.stored(), await fixture.events()]).toEqual([undefined, []])
    await fixture.add([update((await fixture.targets())['8a1f'])])
  })

  it('replaces a change under the same condition', async () => {
    const fixture = open()
    await fixture.add([enable()])
    const { '8a1f': seen } = await fixture.targets()
    fixture.alter.feature = { ...feature, strategies: [{ ...strategy, title: 'x' }] }
    const edit = (change: ProposedChange) =>
      editChange(fixture.services, { ...by('ann'), project: 'shop', id: 1, changeId: 1, change })
    expect(await codeOf(edit(update(seen)))).toEqual(['PreconditionFailedError', [['outdated-base', '/body']]])
    expect((await fixture.stored())?.changes[0]?.action).toBe('updateEnabled')
    await edit(update((await fixture.targets())['8a1f']))
    expect((await fixture.stored())?.changes[0]?.action).toBe('updateStrategy')
  })

  it('is compared with the flags from which the base is stored, also after a lost race', async () => {
    const raced: (() => unknown)[] = []
    const fixture = open({ storage: (memory) => losing([() => raced[0]?.()], memory) })
    const { '8a1f': seen } = await fixture.targets()
    raced.push(() => {
      fixture.alter.feature = { ...feature, strategies: [{ ...strategy, title: 'x' }] }
    })
    const { changeRequest } = await fixture.add([update(seen)])
    expect(changeRequest.changes[0]).toMatchObject({ base: strategy, baseHash: seen })
  })

  it('is checked after the permission and before the content', async () => {
    const fixture = open({ validate: () => [{ message: 'Never.' }] })
    const { '8a1f': seen } = await fixture.targets()
    const wrong = [update(seen?.replace(/.{4}$/, '0000'))]
    expect((await codeOf(fixture.add(wrong)))[0]).toBe('PreconditionFailedError')
    fixture.host.allows = () => false
    expect((await codeOf(fixture.add(wrong)))[0]).toBe('PermissionError')
  })

  it('is never listed in the review', async () => {
    const fixture = open()
    await fixture.add([update((await fixture.targets())['8a1f'])])
    fixture.alter.feature = { ...feature, strategies: [{ ...strategy, title: 'x' }] }
    const { steps } = await review(fixture.services, { actor: actors.ann, project: 'shop', id: 1 })
    const codes = steps.flatMap(({ missing }) => missing.map(({ code }) => code))
    expect(codes).toContain('missing-approvals')
    expect(codes).not.toContain('outdated-base')
  })
})

describe('the targets of a flag and a segment', () => {
  it('have an entry for each part that the gateway returns', async () => {
    const fixture = open()
    expect(Object.keys(await fixture.targets()).sort()).toEqual(
      ['8a1f', '9b', 'activation', 'dependencies', 'enabled', 'm1', 'order', 'variants'].sort(),
    )
    fixture.alter.feature = { archived: false, enabled: true }
    expect(Object.keys(await fixture.targets())).toEqual(['enabled', 'activation'])
    expect(Object.keys(await fixture.segment())).toEqual(['segment'])
  })

  it('are those of exactly the part that a change of it has as its base', async () => {
    const fixture = open()
    const on = (
      action: ProposedChange['action'],
      payload: JsonValue,
      expected: string | undefined,
    ): ProposedChange => ({
      ...{ action, feature: action.endsWith('Segment') ? null : 'checkout', payload },
      ...(expected !== undefined && { expected }),
    })
    const targets = await fixture.targets()
    const { segment } = await fixture.segment()
    const all = [
      on('updateEnabled', { enabled: true }, targets.enabled),
      on('updateEnabled', { enabled: false }, targets.enabled),
      on('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true }, targets.activation),
      on('updateStrategy', { id: '9b', disabled: true }, targets['9b']),
      on('deleteStrategy', { id: '9b' }, targets['9b']),
      on('updateMilestoneStrategy', { id: 'm1' }, targets.m1),
      on('reorderStrategy', [{ id: '9b', sortOrder: 0 }], targets.order),
      on('patchVariant', { variants: [] }, targets.variants),
      on('addDependency', { feature: 'other' }, targets.dependencies),
      on('deleteDependency', {}, targets.dependencies),
      on('updateSegment', { id: 4, name: 'gamma', constraints: [] }, segment),
      on('deleteSegment', { id: 4 }, segment),
    ]
    expect(all.every(({ expected }) => expected !== undefined)).toBe(true)
    expect((await fixture.add(all)).changeRequest.changes).toHaveLength(all.length)
  })

  it.each(allActions)('%s is 412 for another digest', async (action) => {
    const payload = (payloads[action].accepted[0] ?? {}) as JsonValue
    const change = { action, feature: action.endsWith('Segment') ? null : 'checkout', payload }
    const fixture = open()
    const expected = `sha256:${'0'.repeat(64)}`
    expect((await codeOf(fixture.add([{ ...change, expected }])))[0]).toBe('PreconditionFailedError')
  })

  it('keeps the names of the parts apart from a strategy with such an id', async () => {
    const fixture = open()
    const { enabled } = await fixture.targets()
    fixture.alter.feature = {
      ...feature,
      strategies: [
        { ...strategy, id: 'enabled' },
        { ...strategy, id: '__proto__' },
      ],
    }
    const targets = await fixture.targets()
    expect([targets.enabled, Object.keys(targets)]).toEqual([enabled, expect.arrayContaining(['__proto__'])])
  })
})
