import { comment, rename, requestApprovers, requestedReviewers } from '../../../src/capabilities/discussion/discussion'
import { availableReviewers } from '../../../src/kernel/people/find-users'
import type { User } from '../../../src/ports/users'
import { by, createWorld, noon, rejection, type Who, type World } from '../../kernel/support/world'

const here = { project: 'shop', id: 1 as number | undefined }
const people: readonly User[] = [1, 2, 3].map((id) => ({ id, username: `user ${id}` }))
const users = {
  find: (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id)),
  reviewers: (project: string, environment: string) =>
    project === 'shop' && environment === 'production' ? people.filter(({ id }) => id !== 1) : [],
}

const retitle = ({ services }: World, who: Who, more: object = {}) =>
  rename(services, { ...by(who), ...here, ...more }, 'Summer sale')
const ask = ({ services }: World, who: Who, reviewers: readonly number[] = [2], more: object = {}) =>
  requestApprovers(services, { ...by(who), ...here, ...more }, reviewers)

describe('rename', () => {
  it('stores the title, without an event', async () => {
    const world = createWorld()
    await world.propose('ann')
    await retitle(world, 'ann')
    expect((await world.stored())?.title).toBe('Summer sale')
    expect(await world.eventTypes()).toEqual(['change-request-created', 'change-added'])
  })
})

describe('requestApprovers', () => {
  it('stores the requested approvers, with an event', async () => {
    const world = createWorld({ users })
    await world.propose('ann')
    await ask(world, 'ann', [3, 2])
    expect((await world.stored())?.requestedApprovers).toEqual([3, 2])
    expect((await world.events()).at(-1)).toMatchObject({ data: { reviewers: [3, 2] }, preData: { reviewers: [] } })
  })

  it('names those who cannot approve there', async () => {
    const world = createWorld({ users })
    await world.propose('ann')
    expect(await rejection(ask(world, 'ann', [1, 2, 9]))).toMatchObject({
      name: 'BadDataError',
      message: 'These users cannot approve here: 1, 9.',
    })
    expect((await world.stored())?.requestedApprovers).toEqual([])
  })

  it('takes those who were asked before, or have approved, although they may no longer approve', async () => {
    const able = new Set([2, 3])
    const world = createWorld({
      users: { ...users, reviewers: () => people.filter(({ id }) => able.has(id)) },
      requiredApprovals: 3,
    })
    await world.reviewed()
    await ask(world, 'ann', [3])
    await world.to('ben', 'Approved')
    able.clear()
    await ask(world, 'ann', [3, 2])
    expect((await world.stored())?.requestedApprovers).toEqual([3, 2])
    await ask(world, 'ann', [2])
    expect((await rejection(ask(world, 'ann', [2, 1]))).message).toBe('These users cannot approve here: 1.')
  })

  it('is rejected by the rules before the users are checked', async () => {
    const world = createWorld({ users })
    await world.reviewed()
    expect((await rejection(ask(world, 'ben', [9]))).name).toBe('OperationDeniedError')
  })

  it('accepts nobody without a user directory', async () => {
    const world = createWorld()
    await world.propose('ann')
    expect((await rejection(ask(world, 'ann', [2]))).name).toBe('BadDataError')
  })
})

describe.each([
  ['rename', retitle],
  ['requestApprovers', (world: World, who: Who, more: object = {}) => ask(world, who, [2], more)],
])('%s', (_, run) => {
  it('is open to the author and an admin, with the permission to create', async () => {
    const world = createWorld({ users })
    await world.reviewed()
    expect((await rejection(run(world, 'ben'))).name).toBe('OperationDeniedError')
    await run(world, 'dora')
    world.host.allows = (_actor, permission) => permission !== 'CREATE_CHANGE_REQUEST'
    expect(await rejection(run(world, 'ann'))).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission CREATE_CHANGE_REQUEST in project shop and environment production.',
    })
  })

  it.each(['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST'])(
    'is open to everyone with %s, with the option editDetails: anyone',
    async (permission) => {
      const world = createWorld({ users, editDetails: 'anyone' })
      await world.reviewed()
      world.host.allows = (_actor, asked) => asked === permission
      await run(world, 'cleo')
      world.host.allows = () => false
      expect(await rejection(run(world, 'ann'))).toMatchObject({
        name: 'PermissionError',
        permissions: ['CREATE_CHANGE_REQUEST'],
      })
    },
  )

  it('does not ask about approving without that option', async () => {
    const world = createWorld({ users })
    await world.propose('ann')
    world.host.asked.length = 0
    await run(world, 'ann')
    expect(world.host.asked.map(({ permission }) => permission)).toEqual(['CREATE_CHANGE_REQUEST', 'ADMIN'])
  })

  it('finds nothing in the draft of another person, and is rejected on another revision', async () => {
    const world = createWorld({ users })
    await world.propose('ann')
    expect((await rejection(run(world, 'ben'))).name).toBe('NotFoundError')
    expect((await rejection(run(world, 'ann', { ifMatch: '"1-5"' }))).name).toBe('PreconditionFailedError')
  })
})

describe('comment', () => {
  const say = ({ services }: World, who: Who, text = 'Well?', more: object = {}) =>
    comment(services, { ...by(who), ...here, ...more }, text)

  it('stores a comment of anyone who can read, in any state, without an event', async () => {
    const world = createWorld()
    await world.reviewed()
    await world.to('ben', 'Rejected')
    const before = await world.eventTypes()
    world.host.allows = (_, permission) => permission === 'READ_CHANGE_REQUEST'
    await say(world, 'cleo')
    expect((await world.stored())?.comments).toEqual([
      { id: 1, text: 'Well?', createdBy: { id: 3, username: 'cleo@example.com', imageUrl: null }, createdAt: noon },
    ])
    expect(await world.eventTypes()).toEqual(before)
  })

  it('is rejected without the permission to read, and beyond the limits', async () => {
    const world = createWorld({ limits: { commentsPerChangeRequest: 1, commentsBytes: 200 } })
    await world.reviewed()
    expect((await rejection(say(world, 'ben', 'x'.repeat(200)))).name).toBe('ExceedsLimitError')
    await say(world, 'ben')
    expect((await rejection(say(world, 'ben'))).name).toBe('ExceedsLimitError')
    world.host.allows = () => false
    expect(await rejection(say(world, 'ben'))).toMatchObject({ permissions: ['READ_CHANGE_REQUEST'] })
  })

  it('stores the record for a retry with its effect', async () => {
    const world = createWorld()
    await world.reviewed()
    const key = { userId: 2, key: 'once' }
    const record = { ...key, createdAt: noon, fingerprint: 'f', project: 'shop', changeRequestId: 1, commentId: 1 }
    await say(world, 'ben', 'Well?', { idempotency: { key, since: noon, record: () => record } })
    expect(await world.storage.findIdempotencyRecord(key, noon)).toEqual(record)
  })
})

describe('availableReviewers', () => {
  it('are the users that the host app returns for the project and environment', async () => {
    const { services } = createWorld({ users })
    expect(await availableReviewers(services, 'shop', 'production')).toEqual([people[1], people[2]])
    expect(await availableReviewers(services, 'shop', 'testing')).toEqual([])
  })

  it('are nobody without a user directory, and 503 while it is down', async () => {
    expect(await availableReviewers(createWorld().services, 'shop', 'production')).toEqual([])
    const down = { ...users, reviewers: () => Promise.reject(new Error('out of order')) }
    expect(
      await rejection(availableReviewers(createWorld({ users: down }).services, 'shop', 'production')),
    ).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (users.reviewers). Try again.',
    })
  })
})

describe('requestedReviewers', () => {
  it('are the requested approvers in their order, if they exist in the host app', async () => {
    const world = createWorld({ users: { ...users, reviewers: () => [...people, { id: 9 }] } })
    await world.propose('ann')
    await ask(world, 'ann', [3, 9, 2])
    expect(await requestedReviewers(world.services, { ...by('ann'), ...here })).toEqual([people[2], people[1]])
    expect((await rejection(requestedReviewers(world.services, { ...by('ben'), ...here }))).name).toBe('NotFoundError')
  })

  it('are nobody without a user directory', async () => {
    const world = createWorld()
    await world.propose('ann')
    expect(await requestedReviewers(world.services, { ...by('ann'), ...here })).toEqual([])
  })
})
