import { useRef, useState } from 'preact/hooks'
import type { ReviewListItemView } from '../../../../generated'
import { setQuery } from '../../core/places/navigation'
import { useKeys } from '../../core/tools/keys'
import { Button } from '../../parts/controls/button'
import { Chip } from '../../parts/controls/chip'
import { Field } from '../../parts/controls/field'
import { InlineForm, SuggestingInput } from '../../parts/controls/inline-form'
import { useProjects } from '../../reviews/projects'
import type { Filters } from './use-schedules'

interface FilterProps {
  readonly filters: Filters
  readonly rows: readonly ReviewListItemView[]
}

/** Narrows it to a project and a flag, which the address has. */
export function Filter({ filters, rows }: FilterProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLDivElement>(null)
  const focus = () => requestAnimationFrame(() => button.current?.querySelector('button')?.focus())
  const close = () => {
    setOpen(false)
    focus()
  }
  useKeys({ f: { label: 'filter', run: () => setOpen(true) } })
  const chips = [
    { name: 'project', label: 'Project is', value: filters.project },
    { name: 'feature', label: 'Flag is', value: filters.feature },
  ] as const
  return (
    <div class="tools">
      <div class="chips flow" ref={button}>
        <Button icon="plus" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
        {chips.map(
          ({ name, label, value }) =>
            value !== undefined && (
              <Chip
                key={name}
                {...{ label, value }}
                onRemove={() => {
                  setQuery({ [name]: undefined })
                  focus()
                }}
              />
            ),
        )}
        {isOpen && <FilterForm {...{ filters, rows }} onClose={close} />}
      </div>
    </div>
  )
}

function FilterForm({ filters, rows, onClose }: FilterProps & { readonly onClose: () => void }) {
  const [project, setProject] = useState(filters.project ?? '')
  const [feature, setFeature] = useState(filters.feature ?? '')
  const projects = useProjects() ?? []
  const submit = () => {
    setQuery({ project: project.trim() || undefined, feature: feature.trim() || undefined })
    onClose()
  }
  return (
    <InlineForm class="chip-form flow small" onSubmit={submit} onClose={onClose}>
      <Field label="Project">
        {(control) => <SuggestingInput control={control} value={project} choices={projects} onText={setProject} />}
      </Field>
      <Field label="Flag">
        {(control) => (
          <SuggestingInput
            control={control}
            value={feature}
            choices={rows.flatMap(({ features }) => features)}
            onText={setFeature}
          />
        )}
      </Field>
      <Button submit>Show</Button>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
    </InlineForm>
  )
}
