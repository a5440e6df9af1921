import { checkPosition, isLost, positionAt } from '../../../src/kernel/log/position'
import { connectTo, openDatabaseServer } from '../../support/events/servers'
import { rejection } from '../support/fixture'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A log with events 1 to 150, and a storage that is connected to a server with the first 100 of them. */
async function behind(recovery: boolean) {
  const primary = openDatabaseServer()
  await primary.append(...range(1, 150))
  const other = openDatabaseServer()
  await other.append(...range(1, 100))
  const { storage, connect } = connectTo(primary)
  const [early, late] = [await positionAt(storage, 90), await positionAt(storage, 150)]
  connect(other, { recovery })
  return { storage, other, early, late }
}

describe('checkPosition', () => {
  it('rejects on a standby whose log is behind the position, which is not lost', async () => {
    const { storage, other, late } = await behind(true)
    expect(await rejection(checkPosition(storage, late, 150))).toMatchObject({ name: 'UnavailableError' })
    await other.append(...range(101, 150))
    expect((await checkPosition(storage, late, 150)).verdict).toEqual({ skipped: null })
  })

  it('rejects if the log is behind the end of what was read, so that no event is skipped', async () => {
    for (const recovery of [true, false]) {
      const { storage, early } = await behind(recovery)
      expect(await rejection(checkPosition(storage, early, 150))).toMatchObject({ name: 'UnavailableError' })
      expect((await checkPosition(storage, early, 100)).next.position).toBe(100)
    }
  })

  it('finds a position lost that a primary does not have', async () => {
    const { storage, late } = await behind(false)
    expect(await checkPosition(storage, late, 150)).toEqual({ verdict: 'lost', next: late })
    // Searched beyond the event, up to an id that the log does not reach any more.
    const beyond = { ...late, event: await positionAt(storage, 100).then(({ event }) => event) }
    expect((await checkPosition(storage, beyond, 150)).verdict).toBe('lost')
  })
})

describe('isLost', () => {
  it.each([
    [true, false],
    [false, true],
  ])('of a position above the newest event, with recovery = %s, is %s', async (recovery, expected) => {
    const { storage, late } = await behind(recovery)
    expect(await isLost(storage, { id: 150, fingerprint: '' })).toBe(expected)
    expect(await isLost(storage, late.event as NonNullable<typeof late.event>)).toBe(expected)
    expect(await isLost(storage, { id: 100, fingerprint: '' })).toBe(false)
  })
})
