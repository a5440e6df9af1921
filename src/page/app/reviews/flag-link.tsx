import { Link } from '../core/places/link'
import { flagPath } from '../core/places/navigation'
import type { useCanPropose } from './places'

interface FlagLinkProps {
  readonly project: string
  readonly environment?: string | undefined
  readonly feature: string
  readonly canPropose: ReturnType<typeof useCanPropose>
}

/** The name of a flag; for those who can propose changes of it, a link to its screen. */
export function FlagLink({ project, environment, feature, canPropose }: FlagLinkProps) {
  const name = <bdi class="flag">{feature}</bdi>
  return canPropose(project, environment) ? <Link to={flagPath(project, feature, environment)}>{name}</Link> : name
}
