import { useState } from 'preact/hooks'
import { parsePercent } from '../../../../../domain/content/percentage'
import { Field } from '../../../parts/controls/field'
import { impliedShare, shareWords } from '../../../words/fields/parameters'
import { type Json, shown } from '../../../words/json'
import { textOf } from '../../../words/spans'
import { withOwn } from '../model/edit'
import { Edited } from './edited'
import { errorAt, type Part, useEditing } from './editing'

interface RolloutProps {
  readonly part: Part
  /** Of the parameter. */
  readonly path: string
  readonly value: Json
}

export const rolloutWords = (value: Json): string => textOf(value === undefined ? impliedShare : shareWords(value))

/** A percentage as a slider and as a number. A number is written as soon as it is one. */
export function Rollout({ part, path, value = '100' }: RolloutProps) {
  const { change } = useEditing()
  const [typed, setTyped] = useState<string>()
  const write = (text: string) => change((edit) => withOwn(edit, path, text))
  const text = typed ?? shown(value)
  const isWrong = typed !== undefined && parsePercent(typed.trim()) === null
  const percent = parsePercent(value)
  return (
    <Edited part={part} path={path} name="rollout" words={rolloutWords} class="rollout">
      <Field label="Rollout" error={isWrong ? 'A whole number from 0 to 100.' : errorAt(part, path)}>
        {(control) => (
          <div class="slider">
            <input
              type="range"
              min={0}
              max={100}
              aria-label="Rollout, as a slider"
              aria-valuetext={rolloutWords(value)}
              value={percent ?? 0}
              onInput={({ currentTarget }) => write(currentTarget.value)}
            />
            <input
              {...control}
              class="input"
              inputmode="numeric"
              autocomplete="off"
              value={text}
              onMouseDown={selectFirst}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onInput={({ currentTarget: { value } }) => {
                setTyped(value)
                if (parsePercent(value.trim()) !== null) write(value.trim())
              }}
              onBlur={() => setTyped(undefined)}
            />
            <span aria-hidden="true">%</span>
          </div>
        )}
      </Field>
    </Edited>
  )
}

/** The first press selects what is there, so that typing replaces it; a further one sets the caret. */
export function selectFirst(event: MouseEvent): void {
  const input = event.currentTarget as HTMLInputElement
  if (input === document.activeElement) return
  event.preventDefault()
  input.focus()
}
