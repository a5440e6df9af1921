import { useLayoutEffect, useState } from 'preact/hooks'
import type { PlacesView } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { Link } from '../../core/places/link'
import { flagPath, navigate, segmentPath, setQuery, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { isProduction } from '../../core/tools/production'
import { usePaused } from '../../core/tools/use-paused'
import { Button } from '../../parts/controls/button'
import { Tabs } from '../../parts/controls/tabs'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { NotLoaded } from '../../parts/messages/load-failed'
import { Empty } from '../../parts/messages/notice'
import { usePlaces } from '../../reviews/places'
import { Combobox, type Option } from './combobox'
import './new.css'

type ProjectPlaces = PlacesView['places'][number]

/** More projects are found by their names. */
const maxTabs = 6

/** Where the user chooses what the address does not name; leads to the screen of a flag or segment. */
export function New() {
  const { query } = useLocation()
  const asked = query.get('project') ?? ''
  const loaded = usePlaces(asked)
  const { places = [], complete = false } = loaded.data ?? {}
  const [first, ...others] = places
  const project = asked || (complete && others.length === 0 && first?.project) || ''
  const place = places.find((one) => one.project === project)
  return (
    <>
      <div class="page-head">
        <PageTitle title="Propose a change" />
      </div>
      {loaded.data === undefined ? (
        <NotLoaded loaded={loaded} subject="the projects" />
      ) : complete && first === undefined && asked === '' ? (
        <section class="panel edge">
          <Empty
            icon="lock"
            title="You can't propose changes"
            actions={
              <Link class="btn" to="/">
                Go to the inbox
              </Link>
            }
          >
            In no project do you have the permission CREATE_CHANGE_REQUEST.
          </Empty>
        </section>
      ) : (
        <section class="panel side edge asked" aria-label="What to change">
          {project === '' ? (
            <ProjectChoice places={places} isAll={complete && places.length <= maxTabs} />
          ) : (
            <EnvironmentChoice
              key={project}
              project={project}
              environment={query.get('environment') ?? ''}
              feature={query.get('feature') ?? ''}
              known={place?.environments ?? []}
              onChange={asked === '' ? undefined : () => setQuery({ project: undefined, environment: undefined })}
            />
          )}
        </section>
      )}
    </>
  )
}

interface ProjectChoiceProps {
  readonly places: readonly ProjectPlaces[]
  /** Whether these are all, and few. */
  readonly isAll: boolean
}

function ProjectChoice({ places, isAll }: ProjectChoiceProps) {
  const [text, setText] = useState('')
  const searched = usePaused(text)
  const loaded = usePlaces(searched)
  const choose = (project: string) => setQuery({ project })
  if (isAll) {
    const tabs = places.map(({ project }) => ({ id: project, label: project }))
    return (
      <div class="field">
        <span class="label">Project</span>
        <Tabs label="Project" tabs={tabs} current="" onChoose={choose} />
      </div>
    )
  }
  const found = loaded.data?.places.map(({ project }) => project)
  return (
    <Combobox
      label="Project"
      icon="list"
      {...{ text }}
      onText={setText}
      options={searched === text ? optionsOf(text, found, loaded.data?.complete === false) : undefined}
      onChoose={choose}
    />
  )
}

interface EnvironmentChoiceProps {
  readonly project: string
  /** As the address has it. */
  readonly environment: string
  readonly feature: string
  /** The environments that are known. */
  readonly known: ProjectPlaces['environments']
  readonly onChange: (() => void) | undefined
}

/** The environment, and what to change there. */
function EnvironmentChoice({ project, environment: asked, feature, known, onChange }: EnvironmentChoiceProps) {
  const isOpen = ({ changeRequestsEnabled }: ProjectPlaces['environments'][number]) => changeRequestsEnabled
  const open = known.filter(isOpen)
  const closed = known.filter((one) => !isOpen(one)).map(({ name }) => name)
  const [typed, setTyped] = useState('')
  const environment = asked || (open.find(({ name, type }) => isProduction(name, type)) ?? open[0])?.name || ''
  const [isSegment, setSegment] = useState(false)
  useLayoutEffect(() => {
    if (feature !== '') navigate(flagPath(project, feature, environment || undefined), { replace: true })
  }, [])
  if (feature !== '') return null
  return (
    <>
      <p class="flow">
        {open.length === 1 ? (
          <PlaceMark project={project} name={environment} type={open[0]?.type} />
        ) : (
          <span>
            Project <bdi class="strong">{project}</bdi>
          </span>
        )}
        {onChange && (
          <Button kind="quiet" size="tiny" onClick={onChange}>
            Another project
          </Button>
        )}
      </p>
      {open.length > 1 && (
        <div class="field">
          <span class="label">Environment</span>
          <Tabs
            label="Environment"
            tabs={open.map(({ name }) => ({ id: name, label: name }))}
            current={environment}
            onChoose={(name) => setQuery({ project, environment: name }, { replace: true })}
          />
        </div>
      )}
      {closed.length > 0 && <p class="muted small">Change requests are disabled in {closed.join(', ')}.</p>}
      {environment === '' ? (
        <Combobox
          label="Environment"
          icon="broadcast"
          text={typed}
          onText={setTyped}
          options={optionsOf(typed, [], true)}
          onChoose={(name) => setQuery({ project, environment: name })}
        />
      ) : (
        <>
          {isSegment ? <SegmentChoice {...{ project, environment }} /> : <FlagChoice {...{ project, environment }} />}
          <p>
            <Button kind="quiet" icon={isSegment ? 'flag' : 'users'} onClick={() => setSegment(!isSegment)}>
              {isSegment ? 'A flag instead' : 'A segment instead'}
            </Button>
          </p>
        </>
      )}
    </>
  )
}

interface TargetProps {
  readonly project: string
  readonly environment: string
}

function FlagChoice({ project, environment }: TargetProps) {
  const [text, setText] = useState('')
  const searched = usePaused(text)
  const { data, error } = useQuery(
    ['flag names', project, environment, searched],
    searched === '' ? undefined : (options) => authoring.searchFlags(project, environment, searched, options),
  )
  const names = data?.flags ?? (data === undefined && error === undefined ? undefined : [])
  return (
    <Combobox
      label="Flag"
      icon="flag"
      help={data?.flags === null && 'The app cannot search its flags: type the whole name.'}
      text={text}
      onText={setText}
      options={searched === text ? optionsOf(text, names, true) : undefined}
      onChoose={(name) => navigate(flagPath(project, name, environment))}
    />
  )
}

function SegmentChoice({ project, environment }: TargetProps) {
  const [text, setText] = useState('')
  const searched = usePaused(text)
  const { data, error } = useQuery(
    ['segment names', project, environment, searched],
    searched === '' ? undefined : (options) => authoring.searchSegments(project, environment, searched, options),
  )
  const found = data?.segments ?? (data === undefined && error === undefined ? undefined : [])
  const named = found?.map(({ id, name }) => ({ id: String(id), label: <bdi>{name}</bdi> }))
  const isId = /^\d{1,15}$/.test(text) && !named?.some(({ id }) => id === text)
  return (
    <Combobox
      label="Segment"
      icon="users"
      help={data?.segments === null && 'The app cannot search its segments: type the id.'}
      placeholder="A part of its name, or its id"
      text={text}
      onText={setText}
      options={
        searched === text ? named && [...named, ...(isId ? [{ id: text, label: `Segment ${text}` }] : [])] : undefined
      }
      onChoose={(id) => navigate(segmentPath(project, Number(id), environment))}
    />
  )
}

/** The names that were found; where there are none, what was typed can be the name. */
function optionsOf(
  text: string,
  names: readonly string[] | undefined,
  canType: boolean,
): readonly Option[] | undefined {
  const typed = text.trim()
  if (names === undefined) return typed === '' ? [] : undefined
  const all = names.length === 0 && canType && typed !== '' ? [typed] : names
  return all.map((name) => ({ id: name, label: <bdi>{name}</bdi> }))
}
