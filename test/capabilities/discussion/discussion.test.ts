import { comment, rename, requestApprovers, requestedReviewers } from '../../../src/capabilities/discussion/discussion'
import { availableReviewers } from '../../../src/kernel/people/find-users'
import type { User } from '../../../src/ports/users'
import { by, createFixture, type Fixture, noon, rejection, type Who } from '../../kernel/support/fixture'

const here = { project: 'shop', id: 1 as number | undefined }
const people: readonly User[] = [1, 2, 3].map((id) => ({ id, username: `user ${id}` }))
const users = {
  find: (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id)),
  reviewers: (project: string, environment: string) =>
    project === 'shop' && environment === 'production' ? people.filter(({ id }) => id !== 1) : [],
}

const retitle = ({ services }: Fixture, who: Who, more: object = {}) =>
  rename(services, { ...by(who), ...here, ...more }, 'Summer sale')
const ask = ({ services }: Fixture, who: Who, reviewers: readonly number[] = [2], more: object = {}) =>
  requestApprovers(services, { ...by(who), ...here, ...more }, reviewers)

describe('rename', () => {
  it('stores the title, without an event', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    await retitle(fixture, 'ann')
    expect((await fixture.stored())?.title).toBe('Summer sale')
    expect(await fixture.eventTypes()).toEqual(['change-request-created', 'change-added'])
  })
})

describe('requestApprovers', () => {
  it('stores the requested approvers, with an event', async () => {
    const fixture = createFixture({ users })
    await fixture.propose('ann')
    await ask(fixture, 'ann', [3, 2])
    expect((await fixture.stored())?.requestedApprovers).toEqual([3, 2])
    expect((await fixture.events()).at(-1)).toMatchObject({ data: { reviewers: [3, 2] }, preData: { reviewers: [] } })
  })

  it('names those who cannot approve there', async () => {
    const fixture = createFixture({ users })
    await fixture.propose('ann')
    expect(await rejection(ask(fixture, 'ann', [1, 2, 9]))).toMatchObject({
      name: 'BadDataError',
      message: 'These users cannot approve here: 1, 9.',
    })
    expect((await fixture.stored())?.requestedApprovers).toEqual([])
  })

  it('accepts those who were requested before, or have approved, even if they can no longer approve', async () => {
    const able = new Set([2, 3])
    const fixture = createFixture({
      users: { ...users, reviewers: () => people.filter(({ id }) => able.has(id)) },
      requiredApprovals: 3,
    })
    await fixture.reviewed()
    await ask(fixture, 'ann', [3])
    await fixture.to('ben', 'Approved')
    able.clear()
    await ask(fixture, 'ann', [3, 2])
    expect((await fixture.stored())?.requestedApprovers).toEqual([3, 2])
    await ask(fixture, 'ann', [2])
    expect((await rejection(ask(fixture, 'ann', [2, 1]))).message).toBe('These users cannot approve here: 1.')
  })

  it('is rejected by the rules before the users are checked', async () => {
    const fixture = createFixture({ users })
    await fixture.reviewed()
    expect((await rejection(ask(fixture, 'ben', [9]))).name).toBe('OperationDeniedError')
  })

  it('accepts nobody without a user directory', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    expect((await rejection(ask(fixture, 'ann', [2]))).name).toBe('BadDataError')
  })
})

describe.each([
  ['rename', retitle],
  ['requestApprovers', (fixture: Fixture, who: Who, more: object = {}) => ask(fixture, who, [2], more)],
])('%s', (_, run) => {
  it('is open to the author and an admin, with the permission to create', async () => {
    const fixture = createFixture({ users })
    await fixture.reviewed()
    expect((await rejection(run(fixture, 'ben'))).name).toBe('OperationDeniedError')
    await run(fixture, 'dora')
    fixture.host.allows = (_actor, permission) => permission !== 'CREATE_CHANGE_REQUEST'
    expect(await rejection(run(fixture, 'ann'))).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission CREATE_CHANGE_REQUEST in project shop and environment production.',
    })
  })

  it.each(['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST'])(
    'is open to everyone with %s, with the option editDetails: anyone',
    async (permission) => {
      const fixture = createFixture({ users, editDetails: 'anyone' })
      await fixture.reviewed()
      fixture.host.allows = (_actor, asked) => asked === permission
      await run(fixture, 'cleo')
      fixture.host.allows = () => false
      expect(await rejection(run(fixture, 'ann'))).toMatchObject({
        name: 'PermissionError',
        permissions: ['CREATE_CHANGE_REQUEST'],
      })
    },
  )

  it('does not check the permission to approve without that option', async () => {
    const fixture = createFixture({ users })
    await fixture.propose('ann')
    fixture.host.asked.length = 0
    await run(fixture, 'ann')
    expect(fixture.host.asked.map(({ permission }) => permission)).toEqual(['CREATE_CHANGE_REQUEST', 'ADMIN'])
  })

  it('is 404 for the draft of another user, and is rejected on another revision', async () => {
    const fixture = createFixture({ users })
    await fixture.propose('ann')
    expect((await rejection(run(fixture, 'ben'))).name).toBe('NotFoundError')
    expect((await rejection(run(fixture, 'ann', { ifMatch: '"1-5"' }))).name).toBe('PreconditionFailedError')
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

  it('stores the idempotency record with its effect', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    const key = { userId: 2, key: 'once' }
    const record = { ...key, createdAt: noon, fingerprint: 'f', project: 'shop', changeRequestId: 1, commentId: 1 }
    await say(fixture, 'ben', 'Well?', { idempotency: { key, since: noon, record: () => record } })
    expect(await fixture.storage.findIdempotencyRecord(key, noon)).toEqual(record)
  })
})

describe('availableReviewers', () => {
  it('are the users that the host app returns for the project and environment', async () => {
    const { services } = createFixture({ users })
    expect(await availableReviewers(services, 'shop', 'production')).toEqual([people[1], people[2]])
    expect(await availableReviewers(services, 'shop', 'testing')).toEqual([])
  })

  it('are nobody without a user directory, and 503 while it is down', async () => {
    expect(await availableReviewers(createFixture().services, 'shop', 'production')).toEqual([])
    const down = { ...users, reviewers: () => Promise.reject(new Error('out of order')) }
    expect(
      await rejection(availableReviewers(createFixture({ users: down }).services, 'shop', 'production')),
    ).toMatchObject({
      name: 'UnavailableError',
      message: 'The request could not be checked (users.reviewers). Try again.',
    })
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
