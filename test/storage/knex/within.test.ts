import type { Knex } from 'knex'
import {
  allData,
  brokenEvent,
  creation,
  findOpen,
  key,
  sampleChangeRequest,
  sampleEvent,
  stored,
} from '../../../src/testing/samples'
import { databases, type OpenDatabase } from '../../support/databases'

describe.each(databases)('storage.within(transaction) on $name', (database) => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open({ pool: { min: 0, max: 1 } })
    await open.knex.schema.createTable('flags', (table) => table.string('name'))
  })
  afterEach(() => open.close())

  const write = (id: number) => creation(sampleChangeRequest({ id }), [sampleEvent('of the change request')])
  const flags = () => open.knex('flags').pluck('name')

  /** The writes of a host on its only connection: its own row, a change request, an event. */
  async function work(transaction: Knex.Transaction, id: number): Promise<void> {
    await transaction('flags').insert({ name: 'checkout' })
    expect(await open.storage.within(transaction).commit(write(id))).toBe(true)
    await open.storage.within(transaction).appendEvents([sampleEvent('of the host')])
  }

  it('commits with the transaction', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    await open.knex.transaction((transaction) => work(transaction, id))

    expect(await flags()).toEqual(['checkout'])
    expect((await findOpen(open.storage, key))?.changeRequest.id).toBe(id)
    expect(await allData(open.storage)).toEqual(['of the change request', 'of the host'])
    expect((await open.storage.eventHead({ projects: [key.project] })).total).toBe(2)
  })

  it('is rolled back with the transaction', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    const given = open.knex.transaction(async (transaction) => {
      await work(transaction, id)
      throw new Error('the host app failed')
    })

    await expect(given).rejects.toThrow('the host app failed')
    expect(await flags()).toEqual([])
    expect(await findOpen(open.storage, key)).toBeUndefined()
    expect(await allData(open.storage)).toEqual([])
    expect((await open.storage.eventHead({})).total).toBe(0)
  })

  it('is rolled back with a nested transaction, and does not affect the outer one', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    await open.knex.transaction(async (outer) => {
      await open.storage.within(outer).appendEvents([sampleEvent('outer')])
      const inner = outer.transaction(async (nested) => {
        await work(nested, id)
        throw new Error('only the inner one')
      })
      await expect(inner).rejects.toThrow('only the inner one')
    })

    expect(await flags()).toEqual([])
    expect(await findOpen(open.storage, key)).toBeUndefined()
    expect(await allData(open.storage)).toEqual(['outer'])
    expect((await open.storage.eventHead({})).total).toBe(1)
  })

  it('returns false for a lost race, and the transaction continues', async () => {
    const first = await stored(open.storage)
    await open.knex.transaction(async (transaction) => {
      await transaction('flags').insert({ name: 'checkout' })
      const [again] = [write(first.changeRequest.id + 1)]
      expect(await open.storage.within(transaction).commit(again)).toBe(false)
    })

    expect(await flags()).toEqual(['checkout'])
    expect(await findOpen(open.storage, key)).toEqual(first)
    expect(await allData(open.storage)).toEqual([])
  })

  it('accepts an empty list of events', async () => {
    await open.knex.transaction((transaction) => open.storage.within(transaction).appendEvents([]))

    expect((await open.storage.eventHead({})).total).toBe(0)
  })

  it('stores nothing of a rejected write, even if the host app continues', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    const broken = { ...write(id), events: [sampleEvent('good'), brokenEvent] }
    await open.knex.transaction(async (transaction) => {
      await expect(open.storage.within(transaction).commit(broken)).rejects.toHaveProperty('code')
    })

    expect(await findOpen(open.storage, key)).toBeUndefined()
    expect(await allData(open.storage)).toEqual([])
    expect((await open.storage.eventHead({})).total).toBe(0)
  })

  it('rejects a completed transaction', async () => {
    const transaction = await open.knex.transaction()
    const joined = open.storage.within(transaction)
    await transaction.commit()

    await expect(joined.appendEvents([sampleEvent('late')])).rejects.toThrow(TypeError)
    await expect(joined.commit(write(1))).rejects.toThrow('The transaction is already completed.')
    expect(await allData(open.storage)).toEqual([])
  })

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['an object', () => ({ isTransaction: true })],
    ['the Knex itself', () => open.knex],
  ])('rejects %s', (_, given) => {
    expect(() => open.storage.within(given() as Knex.Transaction)).toThrow(
      new TypeError('The transaction must be one that knex.transaction() provides.'),
    )
  })
})
