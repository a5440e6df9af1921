import { Link } from '../../core/places/link'
import { Icon } from '../marks/icon'

interface CrumbsProps {
  readonly project: string
  /** The screen that is shown. */
  readonly current: string
  /** The address of the inbox, below the mount. */
  readonly inbox?: string | undefined
}

/** The way from the inbox to a screen of a project. */
export function Crumbs({ project, current, inbox = '/' }: CrumbsProps) {
  return (
    <nav class="crumbs flow muted small" aria-label="You are here">
      <Link to={inbox}>Inbox</Link>
      <Icon name="chevronRight" />
      <bdi>{project}</bdi>
      <Icon name="chevronRight" />
      <span>{current}</span>
    </nav>
  )
}
