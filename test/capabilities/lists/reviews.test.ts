import { listReviews, type ReviewSearch } from '../../../src/capabilities/lists/reviews'
import { actors, createFixture, enable, type Fixture, renameSegment, type Who } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const everything = {
  needs: 'all',
  project: undefined,
  environment: undefined,
  state: undefined,
  text: undefined,
  after: undefined,
  limit: 50,
} as const

const list = ({ services }: Fixture, who: Who, search: Partial<ReviewSearch> = {}) =>
  listReviews(services, { actor: actors[who], ...everything, ...search })

const idsOf = async (fixture: Fixture, who: Who, search: Partial<ReviewSearch> = {}) =>
  (await list(fixture, who, search)).items.map(({ described }) => described.changeRequest.id)

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
describe('listReviews', () => {
  it('lists readable change requests, newest first, without drafts of other users', async () => {
    const fixture = await filled()
    expect(await idsOf(fixture, 'cleo')).toEqual([3, 2, 1])
    expect(await idsOf(fixture, 'ann')).toEqual([4, 2, 1])
    fixture.host.allows = (_, permission, { project }) => permission === 'READ_CHANGE_REQUEST' && project === 'shop'
    expect(await idsOf(fixture, 'ann')).toEqual([2, 1])
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

  it('continues from a cursor, and ends with null', async () => {
    const fixture = await filled()
    const first = await list(fixture, 'ann', { limit: 2 })
    const last = await list(fixture, 'ann', { limit: 2, ...(first.next && { after: first.next }) })
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
