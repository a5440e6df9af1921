import { listReviews, type ReviewSearch } from '../../../src/capabilities/lists/reviews'
import { HostFlags } from '../../kernel/support/flags'
import { actors, createWorld, enable, renameSegment, type Who, type World } from '../../kernel/support/world'

const everything = {
  needs: 'all',
  project: undefined,
  environment: undefined,
  state: undefined,
  text: undefined,
  after: undefined,
  limit: 50,
} as const

const list = ({ services }: World, who: Who, search: Partial<ReviewSearch> = {}) =>
  listReviews(services, { actor: actors[who], ...everything, ...search })

const idsOf = async (world: World, who: Who, search: Partial<ReviewSearch> = {}) =>
  (await list(world, who, search)).items.map(({ described }) => described.changeRequest.id)

/** 1 is in review, 2 approved, 3 a draft of Cleo, 4 applied, of the project blog. */
async function filled(): Promise<World> {
  const world = createWorld({ flags: new HostFlags() })
  const at = (environment: string) => world.propose('ann', [enable(environment), renameSegment(4)], { environment })
  await at('one')
  await world.to('ann', 'In review', { id: 1 })
  await at('two')
  await world.to('ann', 'In review', { id: 2 })
  await world.to('ben', 'Approved', { id: 2 })
  await world.propose('cleo')
  await world.propose('ann', [enable()], { project: 'blog' })
  return world
}

/** @see contract 12 */
describe('listReviews', () => {
  it('lists what the caller may read, newest first, without drafts of others', async () => {
    const world = await filled()
    expect(await idsOf(world, 'cleo')).toEqual([3, 2, 1])
    expect(await idsOf(world, 'ann')).toEqual([4, 2, 1])
    world.host.allows = (_, permission, { project }) => permission === 'READ_CHANGE_REQUEST' && project === 'shop'
    expect(await idsOf(world, 'ann')).toEqual([2, 1])
  })

  it('lists what the caller can move on, or has made', async () => {
    const world = await filled()
    expect(await idsOf(world, 'cleo', { needs: 'me' })).toEqual([2, 1])
    expect(await idsOf(world, 'ann', { needs: 'me' })).toEqual([2])
    expect(await idsOf(world, 'cleo', { needs: 'me', state: 'In review' })).toEqual([1])
    expect(await idsOf(world, 'cleo', { needs: 'me', state: 'Draft' })).toEqual([])
    expect(await idsOf(world, 'cleo', { needs: 'mine' })).toEqual([3])
    expect(await idsOf(world, 'robot', { needs: 'mine' })).toEqual([])
  })

  it.each([
    [{ project: 'blog' }, [4]],
    [{ environment: 'two' }, [2]],
    [{ state: 'In review' }, [1]],
    [{ text: 'ONE' }, [1]],
    [{ text: 'segment 4' }, [2, 1]],
    [{ text: '#2' }, [2]],
    [{ text: 'nothing of that' }, []],
  ] as const)('filters by %j: %j', async (search, ids) => {
    expect(await idsOf(await filled(), 'ann', search)).toEqual(ids)
  })

  it('goes on from a cursor, and ends with null', async () => {
    const world = await filled()
    const first = await list(world, 'ann', { limit: 2 })
    const last = await list(world, 'ann', { limit: 2, ...(first.next && { after: first.next }) })
    const ids = [first, last].map(({ items }) => items.map(({ described }) => described.changeRequest.id))
    expect([ids, first.next?.id, last.next]).toEqual([[[4, 2], [1]], 2, null])
  })

  it('returns the unmet requirements of each', async () => {
    const { items } = await list(await filled(), 'ann', { project: 'shop' })
    expect(items.map(({ waitsFor }) => waitsFor.map(({ name, given }) => [name, given]))).toEqual([
      [],
      [['minimum', 0]],
    ])
  })
})
