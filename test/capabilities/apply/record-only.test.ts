import {
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  losing,
  rejection,
} from '../../kernel/support/fixture'

/** @see contract 6.4 */
describe('apply without a flag gateway', () => {
  it('is rejected: nothing can be applied', async () => {
    const fixture = createFixture()
    await fixture.approved()
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request cannot be applied: no flag gateway is configured.',
    })
    expect((await fixture.stored())?.state).toBe('Approved')
  })

  it('is a record with the option recordOnly, for hosts that follow the log', async () => {
    const fixture = createFixture({ recordOnly: true })
    await fixture.approved([enable(), enable('search')])
    const { version, changeRequest } = await fixture.to('ben', 'Applied', { comment: 'Done.' })
    expect([version, changeRequest.state, changeRequest.comments[0]?.text]).toEqual([4, 'Applied', 'Done.'])
    expect(await fixture.stored()).toEqual(changeRequest)
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['change-request-approved', 'change-request-applied'])
  })

  it('retries after a lost race', async () => {
    const fixture: Fixture = createFixture({
      recordOnly: true,
      storage: (memory) => {
        const lost = losing([() => {}], memory)
        return { ...memory, commit: (write) => (write.changeRequest.state === 'Applied' ? lost : memory).commit(write) }
      },
    })
    await fixture.approved()
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})

/** The checks before an apply, in this order. */
describe('apply checks in order', () => {
  const open = async (options: FixtureOptions = {}) => {
    const fixture = createFixture({ recordOnly: true, ...options })
    await fixture.propose('ann')
    return fixture
  }

  it('that the caller can see the change request', async () => {
    const fixture = await open()
    fixture.host.allows = () => false
    expect((await rejection(fixture.to('ben', 'Applied'))).name).toBe('NotFoundError')
    expect((await rejection(fixture.to('ann', 'Applied', { id: 9 }))).name).toBe('NotFoundError')
  })

  it('the permission in its environment', async () => {
    const fixture = await open()
    fixture.host.allows = () => false
    expect(await rejection(fixture.to('ann', 'Applied', { ifMatch: '"1-9"' }))).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission APPLY_CHANGE_REQUEST in project shop and environment production.',
    })
  })

  it('that the caller has a user id', async () => {
    const fixture = await open()
    await fixture.to('ann', 'In review')
    expect((await rejection(fixture.to('robot', 'Applied'))).name).toBe('OperationDeniedError')
  })

  it('the revision that If-Match names', async () => {
    const fixture = await open()
    expect((await rejection(fixture.to('ann', 'Applied', { ifMatch: '"1-9"' }))).name).toBe('PreconditionFailedError')
    expect((await rejection(fixture.to('ann', 'Applied', { ifMatch: '"1-1"' }))).name).toBe('ConflictError')
  })

  it('that the caller names the revision, with the option requireRevision', async () => {
    const fixture = await open({ requireRevision: true })
    expect((await rejection(fixture.to('ann', 'Applied'))).name).toBe('PreconditionRequiredError')
    expect((await rejection(fixture.to('ann', 'Applied', { ifMatch: '"1-1"' }))).name).toBe('ConflictError')
  })

  it('the digest that the caller names', async () => {
    const fixture = await open()
    await fixture.to('ann', 'In review')
    const { changeRequest } = await fixture.to('ben', 'Approved')
    const { digest = '' } = changeRequest.approvals[0] ?? {}
    const other = await rejection(fixture.to('ben', 'Applied', { digest: 'sha256:other' }))
    expect(other.name).toBe('PreconditionFailedError')
    expect((await fixture.to('ben', 'Applied', { digest })).changeRequest.state).toBe('Applied')
  })

  it('the state and the approvals', async () => {
    const fixture = await open()
    expect((await rejection(fixture.to('ann', 'Applied'))).message).toContain('Draft cannot become Applied')
    await fixture.to('ann', 'In review')
    expect((await rejection(fixture.to('ann', 'Applied'))).message).toContain('0 of 1 approvals')
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toBe('The change request is already Applied.')
  })
})
