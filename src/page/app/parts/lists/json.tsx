import type { JsonProps } from '../comparisons'
import { useComparisons } from './use-comparisons'

/** A value as JSON. */
export function Json(props: JsonProps) {
  const { Json: Loaded } = useComparisons() ?? {}
  return Loaded ? <Loaded {...props} /> : null
}
