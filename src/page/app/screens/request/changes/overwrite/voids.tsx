import { counted } from '../../../../words/numbers'
import { useRequestContext } from '../../model/context'

/** What an edit does to the approvals that there are. */
export function Voids() {
  const { latest } = useRequestContext()
  const given = latest.request.approvals.length
  if (given === 0) return null
  return (
    <span>{`The ${given === 1 ? '1 approval given becomes' : `${counted(given, 'approval')} given become`} void.`}</span>
  )
}
