import { ChangeRequestError } from '../../../src'
import { discardDraft, editChange } from '../../../src/capabilities/proposals/edit-changes'
import { type ExistingWrite, queueOf, writeExisting } from '../../../src/kernel/steps'
import { findVisible, visible } from '../../../src/kernel/visible'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { Gate } from '../support/flags'
import { actors, by, createWorld, enable, losing, noon, rejection, type World } from '../support/world'

const here = { project: 'shop', id: 1 as number | undefined }

/** A write that sets a title; each test says what else there is to it. */
const write = <Facts = undefined>(world: World, more: Partial<ExistingWrite<Facts>> = {}, caller = by('ann')) =>
  writeExisting<Facts>(world.services, caller, {
    ...here,
    step: 'cancel',
    decide: ({ changeRequest }) => ({ changeRequest: { ...changeRequest, title: 'Sale' }, events: [] }),
    ...more,
  })

/** What the author does to the changes while somebody else decides. */
const alter = ({ services }: World, changeId = 1) =>
  editChange(services, { ...by('ann'), ...here, changeId, change: enable('search') })

describe('findVisible', () => {
  it('finds by project and id, and drafts only for their author', async () => {
    const world = createWorld()
    await world.propose('ann')
    expect((await findVisible(world.services, here, actors.ann)).changeRequest.id).toBe(1)
    const missing = async (reference: object, who: keyof typeof actors) =>
      (await rejection(findVisible(world.services, { ...here, ...reference }, actors[who]))).message
    expect(await missing({}, 'ben')).toBe('There is no change request 1 in the project.')
    expect(await missing({ project: 'blog' }, 'ann')).toBe('There is no change request 1 in the project.')
    expect(await missing({ id: 9 }, 'ann')).toBe('There is no change request 9 in the project.')
    expect(await missing({ id: undefined }, 'ann')).toBe('There is no change request with this id in the project.')
    await world.to('ann', 'In review')
    expect((await findVisible(world.services, here, actors.robot)).version).toBe(2)
  })
})

describe('visible', () => {
  it('is the change request that was found, or 404', async () => {
    const world = createWorld()
    await world.propose('ann')
    const stored = (await world.storage.find({ project: 'shop' }, 1)) as StoredChangeRequest
    expect(visible(stored, 1, 1)).toBe(stored)
    expect(() => visible(stored, 2, 1)).toThrow('There is no change request 1 in the project.')
    expect(() => visible(undefined, 1, 1)).toThrow(expect.objectContaining({ name: 'NotFoundError' }))
  })
})

describe('writeExisting', () => {
  it('decides on what is stored, at the time of the decision, as the caller', async () => {
    const world = createWorld()
    await world.propose('ann')
    const occasions: unknown[] = []
    const stored = await write(world, {
      changeIds: () => 2,
      decide({ changeRequest }, occasion) {
        occasions.push(occasion)
        return { changeRequest: { ...changeRequest, title: 'Sale' }, events: [] }
      },
    })
    expect([stored.version, (await world.stored())?.title]).toEqual([2, 'Sale'])
    expect(occasions).toEqual([
      {
        by: { author: expect.objectContaining({ signature: 'ann@example.com' }), groups: [] },
        facts: {
          caller: { id: 1, held: new Set(['CREATE_CHANGE_REQUEST']) },
          options: expect.objectContaining({ carriesOut: false }),
        },
        now: noon,
        ids: { changeRequest: 0, changes: [2, 3] },
      },
    ])
  })

  it('uses what was found before where the caller has it', async () => {
    const finds: number[] = []
    const world = createWorld({
      storage: (memory) => ({
        ...memory,
        find(scope, id) {
          finds.push(id)
          return memory.find(scope, id)
        },
      }),
    })
    await world.propose('ann')
    const found = await findVisible(world.services, here, actors.ann)
    finds.length = 0
    await write(world, { found })
    expect(finds).toEqual([1])
    await write(world)
    expect(finds).toEqual([1, 1, 1])
  })

  it('checks in order: it is there, permission, person, revision, obstacle, content', async () => {
    const world = createWorld()
    await world.propose('ann')
    let content: ChangeRequestError | undefined = new ChangeRequestError('ConflictError', 'content')
    const obstacle = new ChangeRequestError('NotFoundError', 'obstacle')
    const decide: ExistingWrite<undefined>['decide'] = ({ changeRequest }) => {
      if (content !== undefined) throw content
      return { changeRequest: { ...changeRequest, title: 'Sale' }, events: [] }
    }
    const refused = async (more: object, caller = by('ann')) =>
      (await rejection(write(world, { decide, obstacle: () => obstacle, ...more }, caller))).message
    const stale = { ...by('ann'), ifMatch: '"1-9"' }
    world.host.allows = () => false
    expect(await refused({ id: 9 }, stale)).toBe('There is no change request 9 in the project.')
    expect(await refused({}, stale)).toContain('You need the permission CREATE_CHANGE_REQUEST')
    world.host.allows = () => true
    expect(await refused({}, stale)).toContain('is not the one that If-Match names')
    expect(await refused({})).toBe('obstacle')
    expect(await refused({ obstacle: () => undefined })).toBe('content')
    content = new ChangeRequestError('OperationDeniedError', 'denied')
    expect(await refused({}, stale)).toBe('denied')
    content = undefined
    await write(world, { decide }, { ...by('ann'), ifMatch: '"1-1"' })
    expect((await rejection(write(world, {}, by('robot')))).name).toBe('NotFoundError')
  })

  it('asks for the permissions of its step, in the environment of the change request and for the instance', async () => {
    const world = createWorld()
    await world.propose('ann')
    world.host.asked.length = 0
    await write(world)
    expect(world.host.asked).toEqual([
      { who: 1, permission: 'CREATE_CHANGE_REQUEST', scope: { project: 'shop', environment: 'production' } },
      { who: 1, permission: 'ADMIN', scope: {} },
    ])
  })

  it('is 404 when the change request is gone by its turn', async () => {
    const world = createWorld()
    await world.propose('ann')
    const gate = new Gate()
    const writing = rejection(write(world, { gather: () => gate.pass().then(() => undefined) }))
    await gate.arrived
    await discardDraft(world.services, { ...by('ann'), ...here })
    gate.letGo()
    expect((await writing).name).toBe('NotFoundError')
  })

  it('waits for nothing that is done to another change request', async () => {
    const world = createWorld()
    await world.propose('ann')
    await world.propose('ann', undefined, { environment: 'testing' })
    const gate = new Gate()
    const busy = world.services.writer.runExclusive(queueOf(1), () => gate.pass())
    expect((await write(world, { id: 2 })).changeRequest.id).toBe(2)
    gate.letGo()
    await busy
  })

  describe('with facts that hooks and settings give', () => {
    const deciding = (seen: unknown[]): ExistingWrite<string>['decide'] => {
      return ({ changeRequest }, _, facts) => {
        seen.push(facts)
        return { changeRequest: { ...changeRequest, title: facts }, events: [] }
      }
    }

    it('gathers them before the write has its turn: others are not held up', async () => {
      const world = createWorld()
      await world.propose('ann')
      const gate = new Gate()
      const writing = write<string>(world, {
        gather: () => gate.pass().then(() => 'facts'),
        decide: deciding([]),
      })
      await gate.arrived
      expect((await write(world)).version).toBe(2)
      gate.letGo()
      expect((await writing).changeRequest.title).toBe('facts')
    })

    it('gathers them again when the changes were altered meanwhile', async () => {
      const world = createWorld()
      await world.propose('ann')
      const gathered: unknown[] = []
      const seen: unknown[] = []
      await write<string>(world, {
        async gather({ changeRequest }) {
          gathered.push(changeRequest.changes.map(({ id }) => id))
          if (gathered.length === 1) await alter(world)
          return `facts ${gathered.length}`
        },
        decide: deciding(seen),
      })
      expect([gathered, seen, (await world.stored())?.title]).toEqual([[[1], [2]], ['facts 2'], 'facts 2'])
    })

    it('keeps them when something else was altered meanwhile', async () => {
      const world = createWorld()
      await world.propose('ann')
      let gathered = 0
      await write<string>(world, {
        async gather() {
          gathered += 1
          await write(world)
          return 'facts'
        },
        decide: deciding([]),
      })
      expect(gathered).toBe(1)
    })

    it('leaves the decision to a precondition, which learns whether the changes are the same', async () => {
      const world = createWorld()
      await world.propose('ann')
      const told: unknown[] = []
      const precondition = (facts: string, sameContent: boolean) => {
        told.push([facts, sameContent])
        return sameContent ? undefined : new ChangeRequestError('PreconditionFailedError', 'altered')
      }
      await write<string>(world, { gather: async () => 'facts', precondition, decide: deciding([]) })
      const writing = write<string>(world, {
        gather: () => alter(world).then(() => 'facts'),
        precondition,
        decide: deciding([]),
      })
      expect((await rejection(writing)).message).toBe('altered')
      expect(told).toEqual([
        ['facts', true],
        ['facts', false],
      ])
    })

    it('tells a precondition of the same content also at a try after a lost race', async () => {
      const first = createWorld()
      await first.propose('ann')
      const told: boolean[] = []
      const world = createWorld({ storage: () => losing([() => alter(first)], first.memory) })
      const writing = write<string>(world, {
        gather: async () => 'facts',
        precondition(_, sameContent) {
          told.push(sameContent)
          return undefined
        },
        decide: deciding([]),
      })
      await writing
      expect(told).toEqual([true, false])
    })

    it('throws what goes wrong on the way', async () => {
      const world = createWorld()
      await world.propose('ann')
      const failure = new Error('out of order')
      await expect(write(world, { gather: () => Promise.reject(failure) })).rejects.toBe(failure)
      const decide = () => {
        throw failure
      }
      await expect(write(world, { decide })).rejects.toBe(failure)
    })
  })
})
