import { createWorld, enable, losing, rejection, type World, type WorldOptions } from '../../kernel/support/world'

/** @see contract 6.4 */
describe('apply without a flag gateway', () => {
  it('is rejected: nothing can be applied', async () => {
    const world = createWorld()
    await world.approved()
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request cannot be applied: no flag gateway is configured.',
    })
    expect((await world.stored())?.state).toBe('Approved')
  })

  it('is a record with the option recordOnly, for hosts that follow the log', async () => {
    const world = createWorld({ recordOnly: true })
    await world.approved([enable(), enable('search')])
    const { version, changeRequest } = await world.to('ben', 'Applied', { comment: 'Done.' })
    expect([version, changeRequest.state, changeRequest.comments[0]?.text]).toEqual([4, 'Applied', 'Done.'])
    expect(await world.stored()).toEqual(changeRequest)
    expect((await world.eventTypes()).slice(-2)).toEqual(['change-request-approved', 'change-request-applied'])
  })

  it('tries again after a lost race', async () => {
    const world: World = createWorld({
      recordOnly: true,
      storage: (memory) => {
        const lost = losing([() => {}], memory)
        return { ...memory, commit: (write) => (write.changeRequest.state === 'Applied' ? lost : memory).commit(write) }
      },
    })
    await world.approved()
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})

/** Each row: what is checked, in this order, before anything is applied. */
describe('apply checks in order', () => {
  const open = async (options: WorldOptions = {}) => {
    const world = createWorld({ recordOnly: true, ...options })
    await world.propose('ann')
    return world
  }

  it('that the change request is there for the caller', async () => {
    const world = await open()
    world.host.allows = () => false
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('NotFoundError')
    expect((await rejection(world.to('ann', 'Applied', { id: 9 }))).name).toBe('NotFoundError')
  })

  it('the permission in its environment', async () => {
    const world = await open()
    world.host.allows = () => false
    expect(await rejection(world.to('ann', 'Applied', { ifMatch: '"1-9"' }))).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission APPLY_CHANGE_REQUEST in project shop and environment production.',
    })
  })

  it('that a person calls', async () => {
    const world = await open()
    await world.to('ann', 'In review')
    expect((await rejection(world.to('robot', 'Applied'))).name).toBe('OperationDeniedError')
  })

  it('the revision that If-Match names', async () => {
    const world = await open()
    expect((await rejection(world.to('ann', 'Applied', { ifMatch: '"1-9"' }))).name).toBe('PreconditionFailedError')
    expect((await rejection(world.to('ann', 'Applied', { ifMatch: '"1-1"' }))).name).toBe('ConflictError')
  })

  it('that the caller names what is applied, where the option requireRevision asks for it', async () => {
    const world = await open({ requireRevision: true })
    expect((await rejection(world.to('ann', 'Applied'))).name).toBe('PreconditionRequiredError')
    expect((await rejection(world.to('ann', 'Applied', { ifMatch: '"1-1"' }))).name).toBe('ConflictError')
  })

  it('the digest that the caller names', async () => {
    const world = await open()
    await world.to('ann', 'In review')
    const { changeRequest } = await world.to('ben', 'Approved')
    const { digest = '' } = changeRequest.approvals[0] ?? {}
    const other = await rejection(world.to('ben', 'Applied', { digest: 'sha256:other' }))
    expect(other.name).toBe('PreconditionFailedError')
    expect((await world.to('ben', 'Applied', { digest })).changeRequest.state).toBe('Applied')
  })

  it('the state and the approvals', async () => {
    const world = await open()
    expect((await rejection(world.to('ann', 'Applied'))).message).toContain('Draft cannot become Applied')
    await world.to('ann', 'In review')
    expect((await rejection(world.to('ann', 'Applied'))).message).toContain('0 of 1 approvals')
    await world.to('ben', 'Approved')
    await world.to('ben', 'Applied')
    expect((await rejection(world.to('ben', 'Applied'))).message).toBe('The change request is already Applied.')
  })

  it('that there is room for the comment', async () => {
    const world = await open({ limits: { commentsPerChangeRequest: 0 } })
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    expect((await rejection(world.to('ben', 'Applied', { comment: 'Done.' }))).name).toBe('ExceedsLimitError')
  })
})
