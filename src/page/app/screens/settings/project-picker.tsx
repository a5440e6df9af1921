import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button'

interface ProjectPickerProps {
  readonly projects: readonly string[]
  readonly project: string | undefined
  readonly onChoose: (project: string) => void
}

/** A project of those that are known, or any other by its name: the API has no list of all. */
export function ProjectPicker({ projects, project, onChoose }: ProjectPickerProps) {
  const id = useId()
  const [writing, setWriting] = useState(false)
  const known = project === undefined || projects.includes(project) ? projects : [...projects, project]
  if (writing || known.length === 0) {
    return <Writer focus={writing} onChoose={onChoose} onDone={() => setWriting(false)} />
  }
  return (
    <div class="end pick">
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
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (focus) input.current?.focus()
  }, [focus])
  return (
    <form
      class="end pick"
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
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button submit>Show</Button>
    </form>
  )
}
