import { enabled, type Fixture, inReview, openFixture, production } from './support/fixture'

let fixture: Fixture
beforeEach(async () => {
  fixture = await openFixture()
})
afterEach(() => fixture.app.close())

describe('a change request through the client', () => {
  it('goes from the proposal to Applied, each step with its revision', async () => {
    const { ann, rae } = fixture
    const { body: draft, etag } = await ann.propose(production, [enabled(), enabled('search', false)])
    const place = { project: 'shop', id: draft.id }
    await ann.setTitle(place, 'Checkout for everybody', { ifMatch: etag ?? '' })
    await ann.setState(place, { state: 'In review' })
    const { body: review, etag: revision } = await rae.review(place)
    expect(revision).toBe(`"${review.revision}"`)
    const decision = { state: 'Approved', digest: review.digest } as const
    const { body: approved } = await rae.setState(place, decision, { ifMatch: review.revision })
    expect(approved.state).toBe('Approved')
    const { body: applied } = await ann.setState(place, { state: 'Applied' })
    expect([applied.state, applied.title]).toEqual(['Applied', 'Checkout for everybody'])
  })

  it('is a new one with ifNoneMatch, or the call is rejected', async () => {
    const { ann } = fixture
    const { body: draft } = await ann.propose(production, enabled(), { ifNoneMatch: '*' })
    await expect(ann.propose(production, enabled('search'), { ifNoneMatch: '*' })).rejects.toMatchObject({
      status: 412,
      details: [{ path: `/api/admin/projects/shop/change-requests/${draft.id}` }],
    })
  })

  it('is edited, loses a change, and is deleted', async () => {
    const { ann } = fixture
    const { body: draft } = await ann.propose(production, [enabled(), enabled('search')])
    const place = { project: 'shop', id: draft.id }
    const changes = (await ann.review(place)).body.changes.map(({ id }) => id)
    await ann.editChange(place, changes[0] ?? 0, enabled('checkout', false))
    await ann.discardChange(place, changes[1] ?? 0)
    expect((await ann.changeRequest(place)).body.features).toMatchObject([{ name: 'checkout' }])
    await ann.discard(place)
    await expect(ann.changeRequest(place)).rejects.toMatchObject({ status: 404 })
  })

  it('gets a comment on a change, only once for the same Idempotency-Key', async () => {
    const { ann, rae } = fixture
    const place = await inReview(fixture)
    const changeId = (await ann.review(place)).body.changes[0]?.id ?? 0
    await rae.comment(place, { text: 'Why today?', changeId }, { idempotencyKey: 'why' })
    await rae.comment(place, { text: 'Why today?', changeId }, { idempotencyKey: 'why' })
    const { discussion } = (await ann.review(place)).body
    expect(discussion.map(({ text, changeId: about }) => [text, about])).toEqual([['Why today?', changeId]])
  })

  it('loses a comment that was edited, and has one that was resolved', async () => {
    const { ann, rae } = fixture
    const place = await inReview(fixture)
    await rae.comment(place, { text: 'Why today?' })
    await ann.resolveComment(place, 1, true)
    await rae.comment(place, { text: 'Fine' })
    await rae.editComment(place, 2, 'Fine.')
    const { discussion } = (await ann.review(place)).body
    expect(discussion.map(({ text, resolved }) => [text, resolved === null])).toEqual([
      ['Why today?', false],
      ['Fine.', true],
    ])
    await rae.deleteComment(place, 2)
    expect((await ann.changeRequest(place)).body.comments?.map(({ text }) => text)).toEqual(['Why today?'])
  })

  it('is applied in an emergency, and acknowledged', async () => {
    const { ann, rae } = fixture
    const place = await inReview(fixture)
    await ann.setState(place, { state: 'Applied', emergency: { reason: 'Nobody can pay since 10:40.' } })
    const open = await rae.searchChangeRequests({ afterReview: 'IS:open' })
    expect(open.body.changeRequests.map(({ id }) => id)).toEqual([place.id])
    await rae.acknowledge(place, 'Right so.')
    await expect(rae.acknowledge(place)).rejects.toMatchObject({ details: [{ code: 'already-acknowledged' }] })
  })

  it('has no apply to settle unless one was interrupted', async () => {
    const place = await inReview(fixture)
    await expect(fixture.ann.settle(place)).rejects.toMatchObject({ status: 409, details: [{ code: 'wrong-state' }] })
  })

  it('sets and reads the requested approvers', async () => {
    const { ann } = fixture
    const place = await inReview(fixture)
    await ann.setApprovers(place, [7])
    expect((await ann.approvers(place)).body.reviewers.map(({ id }) => id)).toEqual([7])
    expect((await ann.availableReviewers('shop', 'production')).body).toHaveProperty('reviewers')
  })
})

describe('schedules before the approval through the client', () => {
  it('are set and withdrawn', async () => {
    const fixture = await openFixture()
    const place = await inReview(fixture)
    const set = await fixture.ann.presetSchedule(place, { scheduledAt: 'approval' })
    expect((await fixture.ann.review(place)).body.presetSchedule).toMatchObject({ scheduledAt: 'approval' })
    await fixture.ann.withdrawPresetSchedule(place, { ifMatch: set.etag ?? '' })
    expect((await fixture.ann.review(place)).body.presetSchedule?.withdrawn?.cause).toBe('user')
    await fixture.app.close()
  })
})

describe('the reads of a page through the client', () => {
  it('reads the caller and their permissions in an environment', async () => {
    const { rae } = fixture
    expect((await rae.me()).body).toMatchObject({ id: 7, username: 'rae', groups: ['payments'] })
    expect((await rae.me(production)).body.permissions).toEqual([
      'READ_CHANGE_REQUEST',
      'APPROVE_CHANGE_REQUEST',
      'READ_EVENTS',
    ])
  })

  it('lists what waits for the caller, page by page', async () => {
    const { ann, rae } = fixture
    for (const environment of ['production', 'test']) {
      const { body } = await ann.propose({ project: 'shop', environment }, enabled())
      await ann.setState({ project: 'shop', id: body.id }, { state: 'In review' })
    }
    const first = (await rae.reviews({ needs: 'me', limit: 1 })).body
    expect(first.reviews[0]?.waitsFor.map(({ name }) => name)).toEqual(['minimum', 'payments owners'])
    const second = (await rae.reviews({ needs: 'me', limit: 1, cursor: first.next ?? '' })).body
    expect([first, second].flatMap(({ reviews }) => reviews.map(({ environment }) => environment))).toEqual([
      'test',
      'production',
    ])
    expect((await rae.reviews({ needs: 'mine' })).body.reviews).toEqual([])
  })

  it('returns since when each is in its state', async () => {
    const place = await inReview(fixture)
    await fixture.rae.comment(place, { text: 'I look at it.' })
    const { stateTimestamps } = (await fixture.ann.changeRequest(place)).body
    const [item] = (await fixture.rae.reviews({ needs: 'me' })).body.reviews
    expect(item?.stateSince).toBe(stateTimestamps?.['In review'])
  })

  it('reads the timeline, the approval rules, the freezes, what can be proposed, and the settings', async () => {
    const { ann } = fixture
    const place = await inReview(fixture)
    const { events, next } = (await ann.timeline(place)).body
    expect([events[0]?.type, next]).toEqual(['change-request-created', null])
    expect((await ann.rules('shop', 'production')).body.rules).toEqual([
      {
        name: 'payments owners',
        when: { projects: ['shop'] },
        approvals: 1,
        from: { groups: ['payments'], users: [] },
      },
    ])
    expect((await ann.freezes('shop', 'production')).body.freezes).toEqual([
      {
        name: 'Sale',
        reason: 'Sales',
        from: '2999-11-26T23:00:00.000Z',
        until: null,
        when: { environments: ['production'] },
        scheduled: 'hold',
      },
    ])
    expect((await ann.searchFlags('shop', 'production', 'check')).body).toEqual({ flags: ['checkout'] })
    expect((await ann.flag('shop', 'production', 'checkout')).body).toMatchObject({ name: 'checkout', state: null })
    expect((await ann.segment('shop', 'production', 4)).body).toEqual({ id: 4, state: null, targets: {}, usedBy: null })
    expect((await ann.actions('shop', 'production')).body.actions[0]).toHaveProperty('schema')
    await ann.updateSettings('shop', 'production', { changeRequestsEnabled: true, requiredApprovals: 3 })
    expect((await ann.settings('shop')).body).toMatchObject([{ environment: 'production', requiredApprovals: 3 }])
    expect((await ann.counts('shop')).body).toMatchObject({ total: 1 })
    expect((await ann.actionable('shop')).body).toEqual({ total: 1 })
  })
})
