import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { navigate, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { usePaused } from '../../core/tools/use-paused'
import { Button } from '../../parts/controls/button'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Empty } from '../../parts/messages/notice'
import { usePlaces } from '../../reviews/places'
import { useProjects, useSettings } from '../../reviews/projects'
import { Consumers } from './consumers'
import { Environments } from './environments'
import { Permissions } from './permissions'
import { CheckList, FreezeList, Rules } from './rules/rules'
import './settings.css'

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
              You can propose changes in no project that is known, and see no change request. Enter its name above.
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
  if (settings.data === undefined) return <NotLoaded loaded={settings} subject={`the settings of ${project}`} />
  if (settings.data.length === 0) {
    return (
      <section class="panel edge">
        <Empty icon="sliders" title="No environments">
          Nothing is known of the project <bdi class="strong">{project}</bdi>.
        </Empty>
      </section>
    )
  }
  return (
    <>
      {settings.error !== undefined && <LoadFailed loaded={settings} subject="the settings" />}
      <Environments project={project} settings={settings.data} refresh={settings.refresh} />
      <Rules project={project} settings={settings.data} />
      <CheckList project={project} settings={settings.data} />
      <FreezeList project={project} settings={settings.data} />
      <Permissions project={project} settings={settings.data} />
      <Consumers project={project} />
    </>
  )
}

interface ProjectPickerProps {
  readonly projects: readonly string[]
  readonly project: string | undefined
  readonly onChoose: (project: string) => void
}

/** A project of those that are known, or any other by its name: there may be more. */
function ProjectPicker({ projects, project, onChoose }: ProjectPickerProps) {
  const id = useId()
  const [writing, setWriting] = useState(false)
  const known = project === undefined || projects.includes(project) ? projects : [...projects, project]
  if (writing || known.length === 0) {
    return <Writer focus={writing} onChoose={onChoose} onDone={() => setWriting(false)} />
  }
  return (
    <div class="end pick flow">
      <label for={id}>Project</label>
      <select
        id={id}
        value={project}
        onChange={({ currentTarget }) =>
          currentTarget.value === '' ? setWriting(true) : onChoose(currentTarget.value)
        }
      >
        {known.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
        <option value="">Another…</option>
      </select>
    </div>
  )
}

interface WriterProps {
  readonly focus: boolean
  readonly onChoose: (project: string) => void
  readonly onDone: () => void
}

function Writer({ focus, onChoose, onDone }: WriterProps) {
  const id = useId()
  const [name, setName] = useState('')
  const found = usePlaces(usePaused(name.trim())).data?.places ?? []
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (focus) input.current?.focus()
  }, [focus])
  return (
    <form
      class="end pick flow"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onChoose(name.trim())
        onDone()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <label for={id}>Project</label>
      <input
        id={id}
        ref={input}
        class="input"
        list={`${id}-list`}
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {found.map(({ project }) => (
          <option key={project} value={project} />
        ))}
      </datalist>
      <Button submit>Show</Button>
    </form>
  )
}
