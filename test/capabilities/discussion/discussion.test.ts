import {
  comment,
  deleteComment,
  editComment,
  readTimeline,
  requestApprovers,
  requestedReviewers,
  resolveComment,
} from '../../../src/capabilities/discussion/discussion'
import { addChanges } from '../../../src/capabilities/proposals/changes'
import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import type { User } from '../../../src/ports/users'
import {
  actors,
  by,
  createFixture,
  enable,
  type Fixture,
  noon,
  rejection,
  type Who,
} from '../../kernel/support/fixture'

const here = { project: 'shop', id: 1 as number | undefined }
const people: readonly User[] = [1, 2, 3].map((id) => ({ id, username: `user ${id}` }))
const users = {
  find: (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id)),
  reviewers: (project: string, environment: string) =>
    project === 'shop' && environment === 'production' ? people.filter(({ id }) => id !== 1) : [],
}

const ask = ({ services }: Fixture, who: Who, reviewers: readonly number[] = [2], more: object = {}) =>
  requestApprovers(services, { ...by(who), ...here, ...more }, reviewers)

describe('requestApprovers', () => {
  it('names those who cannot approve there', async () => {
    const fixture = createFixture({ users })
    await fixture.propose('ann')
    expect(await rejection(ask(fixture, 'ann', [1, 2, 9]))).toMatchObject({
      name: 'BadDataError',
      message: 'These users cannot approve here: 1, 9.',
    })
    expect((await fixture.stored())?.requestedApprovers).toEqual([])
  })

  it('accepts nobody without a user directory', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    expect((await rejection(ask(fixture, 'ann', [2]))).name).toBe('BadDataError')
  })
})

describe('comment', () => {
  const say = ({ services }: Fixture, who: Who, text = 'Well?', more: object = {}) =>
    comment(services, { ...by(who), ...here, ...more }, text)

  it('stores a comment of anyone who can read, in any state, without an event', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    await fixture.to('ben', 'Rejected')
    const before = await fixture.eventTypes()
    fixture.host.allows = (_, permission) => permission === 'READ_CHANGE_REQUEST'
    await say(fixture, 'cleo')
    expect((await fixture.stored())?.comments).toEqual([
      { id: 1, text: 'Well?', createdBy: { id: 3, username: 'cleo@example.com', imageUrl: null }, createdAt: noon },
    ])
    expect(await fixture.eventTypes()).toEqual(before)
  })

  it('is rejected without the permission to read, and beyond the limits', async () => {
    const fixture = createFixture({ limits: { commentsPerChangeRequest: 1, commentsBytes: 200 } })
    await fixture.reviewed()
    expect((await rejection(say(fixture, 'ben', 'x'.repeat(200)))).name).toBe('ExceedsLimitError')
    await say(fixture, 'ben')
    expect((await rejection(say(fixture, 'ben'))).name).toBe('ExceedsLimitError')
    fixture.host.allows = () => false
    expect(await rejection(say(fixture, 'ben'))).toMatchObject({ permissions: ['READ_CHANGE_REQUEST'] })
  })
})

describe('requestedReviewers', () => {
  it('are the requested approvers in their order, if they exist in the host app', async () => {
    const fixture = createFixture({ users: { ...users, reviewers: () => [...people, { id: 9 }] } })
    await fixture.propose('ann')
    await ask(fixture, 'ann', [3, 9, 2])
    expect(await requestedReviewers(fixture.services, { ...by('ann'), ...here })).toEqual([people[2], people[1]])
    expect((await rejection(requestedReviewers(fixture.services, { ...by('ben'), ...here }))).name).toBe(
      'NotFoundError',
    )
  })

  it('are nobody without a user directory', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    expect(await requestedReviewers(fixture.services, { ...by('ann'), ...here })).toEqual([])
  })
})

describe('a comment', () => {
  const steps = {
    edit: ({ services }: Fixture, who: Who) => editComment(services, { ...by(who), ...here, commentId: 1 }, 'Better.'),
    delete: ({ services }: Fixture, who: Who) => deleteComment(services, { ...by(who), ...here, commentId: 1 }),
    resolve: ({ services }: Fixture, who: Who) => resolveComment(services, { ...by(who), ...here, commentId: 1 }, true),
  }
  const writes = ({ services }: Fixture, who: Who) => comment(services, { ...by(who), ...here }, 'First.')

  /** A change request in review on which Ben commented. Cleo cannot approve. */
  async function commented(): Promise<Fixture> {
    const fixture = createFixture({ requiredApprovals: 2 })
    fixture.host.allows = ({ id }, permission) => id !== 3 || permission !== 'APPROVE_CHANGE_REQUEST'
    await fixture.reviewed()
    await writes(fixture, 'ben')
    return fixture
  }

  it.each<[string, (fixture: Fixture) => unknown]>([
    ['nothing', () => undefined],
    ['10 minutes', ({ host }) => (host.now += 600_001)],
    ['another comment', (fixture) => writes(fixture, 'cleo')],
    ['a vote', ({ to }) => to('dora', 'Approved')],
    [
      'a vote and an edit',
      async ({ to, services }) => {
        await to('dora', 'Approved')
        const changes = [enable('search')]
        return addChanges(services, { ...by('ann'), project: 'shop', environment: 'production', changes })
      },
    ],
    [
      'an edit',
      ({ services }) =>
        addChanges(services, { ...by('ann'), project: 'shop', environment: 'production', changes: [enable('search')] }),
    ],
    ['a rejection', ({ to }) => to('dora', 'Rejected')],
    ['its deletion', (fixture) => steps.delete(fixture, 'ben')],
  ])('after %s, can be changed as its review says', async (_, happen) => {
    for (const who of ['ann', 'ben', 'cleo'] as const) {
      for (const step of ['edit', 'delete', 'resolve'] as const) {
        const fixture = await commented()
        await happen(fixture)
        const found = await review(fixture.services, { actor: by(who).actor, ...here })
        const { discussion } = JSON.parse(String(viewReview(found, fixture.services).body))
        const error = await steps[step](fixture, who).then(
          () => undefined,
          ({ name }) => name,
        )
        expect([who, step, discussion[0].may.includes(step)]).toEqual([who, step, error === undefined])
      }
    }
  })

  it('that is changed raises the version, and writes no event', async () => {
    const fixture = await commented()
    const { length } = await fixture.events()
    const versions: number[] = []
    for (const step of ['resolve', 'edit', 'delete'] as const)
      versions.push((await steps[step](fixture, 'ben')).version)
    expect(versions).toEqual([4, 5, 6])
    expect(await fixture.events()).toHaveLength(length)
  })

  it('that is changed is the last update of the change request', async () => {
    const fixture = await commented()
    for (const step of ['resolve', 'edit', 'delete'] as const) {
      fixture.host.now += 1000
      await steps[step](fixture, 'ben')
      expect((await fixture.stored())?.updatedAt).toBe(new Date(fixture.host.now).toISOString())
    }
  })
})

/** @see contract 12 */
describe('readTimeline', () => {
  const ofAnn = { project: 'shop', id: 1, actor: actors.ann }

  it('has only the events of the change request, oldest first, a hundred at a time', async () => {
    const fixture = createFixture()
    await fixture.propose('ben')
    await fixture.propose('ann', Array(101).fill(enable()))
    const first = await readTimeline(fixture.services, { ...ofAnn, id: 2 }, 0)
    const second = await readTimeline(fixture.services, { ...ofAnn, id: 2 }, first.next ?? 0)
    expect([first.page.count, second.page.count, second.next]).toEqual([100, 2, null])
    const events = JSON.parse(`[${Buffer.from(first.page.json)}]`) as { type: string; createdBy: string }[]
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['change-request-created', 'change-added'])
    expect(new Set(events.map(({ createdBy }) => createdBy))).toEqual(new Set(['ann@example.com']))
  })
})
