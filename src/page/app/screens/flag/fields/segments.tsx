import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import { segmentWords } from '../../../words/fields/labels'
import { type Json, listOf } from '../../../words/json'
import { Suggested } from '../../authoring/fields'
import { useSegments } from '../../authoring/use-found'
import { wasAt, withOwn } from '../model/edit'
import { Edited, Shown } from './edited'
import { errorAt, type Part, useEditing } from './editing'

interface SegmentsProps {
  readonly part: Part
  readonly path: string
  readonly value: Json
  readonly canEdit: boolean
}

/** The segments of a strategy by their names, with a search for more. */
export function Segments({ part, path, value, canEdit }: SegmentsProps) {
  const { change, segmentNames, nameSegment, place } = useEditing()
  const [typed, setTyped] = useState('')
  const [isAdding, setAdding] = useState(false)
  const found = useSegments(place, typed)
  const element = useRef<HTMLFieldSetElement>(null)
  const own = listOf(value)
  const before = listOf(part.isNew ? undefined : wasAt(part.edit, path))
  const nameOf = (id: Json) => segmentNames[String(id)] ?? segmentWords(id)
  const words = (list: Json) => listOf(list).map(nameOf).join(', ') || 'none'
  const label = own.length > 1 ? 'In all of the segments' : 'In the segment'
  if (!canEdit) return own.length === 0 ? null : <Shown label={label}>{words(own)}</Shown>
  const write = (next: readonly Json[]) => change((edit) => withOwn(edit, path, next))
  const focusFirst = () => element.current?.querySelector<HTMLElement>('input, button')?.focus()
  const add = (name: string) => {
    const segment = found.find((one) => one.name === name)
    const id = segment?.id ?? (/^\d+$/.test(name) ? Number(name) : undefined)
    if (id === undefined || own.includes(id)) return
    if (segment) nameSegment(segment)
    setAdding(false)
    setTyped('')
    write([...own, id])
    focusFirst()
  }
  return (
    <Edited part={part} path={path} name="segments" words={words} class="of-segments">
      <fieldset ref={element} class={`part ${own.length === 0 && !isAdding ? 'none' : ''}`}>
        <legend class="label">{label}</legend>
        {errorAt(part, path) && <p class="error">{errorAt(part, path)}</p>}
        {own.length > 0 && (
          <ul class="tokens">
            {own.map((id) => (
              <li key={String(id)} class={part.isNew || before.includes(id) ? 'val' : 'val add'}>
                <bdi>{nameOf(id)}</bdi>
                <button
                  type="button"
                  aria-label={`Remove segment ${nameOf(id)}`}
                  onClick={({ currentTarget }) => {
                    const buttons = element.current?.querySelectorAll('button')
                    const last = buttons?.[buttons.length - 1]
                    if (last !== currentTarget) last?.focus()
                    write(own.filter((one) => one !== id))
                  }}
                >
                  <Icon name="x" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {isAdding && (
          <Suggested
            label="Name of the segment"
            value=""
            options={found.map(({ name }) => name)}
            onType={setTyped}
            onChoose={add}
          />
        )}
        <p>
          <Button
            size="tiny"
            icon={isAdding ? 'x' : 'plus'}
            aria-expanded={isAdding}
            onClick={() => {
              setAdding(!isAdding)
              setTyped('')
            }}
          >
            {isAdding ? 'Add none' : 'Add a segment'}
          </Button>
        </p>
      </fieldset>
    </Edited>
  )
}
