import { toEffectViews } from '../../../src/capabilities/lists/review-view'
import type { InboxItem, InboxSearch } from '../../../src/capabilities/lists/reviews'
import { createFixture, enable, type Fixture, renameSegment, type Who } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { inboxOf } from '../support/inbox'

const idsOf = async (fixture: Fixture, who: Who, search: Partial<InboxSearch> = {}) =>
  (await inboxOf(fixture, who, search)).items.map(({ described }) => described.changeRequest.id)

/** 1 is in review, 2 approved, 3 a draft of Cleo, 4 applied, of the project blog. */
async function filled(): Promise<Fixture> {
  const fixture = createFixture({ flags: new HostFlags() })
  const at = (environment: string) => fixture.propose('ann', [enable(environment), renameSegment(4)], { environment })
  await at('one')
  await fixture.to('ann', 'In review', { id: 1 })
  await at('two')
  await fixture.to('ann', 'In review', { id: 2 })
  await fixture.to('ben', 'Approved', { id: 2 })
  await fixture.propose('cleo')
  await fixture.propose('ann', [enable()], { project: 'blog' })
  return fixture
}

/** @see contract 12 */
describe('the inbox', () => {
  it('lists readable change requests, newest first, without drafts of other users', async () => {
    const fixture = await filled()
    expect(await idsOf(fixture, 'cleo')).toEqual([3, 2, 1])
    expect(await idsOf(fixture, 'ann')).toEqual([4, 2, 1])
    fixture.host.allows = (_, permission, { project }) => permission === 'READ_CHANGE_REQUEST' && project === 'shop'
    expect(await idsOf(fixture, 'ann')).toEqual([2, 1])
  })

  it('lists no draft of another user next to a draft of the caller', async () => {
    const fixture = createFixture()
    await fixture.propose('ben')
    const { id } = (await fixture.propose('ann')).changeRequest
    for (const needs of ['all', 'mine'] as const) expect(await idsOf(fixture, 'ann', { needs })).toEqual([id])
    expect((await inboxOf(fixture, 'ann')).totals?.all).toBe(1)
  })

  it('lists those that the caller can approve or apply, or has created', async () => {
    const fixture = await filled()
    expect(await idsOf(fixture, 'cleo', { needs: 'me' })).toEqual([2, 1])
    expect(await idsOf(fixture, 'ann', { needs: 'me' })).toEqual([2])
    expect(await idsOf(fixture, 'cleo', { needs: 'me', state: 'In review' })).toEqual([1])
    expect(await idsOf(fixture, 'cleo', { needs: 'me', state: 'Draft' })).toEqual([])
    expect(await idsOf(fixture, 'cleo', { needs: 'mine' })).toEqual([3])
    expect(await idsOf(fixture, 'robot', { needs: 'mine' })).toEqual([])
  })

  it('continues from a cursor, and ends with null', async () => {
    const fixture = await filled()
    const first = await inboxOf(fixture, 'ann', { limit: 2 })
    const last = await inboxOf(fixture, 'ann', { limit: 2, ...(first.next && { after: first.next }) })
    const ids = [first, last].map(({ items }) => items.map(({ described }) => described.changeRequest.id))
    expect([ids, first.next?.id, last.next]).toEqual([[[4, 2], [1]], 2, null])
  })

  it('returns the effects on two flags or segments, first on that of the filter, of closed ones from their snapshots', async () => {
    const flags = new HostFlags()
    flags.strategies = []
    const fixture = createFixture({ flags })
    await fixture.propose('ann', [enable('a'), renameSegment(4, 'Beta'), enable('c')])
    const effects = async (wanted?: string) => {
      const { items } = await inboxOf(fixture, 'ann')
      return toEffectViews((items[0] as InboxItem).described, wanted)
    }
    const whole = expect.objectContaining({ name: 'flexibleRollout' })
    const ofFlag = {
      name: 'a',
      changes: [
        { action: 'updateEnabled', before: { enabled: false }, after: { enabled: true } },
        { action: 'addStrategy', before: null, after: whole },
      ],
    }
    const ofSegment = [{ action: 'updateSegment', before: { name: 'segment 4' }, after: { name: 'Beta' } }]
    expect(await effects()).toMatchObject([ofFlag, { name: 'segment 4', changes: ofSegment }])
    expect(await effects('c')).toMatchObject([{ name: 'c' }, ofFlag])
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    flags.enabled = true
    expect(await effects()).toMatchObject([ofFlag, { name: 'Beta', changes: ofSegment }])
  })

  it('leaves out what only the flags say while the gateway fails, of open ones alone', async () => {
    const flags = new HostFlags()
    const fixture = createFixture({ flags })
    await fixture.reviewed()
    flags.instead = async () => {
      throw new Error('away')
    }
    const [item] = (await inboxOf(fixture, 'ben', { needs: 'me' })).items
    expect(item).toMatchObject({
      conflict: null,
      overwrites: null,
      because: ['review'],
      waitsFor: [{ name: 'minimum' }],
    })
    expect(toEffectViews((item as InboxItem).described)).toBeNull()
    flags.instead = null
    await fixture.to('ann', 'Cancelled')
    flags.instead = async () => {
      throw new Error('away')
    }
    expect((await inboxOf(fixture, 'ben')).items).toMatchObject([{ conflict: false, overwrites: false }])
  })

  it('puts the own ones with a conflict or an overwrite first, once, and counts those that nothing else counts', async () => {
    const flags = new HostFlags()
    const fixture = createFixture({ flags })
    const gone = (features: readonly string[]) =>
      new Map(features.map((name) => [name, { archived: true, enabled: false }]))
    await fixture.propose('ann', [enable()], { environment: 'one' })
    await fixture.propose('ann', [enable()], { environment: 'two' })
    await fixture.to('ann', 'In review', { id: 2 })
    await fixture.to('ben', 'Approved', { id: 2 })
    await fixture.propose('cleo', [enable()], { environment: 'one' })
    await fixture.to('cleo', 'In review', { id: 3 })
    flags.instead = async ({ features }) => ({ features: gone(features), segments: new Map() })
    const rows = async (who: Who, search: Partial<InboxSearch> = {}) => {
      const { items, totals, next } = await inboxOf(fixture, who, { needs: 'me', limit: 1, ...search })
      return { rows: items.map(({ described, because }) => [described.changeRequest.id, because]), totals, next }
    }
    const first = await rows('ann')
    expect(first).toMatchObject({
      rows: [
        [1, ['conflict']],
        [3, ['review']],
      ],
      totals: { me: 2, mine: 2, all: 3, toFix: 1 },
      next: { id: 3 },
    })
    expect(await rows('ann', first.next ? { after: first.next } : {})).toEqual({
      rows: [[2, ['apply', 'conflict']]],
      totals: null,
      next: null,
    })
    expect((await rows('ann', { environment: 'two' })).rows).toEqual([[2, ['apply', 'conflict']]])
    expect((await rows('ann', { author: 3 })).rows).toEqual([[3, ['review']]])
    expect((await rows('ann', { query: 'nothing' })).rows).toEqual([])
    const { rows: ofCleo, totals } = await rows('cleo')
    expect([ofCleo, totals]).toEqual([
      [
        [3, ['conflict']],
        [2, ['apply']],
      ],
      { me: 1, mine: 1, all: 2, toFix: 1 },
    ])
    for (const needs of ['mine', 'all'] as const) {
      expect((await rows('ann', { needs })).totals).toEqual({ me: 2, mine: 2, all: 3, toFix: 1 })
    }
    expect((await rows('ann', { environment: 'two' })).totals).toMatchObject({ toFix: 0 })
    expect((await rows('ann', { afterReview: 'open' })).totals).toEqual({ me: 0, mine: 0, all: 0, toFix: 0 })
    flags.instead = () => Promise.reject(new Error('away'))
    expect((await rows('ann')).totals).toEqual({ me: 2, mine: 2, all: 3, toFix: null })
  })

  it('checks each permission once in each place', async () => {
    const fixture = await filled()
    fixture.host.asked.length = 0
    await inboxOf(fixture, 'cleo', { needs: 'me' })
    const asked = fixture.host.asked.map(({ permission, scope }) => JSON.stringify([permission, scope]))
    expect(asked.length).toBe(new Set(asked).size)
  })
})
