import { type StorageSuite, together } from '../suite'

export function describeIds({ describe, test, expect }: StorageSuite): void {
  describe('nextIds(kind, count)', () => {
    for (const kind of ['changeRequest', 'change'] as const) {
      test(`returns as many ids for a ${kind} as requested, in ascending order`, async (storage) => {
        const ids = await storage.nextIds(kind, 7)

        expect(ids.length).toBe(7)
        expect(ids).toEqual(rising(ids))
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true)
      })

      test(`returns ids for a ${kind} greater than all previous ones`, async (storage) => {
        const before = await storage.nextIds(kind, 20)
        const after = await storage.nextIds(kind, 20)

        expect(Math.min(...after) > Math.max(...before)).toBe(true)
      })

      test(`returns no id for a ${kind} twice to 20 concurrent callers`, async (storage) => {
        const drawn = await together(20, (index) => storage.nextIds(kind, 1 + (index % 3)))

        expect(drawn.map((ids) => ids.length)).toEqual(drawn.map((_, index) => 1 + (index % 3)))
        expect(new Set(drawn.flat()).size).toBe(drawn.flat().length)
        expect(drawn).toEqual(drawn.map(rising))
      })
    }

    test('returns none when none are requested', async (storage) => {
      expect(await storage.nextIds('change', 0)).toEqual([])
    })
  })
}

function rising(ids: readonly number[]): number[] {
  return [...ids].sort((one, other) => one - other)
}
