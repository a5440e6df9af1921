import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button'
import { Field } from '../../parts/controls/field'
import { isSame, type Json, listOf, objectOf, shown } from '../../words/json'
import { visible, visibleJson } from '../../words/visible'
import './authoring.css'
import { blankOf, controlOf, isLines, isNumber, labelOf, linesOf, optionsOf, type Schema, toSent } from './model/schema'

/** What all fields of a form share. */
export interface FormContext {
  /** The messages of the server, by the path of the value. */
  readonly errors: ReadonlyMap<string, string>
  readonly choices: (name: string) => readonly string[]
  readonly describe: (id: string) => string
}

interface ValueProps {
  readonly form: FormContext
  readonly label: string
  /** The property, for values that the flag has. */
  readonly name: string
  readonly path: string
  readonly schema: Schema
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** The control of one value, as its schema describes it. Nothing is checked here: the server does. */
export function Value(props: ValueProps) {
  const { form, label, name, path, schema, value, onChange } = props
  const error = form.errors.get(path)
  const help = schema.description
  // A number that is written otherwise, such as `1.`, stays text while it is typed.
  const type = (text: string) => onChange(String(toSent(schema, text)) === text ? toSent(schema, text) : text)
  const choices = form.choices(name)
  switch (controlOf(schema)) {
    case 'object':
      return <Properties {...props} />
    case 'list':
      return <List {...props} />
    case 'map':
      return <Entries {...props} />
    case 'switch':
      return (
        <Field label={label} help={help} error={error}>
          {(control) => (
            <input
              {...control}
              type="checkbox"
              checked={(value ?? schema.default) === true}
              onChange={({ currentTarget }) => onChange(currentTarget.checked)}
            />
          )}
        </Field>
      )
    case 'choice':
      return (
        <Field label={label} help={help} error={error ?? form.errors.get(name)}>
          {(control) => (
            <select
              {...control}
              value={shownOrBlank(value)}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            >
              {optionsOf(schema, shownOrBlank(value)).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
      )
    case 'text':
      return (
        <Suggested
          {...{ label, help, error }}
          value={shownOrBlank(value)}
          options={choices}
          describe={name === 'id' ? form.describe : undefined}
          onType={type}
          onChoose={choices.length > 0 ? type : undefined}
        />
      )
    case 'lines':
      return isLines(value) ? <Lines {...props} /> : <JsonText {...props} />
    case 'json':
      return <JsonText {...props} />
  }
}

/** What is typed, with its blank lines, is shown until the value changes otherwise. */
function Lines({ form, label, path, schema, value, onChange }: ValueProps) {
  const { description = '', items = {} } = schema
  const own = listOf(value)
  const [typed, setTyped] = useState('')
  const text = isSame(linesOf(items, typed), own) ? typed : own.map(String).join('\n')
  return (
    <Field label={label} help={`${description} One per line.`} error={form.errors.get(path) ?? errorBelow(form, path)}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          inputmode={isNumber(items) ? 'numeric' : undefined}
          value={text}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            onChange(linesOf(items, currentTarget.value))
          }}
        />
      )}
    </Field>
  )
}

function JsonText({ form, label, path, schema, value, onChange }: ValueProps) {
  return (
    <Field label={label} help={schema.description} error={form.errors.get(path) ?? errorBelow(form, path)}>
      {(control) => (
        <textarea
          {...control}
          class="mono"
          rows={8}
          spellcheck={false}
          value={typeof value === 'string' ? value : visibleJson(JSON.stringify(value, null, 2) ?? '')}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

const shownOrBlank = (value: Json): string => (value === undefined || value === null ? '' : shown(value))

/** In a text that holds more than one value, the message names the path. */
function errorBelow({ errors }: FormContext, path: string): string | undefined {
  const [found] = [...errors].filter(([one]) => one.startsWith(`${path}/`))
  return found && `${found[0].slice(path.length + 1)}: ${found[1]}`
}

function Properties({ form, label, path, schema, value, onChange }: ValueProps) {
  const object = objectOf(value)
  const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => (
    <Value
      key={name}
      {...{ form, name }}
      label={labelOf(name)}
      path={`${path}/${name}`}
      schema={one}
      value={object[name]}
      onChange={(next) => onChange({ ...object, [name]: next })}
    />
  ))
  return (
    <Group label={label} help={schema.description} error={form.errors.get(path)}>
      {fields}
    </Group>
  )
}

function List({ form, label, name, path, schema, value, onChange }: ValueProps) {
  const items = listOf(value)
  const { items: item = {} } = schema
  return (
    <Group label={label} help={schema.description} error={form.errors.get(path)}>
      {items.map((one, index) => (
        // Every control shows what it is given, so that a position is a key.
        <div key={index} class="dlg-fields">
          <Value
            {...{ form, name }}
            label={`${label} ${index + 1}`}
            path={`${path}/${index}`}
            schema={item}
            value={one}
            onChange={(next) => onChange(items.map((other, at) => (at === index ? next : other)))}
          />
          <p>
            <Button
              size="tiny"
              icon="trash"
              onClick={({ currentTarget }) => {
                focusLast(currentTarget)
                onChange(items.filter((_, at) => at !== index))
              }}
            >
              Remove {label.toLowerCase()} {index + 1}
            </Button>
          </p>
        </div>
      ))}
      <p>
        <Button size="tiny" icon="plus" onClick={() => onChange([...items, blankOf(item)])}>
          Add to {label.toLowerCase()}
        </Button>
      </p>
    </Group>
  )
}

/** Values by names that are free, such as the parameters of a strategy. */
function Entries({ form, label, path, schema, value, onChange }: ValueProps) {
  const [added, setAdded] = useState('')
  const object = objectOf(value)
  const { additionalProperties } = schema
  const item = typeof additionalProperties === 'object' ? additionalProperties : {}
  const isOff = added === '' || Object.hasOwn(object, added)
  const add = () => {
    onChange({ ...object, [added]: blankOf(item) ?? '' })
    setAdded('')
  }
  const without = (name: string) => Object.fromEntries(Object.entries(object).filter(([one]) => one !== name))
  return (
    <Group label={label} help={schema.description} error={form.errors.get(path)}>
      {Object.entries(object).map(([name, one]) => (
        <div key={name} class="with-btn">
          <Value
            {...{ form, name }}
            label={labelOf(name)}
            path={`${path}/${name}`}
            schema={item}
            value={one}
            onChange={(next) => onChange({ ...object, [name]: next })}
          />
          <Button
            kind="quiet"
            icon="trash"
            aria-label={`Remove ${name}`}
            onClick={({ currentTarget }) => {
              focusLast(currentTarget)
              onChange(without(name))
            }}
          />
        </div>
      ))}
      <div class="with-btn">
        <Field label={`Name to add to ${label.toLowerCase()}`}>
          {(control) => (
            <input
              {...control}
              class="input"
              value={added}
              onInput={({ currentTarget }) => setAdded(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || added === '') return
                event.preventDefault()
                if (!isOff) add()
              }}
            />
          )}
        </Field>
        <Button icon="plus" off={isOff} onClick={add}>
          Add
        </Button>
      </div>
    </Group>
  )
}

/** The button goes away with what it removes; the focus stays in the group. */
export function focusLast(button: HTMLElement): void {
  const buttons = button.closest('fieldset')?.querySelectorAll<HTMLElement>('button')
  buttons?.[buttons.length - 1]?.focus()
}

interface GroupProps {
  readonly label: string
  readonly help: string | undefined
  readonly error: string | undefined
  readonly children: ComponentChildren
}

function Group({ label, help, error, children }: GroupProps) {
  return (
    <fieldset class="group-of dlg-fields">
      <legend class="label">{label}</legend>
      {help && <p class="muted small">{help}</p>}
      {error && <p class="error">{error}</p>}
      {children}
    </fieldset>
  )
}

interface SuggestedProps {
  readonly label: ComponentChildren
  readonly help?: ComponentChildren
  readonly error?: string | undefined
  readonly value: string
  readonly options: readonly string[]
  /** The label of an option, if its value does not say it. */
  readonly describe?: ((option: string) => string) | undefined
  readonly onType?: (text: string) => void
  /** Called with one of the options, and with any other text when the field is left, without the blanks around it. */
  readonly onChoose?: ((text: string) => void) | undefined
}

/** A text field with suggestions: what is not among them can be typed. */
export function Suggested({ label, help, error, value, options, describe, onType, onChoose }: SuggestedProps) {
  const [text, setText] = useState(value)
  const before = useRef(value)
  const choose = (next: string) => next !== value && onChoose?.(next)
  useLayoutEffect(() => {
    // What was typed for another value is outdated.
    if (before.current !== value) setText(value)
    // Suggestions arrive after the last key.
    else if (options.includes(text)) choose(text)
    before.current = value
  }, [value, options])
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <>
          <input
            {...control}
            class="input"
            list={`${control.id}-list`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
              onType?.(currentTarget.value)
              if (options.includes(currentTarget.value)) choose(currentTarget.value)
            }}
            onChange={({ currentTarget }) => choose(currentTarget.value.trim())}
          />
          <datalist id={`${control.id}-list`}>
            {options.map((one) => (
              <option key={one} value={one}>
                {visible(describe?.(one) ?? '')}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
