import { voidedBy } from '../../../../reviews/voids'
import { useRequestContext } from '../../model/context'

/** What an edit voids. */
export function Voids() {
  const words = voidedBy(useRequestContext().latest.review)
  return words === '' ? null : <span>{words}</span>
}
