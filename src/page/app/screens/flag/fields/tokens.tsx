import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Field } from '../../../parts/controls/field'
import { Icon } from '../../../parts/marks/icon'
import { say } from '../../../parts/messages/status-line'
import { maxValues as firstShown } from '../../../words/fields/lists'
import { count } from '../../../words/numbers'
import { valuesOf } from '../model/values'

interface TokensProps {
  readonly label: ComponentChildren
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly values: readonly string[]
  /** Those that were there before the edit. */
  readonly before?: readonly string[] | undefined
  readonly options?: readonly string[] | undefined
  /** @defaultValue no limit */
  readonly max?: number | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** A list of values. Enter or a comma adds what is typed; a pasted list is added value by value. */
export function Tokens(props: TokensProps) {
  const { label, help, error, values, before, options = [], max, onChange } = props
  const [text, setText] = useState('')
  const [message, setMessage] = useState('')
  const [isWhole, setWhole] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const old = before && new Set(before)
  const add = (added: string, isPasted = false) => {
    setText('')
    const found = valuesOf(added, values, max ?? Number.POSITIVE_INFINITY)
    const isCut = found.values.length === values.length && added.trim() !== ''
    const next = isPasted || isCut ? found.message : ''
    setMessage(next)
    if (next !== '') say(next)
    if (found.values.length > values.length) onChange(found.values)
  }
  const remove = (value: string) => {
    input.current?.focus()
    setMessage('')
    onChange(values.filter((one) => one !== value))
  }
  const shown = isWhole ? values : values.slice(0, firstShown)
  const limit = max === undefined ? '' : `, at most ${count(max)}`
  return (
    <Field label={label} help={help ?? `Enter adds a value. Paste a list as lines or CSV${limit}.`} error={error}>
      {(control) => (
        <div class="tokens">
          {values.length > 0 && (
            <ul>
              {shown.map((value) => (
                <li key={value} class={old && !old.has(value) ? 'val add' : 'val'}>
                  <bdi>{value}</bdi>
                  <button type="button" aria-label={`Remove ${value}`} onClick={() => remove(value)}>
                    <Icon name="x" />
                  </button>
                </li>
              ))}
              {values.length > firstShown && (
                <li>
                  <Button size="tiny" onClick={() => setWhole(!isWhole)}>
                    {isWhole ? 'Show fewer' : `Show all ${count(values.length)}`}
                  </Button>
                </li>
              )}
            </ul>
          )}
          <input
            {...control}
            ref={input}
            class="input"
            list={options.length > 0 ? `${control.id}-list` : undefined}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget: { value } }) => {
              if (value.endsWith(',') || (options.includes(value) && value !== text + value.at(-1))) add(value)
              else setText(value)
            }}
            onKeyDown={(event) => {
              const last = values.at(-1)
              if (event.key === 'Enter') {
                event.preventDefault()
                add(text)
              } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last)
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text') ?? ''
              if (!/[,\t\r\n]/.test(pasted.trim())) return
              event.preventDefault()
              add(pasted, true)
            }}
            onBlur={() => text !== '' && add(text)}
          />
          {options.length > 0 && (
            <datalist id={`${control.id}-list`}>
              {options
                .filter((one) => !values.includes(one))
                .map((one) => (
                  <option key={one} value={one} />
                ))}
            </datalist>
          )}
          {message !== '' && <p class="small">{message}</p>}
        </div>
      )}
    </Field>
  )
}
