import { isProduction } from '../../core/tools/production'
import { Icon } from './icon'

interface EnvironmentProps {
  readonly name: string
  /** Type of the environment, where it is known. */
  readonly type?: string | undefined
  readonly big?: boolean | undefined
}

/** Where a step acts: on the head of a request or a flag, and in a window. Production looks like nothing else on the page. */
export function EnvironmentMark({ name, type, big = false }: EnvironmentProps) {
  const live = isProduction(name, type)
  return (
    <span class={`env${live ? ' prod' : ''}${big ? ' big' : ''}`}>
      {live && <Icon name="broadcast" />}
      <bdi>{name}</bdi>
    </span>
  )
}

/** An environment in a list or in a sentence: production is only a stronger word there. */
export function EnvironmentName({ name, type }: Pick<EnvironmentProps, 'name' | 'type'>) {
  return <bdi class={isProduction(name, type) ? 'strong' : undefined}>{name}</bdi>
}

interface PlaceProps extends EnvironmentProps {
  readonly project: string
}

/** The environment, and the project that it is of. */
export function PlaceMark({ project, ...environment }: PlaceProps) {
  return (
    <>
      <EnvironmentMark {...environment} />{' '}
      <span class="small">
        of <bdi class="strong">{project}</bdi>
      </span>
    </>
  )
}

/** The striped band on top of what acts on production; nothing elsewhere. */
export function ProductionBand({ name, type }: EnvironmentProps) {
  return isProduction(name, type) ? <div class="hazard" aria-hidden="true" /> : null
}
