import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { FlagView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { flagPath } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { isProduction } from '../../core/tools/production'
import { RichText } from '../../parts/changes/rich-text'
import { Crumbs } from '../../parts/controls/crumbs'
import { EnvironmentMark, EnvironmentName, ProductionBand } from '../../parts/marks/environment-mark'
import { useSettings } from '../../reviews/projects'
import { stateWords } from '../../words/effects/state'
import type { JsonObject } from '../../words/json'
import { LastChange } from './last-change'
import type { FlagPlace } from './use-preview'

interface HeadProps {
  readonly place: FlagPlace
  /** Undefined until it is loaded. */
  readonly flag: FlagView | undefined
}

/** The flag, and how it is in each environment. */
export function Head({ place, flag, children }: HeadProps & { readonly children: ComponentChildren }) {
  const { project, environment, feature } = place
  return (
    <>
      <Crumbs project={project} current="Flag" />
      <header class="panel req-head edge">
        <ProductionBand name={environment} />
        <div class="req-head-in">
          <div class="flow">
            <EnvironmentMark name={environment} big />
            <span>
              of <bdi class="strong">{project}</bdi>
              {isProduction(environment) && ' · live for all users'}
            </span>
            <LastChange {...place} />
          </div>
          <PageTitle title={feature}>
            <bdi>{feature}</bdi>
          </PageTitle>
          {children}
        </div>
        <EnvironmentTabs place={place} flag={flag} />
      </header>
    </>
  )
}

/** The environments of the project with the state of the flag, in the order of the settings. */
function EnvironmentTabs({ place: { project, environment, feature }, flag }: HeadProps) {
  const known = useRef<ReadonlyMap<string, JsonObject | null>>(new Map())
  const settings = useSettings(project).data ?? []
  if (flag) {
    const others = flag.environments.map(({ name, state }) => [name, state] as const)
    known.current = new Map([...known.current, ...others, [environment, flag.state]])
  }
  const states = known.current
  const names = new Set([...settings.map((one) => one.environment), environment, ...states.keys()])
  return (
    <nav class="tabs states" aria-label="Environments">
      {[...names]
        .filter((name) => states.has(name) || name === environment)
        .map((name) => {
          const state = states.get(name)
          return (
            <Link
              key={name}
              to={flagPath(project, feature, name)}
              aria-current={name === environment ? 'true' : undefined}
            >
              <EnvironmentName name={name} />{' '}
              <span class="small">
                {state ? <RichText words={stateWords(state, flag?.segmentNames)} /> : states.has(name) && 'unknown'}
              </span>
            </Link>
          )
        })}
    </nav>
  )
}
