import type { ComponentChildren } from 'preact'
import { Field } from '../../../parts/controls/field'
import { visible } from '../../../words/visible'
import { Suggested } from '../../authoring/fields'
import { useEditing } from './editing'

interface ChoiceProps {
  readonly label: ComponentChildren
  readonly error?: string | undefined
  readonly value: string
  readonly options: readonly string[]
  /** An option in words. */
  readonly describe?: (option: string) => string
  readonly groupOf?: (option: string) => string
  readonly onChoose: (option: string) => void
}

/** One of some values; also the current one, which need not be among them. */
export function Choice({ label, error, value, options, describe = String, groupOf, onChoose }: ChoiceProps) {
  const all = [...new Set([...options, value])]
  const toOption = (one: string) => (
    <option key={one} value={one}>
      {visible(describe(one))}
    </option>
  )
  return (
    <Field label={label} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {groupOf
            ? [...new Set(all.map(groupOf))].map((group) => (
                <optgroup key={group} label={group}>
                  {all.filter((one) => groupOf(one) === group).map(toOption)}
                </optgroup>
              ))
            : all.map(toOption)}
        </select>
      )}
    </Field>
  )
}

interface ContextFieldProps extends Omit<ChoiceProps, 'options' | 'describe' | 'groupOf'> {
  /** Only fields that a rollout can be sticky to. */
  readonly isSticky?: boolean
}

/** The name of a context field. Where the host app does not return them, it is typed. */
export function ContextFieldName({ isSticky = false, ...choice }: ContextFieldProps) {
  const { contextFields } = useEditing()
  const always = isSticky ? ['default', 'random'] : []
  if (contextFields === null) {
    return <Suggested {...choice} options={[...always, 'userId', 'sessionId', ...(isSticky ? [] : usual)]} />
  }
  const known = contextFields.filter(({ stickiness }) => stickiness || !isSticky).map(({ name }) => name)
  return <Choice {...choice} options={[...always, ...known]} />
}

const usual = ['appName', 'environment', 'currentTime']
