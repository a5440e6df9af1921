import { setTimeout } from 'node:timers/promises'
import type { EventRow } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { brokenEvent, creation, freshId, sampleChangeRequest, sampleEvent, update } from '../../../src/testing/samples'

type Random = () => number

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value
}

/** One to five events, each of some project, flag and creator, or of none. */
export function randomEvents(random: Random): EventRow[] {
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
    ...sampleEvent('mixed', pick(random, ['shop', 'blog', 'wiki', null])),
    featureName: pick(random, ['checkout', 'basket', 'search', null]),
    createdByUserId: pick(random, [1, 2, -42, null]),
  }))
}

/** All ways of writing events: alone, rejected, in lost races, in transactions that commit or roll back. */
export async function writeMixed(storage: Storage, rounds: number, random: Random): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await pick(random, ways)(storage, random)
}

const changedMind = new Error('The host changed its mind.')

const ways: readonly ((storage: Storage, random: Random) => Promise<unknown>)[] = [
  (storage, random) => storage.appendEvents(randomEvents(random)),
  /** Concurrently, so that they share a commit: the rejected ones must not affect the others. */
  async (storage, random) => {
    const all = [randomEvents(random), [...randomEvents(random), brokenEvent], randomEvents(random)]
    const outcomes = await Promise.allSettled(all.map((events) => storage.appendEvents(events)))
    expectStatuses(outcomes, ['fulfilled', 'rejected', 'fulfilled'])
  },
  /** Of three writes of the next version two lose, with their events. */
  async (storage, random) => {
    const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'Approved' })
    await storage.commit({ ...creation(changeRequest, randomEvents(random)), open: false })
    const next = () => ({ ...update({ version: 1, changeRequest }, {}, randomEvents(random)), open: false })
    const won = await Promise.all([next(), next(), next()].map((write) => storage.commit(write)))
    if (won.filter(Boolean).length !== 1) throw new Error(`Of three rivals ${won} won.`)
  },
  (storage, random) => inTransaction(storage, random, false),
  (storage, random) => inTransaction(storage, random, true).catch((error) => expectSame(error, changedMind)),
]

async function inTransaction(storage: Storage, random: Random, undo: boolean): Promise<void> {
  await storage.transaction?.(async (_, inside) => {
    await inside.appendEvents(randomEvents(random))
    await setTimeout(random() * 3)
    await inside.appendEvents(randomEvents(random))
    if (undo) throw changedMind
  })
}

function expectStatuses(outcomes: readonly PromiseSettledResult<void>[], wanted: readonly string[]): void {
  const got = outcomes.map(({ status }) => status)
  if (`${got}` !== `${wanted}`) throw new Error(`The appends were ${got}.`)
}

function expectSame(error: unknown, wanted: unknown): void {
  if (error !== wanted) throw error
}
