import { type StorageSuite, together } from '../suite'

export function describeIds({ describe, test, expect }: StorageSuite): void {
  describe('nextIds(kind, count)', () => {
    for (const kind of ['changeRequest', 'change'] as const) {
      test(`returns as many ids for a ${kind} as requested, in ascending order`, async (storage) => {
        const ids = await storage.nextIds(kind, 7)

        expect(ids.length).toBe(7)
        expect(ids).toEqual(ascending(ids))
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true)
      })

      test(`returns ids for a ${kind} greater than all previous ones`, async (storage) => {
        const before = await storage.nextIds(kind, 20)
        const after = await storage.nextIds(kind, 20)

        expect(Math.min(...after) > Math.max(...before)).toBe(true)
      })

      test(`returns no id for a ${kind} twice to 20 concurrent callers`, async (storage) => {
        const allocated = await together(20, (index) => storage.nextIds(kind, 1 + (index % 3)))

        expect(allocated.map((ids) => ids.length)).toEqual(allocated.map((_, index) => 1 + (index % 3)))
        expect(new Set(allocated.flat()).size).toBe(allocated.flat().length)
        expect(allocated).toEqual(allocated.map(ascending))
      })
    }

    test('returns none when none are requested', async (storage) => {
      expect(await storage.nextIds('change', 0)).toEqual([])
    })
  })
}

function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((one, other) => one - other)
}
