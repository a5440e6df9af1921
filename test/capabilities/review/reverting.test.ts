import { addChanges, discardChange, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import type { NewChange } from '../../../src/domain/change-request'
import { actors, by, createFixture, enable, type Fixture, production, type Who } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const rename = (title: string): NewChange => ({
  action: 'updateStrategy',
  feature: 'checkout',
  payload: { id: 's1', title },
})
const disable: NewChange = { ...enable(), payload: { enabled: false } }

type Open = Fixture & { readonly flags: HostFlags }

/** The change request 1 is applied: it named a strategy, and switched the flag on. */
async function open(changes: readonly NewChange[] = [rename('new'), enable()]): Promise<Open> {
  const flags = new HostFlags()
  flags.strategies = [{ id: 's1', name: 'default', title: 'old', disabled: false }]
  const fixture = { ...createFixture({ flags }), flags }
  await fixture.approved(changes)
  await fixture.to('ben', 'Applied')
  flags.strategies = [{ id: 's1', name: 'default', title: 'new', disabled: false }]
  flags.enabled = true
  return fixture
}

/** A draft of Ann that reverts the change request: it switches the flag off, and gives the strategy its old name. */
async function reverted({ services }: Open, id = 1, partial = false): Promise<number> {
  return (await revert(services, { ...by('ann'), project: 'shop', id }, partial)).changeRequest.id
}

async function apply(fixture: Open, id: number): Promise<void> {
  await fixture.to('ann', 'In review', { id })
  await fixture.to('ben', 'Approved', { id })
  await fixture.to('ben', 'Applied', { id })
}

const revertedBy = async ({ services }: Open, id = 1, who: Who = 'ann') =>
  (await review(services, { actor: actors[who], project: 'shop', id })).revertedBy

const edit = async (fixture: Open, id: number, action: NewChange['action'], change: NewChange) => {
  const changes = (await fixture.stored(id))?.changes ?? []
  const changeId = changes.find((one) => one.action === action)?.id
  await editChange(fixture.services, { ...by('ann'), project: 'shop', id, changeId, change })
}
const add = ({ services }: Open, ...changes: readonly NewChange[]) =>
  addChanges(services, { ...by('ann'), ...production, changes })

const none = { named: new Map() }

/** @see contract 17 */
describe('revertedBy of a review', () => {
  it.each<[string, (fixture: Open, id: number) => Promise<unknown>, boolean]>([
    ['unedited', async () => undefined, true],
    ['edited into something else', (fixture, id) => edit(fixture, id, 'updateStrategy', rename('other')), false],
    [
      'edited and edited back',
      async (fixture, id) => {
        await edit(fixture, id, 'updateStrategy', rename('other'))
        await edit(fixture, id, 'updateStrategy', { ...rename('old'), payload: { title: 'old', id: 's1' } })
      },
      true,
    ],
    [
      'without one of its changes',
      async (fixture, id) => {
        const changeId = (await fixture.stored(id))?.changes[0]?.id
        await discardChange(fixture.services, { ...by('ann'), project: 'shop', id, changeId })
      },
      false,
    ],
    ['with further switches of which the last one restores', (fixture) => add(fixture, enable(), disable), true],
  ])('of a revert %s', async (_, alter, counts) => {
    const fixture = await open()
    const id = await reverted(fixture)
    expect(await revertedBy(fixture)).toBe(id)
    await alter(fixture, id)
    expect(await revertedBy(fixture)).toBe(counts ? id : null)
    await apply(fixture, id)
    expect(await revertedBy(fixture)).toBe(counts ? id : null)
  })

  it('counts a partial revert, which restores all that it can', async () => {
    const fixture = await open([rename('new'), { action: 'archiveFeature', feature: 'search', payload: {} }])
    const id = await reverted(fixture, 1, true)
    await apply(fixture, id)
    expect(await revertedBy(fixture)).toBe(id)
  })

  it.each([
    ['ours', true],
    ['theirs', false],
  ] as const)('follows a rebase that takes %s', async (take, counts) => {
    const fixture = await open()
    const id = await reverted(fixture)
    fixture.flags.strategies = [{ id: 's1', name: 'default', title: 'by cleo', disabled: false }]
    await rebase(fixture.services, { ...by('ann'), project: 'shop', id }, { ...none, others: take })
    await apply(fixture, id)
    expect(await revertedBy(fixture)).toBe(counts ? id : null)
  })

  it('is null again once the revert is itself reverted', async () => {
    const fixture = await open()
    const first = await reverted(fixture)
    await apply(fixture, first)
    const second = await reverted(fixture, first)
    expect([await revertedBy(fixture), await revertedBy(fixture, first)]).toEqual([first, second])
    await apply(fixture, second)
    expect([await revertedBy(fixture), await revertedBy(fixture, first)]).toEqual([null, second])
    const third = await reverted(fixture, second)
    await apply(fixture, third)
    expect(await revertedBy(fixture)).toBe(first)
  })

  it('is the newest applied revert, else the newest open one', async () => {
    const fixture = await open()
    const edited = await reverted(fixture)
    await edit(fixture, edited, 'updateStrategy', rename('other'))
    await apply(fixture, edited)
    const second = await reverted(fixture)
    expect(await revertedBy(fixture)).toBe(second)
    await apply(fixture, second)
    const draft = await reverted(fixture)
    expect([draft > second, await revertedBy(fixture)]).toEqual([true, second])
  })

  it('names no draft of another user', async () => {
    const fixture = await open()
    await reverted(fixture)
    expect(await revertedBy(fixture, 1, 'ben')).toBe(null)
  })
})
