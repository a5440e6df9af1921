import { Link } from '../../core/places/link'
import { Icon } from '../marks/icon'

interface CrumbsProps {
  readonly project: string
  /** The screen that is shown. */
  readonly current: string
}

/** The way from the inbox to a screen of a project. */
export function Crumbs({ project, current }: CrumbsProps) {
  return (
    <nav class="crumbs flow muted small" aria-label="You are here">
      <Link to="/">Inbox</Link>
      <Icon name="chevronRight" />
      <bdi>{project}</bdi>
      <Icon name="chevronRight" />
      <span>{current}</span>
    </nav>
  )
}
