import { useLayoutEffect } from 'preact/hooks'
import { navigate } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { usePlaces } from '../../reviews/places'
import { useSettings } from '../../reviews/projects'

interface FirstEnvironmentProps {
  readonly project: string
  readonly title: string
  /** The address with an environment. */
  readonly pathIn: (environment: string) => string
}

/** Without an environment in the address: the first one in which the viewer can propose. */
export function FirstEnvironment({ project, title, pathIn }: FirstEnvironmentProps) {
  const places = usePlaces(project)
  const settings = useSettings(project)
  const own = places.data?.places.find((one) => one.project === project)?.environments ?? []
  const first = own.find((one) => one.changeRequestsEnabled) ?? own[0]
  const isKnown = places.data !== undefined || places.error !== undefined
  const environment = first?.name ?? (isKnown ? settings.data?.[0]?.environment : undefined)
  useLayoutEffect(() => {
    if (environment !== undefined) navigate(pathIn(environment), { replace: true })
  }, [environment])
  return (
    <>
      <div class="page-head">
        <PageTitle title={title}>
          <bdi>{title}</bdi>
        </PageTitle>
      </div>
      {settings.data?.length === 0 ? (
        <Notice tone="plain" icon="info" title="This project has no environments">
          Add <code>?environment=</code> with its name to the address.
        </Notice>
      ) : (
        <NotLoaded loaded={settings} subject="the environments" />
      )}
    </>
  )
}
