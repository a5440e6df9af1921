import { useLayoutEffect, useState } from 'preact/hooks'

type Comparisons = typeof import('../comparisons')

let loaded: Comparisons | undefined

/** Code that few people need, loaded when it is wanted; undefined until then, and where it cannot be loaded. */
export function useComparisons(isWanted = true): Comparisons | undefined {
  const [, setShown] = useState(loaded)
  useLayoutEffect(() => {
    if (!isWanted || loaded !== undefined) return
    import('../comparisons').then(
      ({ Json, WordDiff, wholeRows }) => {
        loaded = { Json, WordDiff, wholeRows }
        setShown(loaded)
      },
      () => undefined,
    )
  }, [isWanted])
  return loaded
}
