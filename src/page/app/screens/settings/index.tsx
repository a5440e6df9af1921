import { navigate, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { LoadFailed } from '../../parts/messages/load-failed'
import { Empty, Loading } from '../../parts/messages/notice'
import { useProjects, useSettings } from '../../reviews/projects'
import { Consumers } from './consumers'
import { Environments } from './environments'
import { Permissions } from './permissions'
import { ProjectPicker } from './project-picker'
import { Rules } from './rules/rules'
import './settings.css'
import './switches.css'

/** What is reviewed where, by how many, by which rules, and what the caller may do. */
export function Settings() {
  const { query } = useLocation()
  const projects = useProjects()
  const project = query.get('project') || projects?.[0]
  return (
    <>
      <div class="page-head">
        <PageTitle title="Settings" />
        {projects !== undefined && <ProjectPicker projects={projects} project={project} onChoose={choose} />}
      </div>
      <div class="stack">
        {project !== undefined && <Project key={project} project={project} />}
        {project === undefined && projects !== undefined && (
          <section class="panel edge">
            <Empty icon="sliders" title="Which project?">
              No project is known yet: none has a change request that you can see. Enter its name above.
            </Empty>
          </section>
        )}
      </div>
    </>
  )
}

const choose = (project: string) => navigate(`/settings?${new URLSearchParams({ project })}`)

function Project({ project }: { readonly project: string }) {
  const settings = useSettings(project)
  if (settings.data === undefined) {
    return settings.error === undefined ? (
      <Loading subject="the settings" />
    ) : (
      <LoadFailed loaded={settings} subject={`the settings of ${project}`} />
    )
  }
  if (settings.data.length === 0) {
    return (
      <section class="panel edge">
        <Empty icon="sliders" title="No environments">
          Nothing is known of the project{' '}
          <b>
            <bdi>{project}</bdi>
          </b>
          .
        </Empty>
      </section>
    )
  }
  return (
    <>
      {settings.error !== undefined && <LoadFailed loaded={settings} subject="the settings" />}
      <Environments project={project} settings={settings.data} refresh={settings.refresh} />
      <Rules project={project} settings={settings.data} />
      <Permissions project={project} settings={settings.data} />
      <Consumers project={project} />
    </>
  )
}
