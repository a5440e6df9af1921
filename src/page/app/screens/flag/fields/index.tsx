import { useId } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { MoreMenu } from '../../../parts/controls/menu'
import { Toggle } from '../../../parts/controls/toggle'
import { lazy, PartFallback } from '../../../parts/lazy'
import { Notice } from '../../../parts/messages/notice'
import { listOf } from '../../../words/json'
import { listed } from '../../../words/spans'
import { activatable } from '../model/changes'
import { type FlagEdit, undo, withOwn } from '../model/edit'
import { Conflicts, Edited, Shown } from './edited'
import { Editing, type EditingProps, errorAt, type Part, schemaOf, useEditing, useEditingOf } from './editing'
import { Strategies } from './strategies'
import { nameOf } from './strategy'
import { Variants } from './variants'
import './fields.css'

export interface FlagFieldsProps extends EditingProps, Pick<Part, 'errors' | 'conflicts'> {}

const none: EditingProps['offered'] = []

/** The controls of a flag in one environment, each for what the caller can propose; all else is shown as text. */
export function FlagFields({ errors, conflicts, ...props }: FlagFieldsProps) {
  const { edit } = props
  const editing = useEditingOf({ ...props, offered: edit.base.archived === true ? none : props.offered })
  const part = { edit, errors, conflicts }
  return (
    <Editing value={editing}>
      <div class="flag-fields stack">
        <Switch part={part} edit={edit} />
        <Strategies part={part} />
        <FlagVariants part={part} />
        <Dependencies part={part} />
        <Others part={part} others={edit.others} />
      </div>
    </Editing>
  )
}

/** The form of the only change that is edited, which has no control here. */
export function OtherFields({ errors, conflicts, ...props }: FlagFieldsProps) {
  const { edit } = props
  return (
    <Editing value={useEditingOf(props)}>
      <div class="flag-fields stack">
        {edit.others?.map((one, index) => (
          <OtherChange key={index} part={{ edit, errors, conflicts }} index={index} value={one} />
        ))}
      </div>
    </Editing>
  )
}

const Dependencies = lazy(async () => (await import('./dependencies')).Dependencies, PartFallback)
const Others = lazy(async () => (await import('./others')).Others, PartFallback)
const OtherChange = lazy(async () => (await import('./others')).OtherChange, PartFallback)

interface SwitchProps {
  readonly part: Part
  readonly edit: FlagEdit
}

/** Whether the flag is on; in its menu, what ends it. */
function Switch({ part, edit }: SwitchProps) {
  const editing = useEditing()
  const { change, place } = editing
  const { base, own } = edit
  const isOn = own.enabled === true
  const schema = schemaOf(editing, '/enabled', 'updateEnabled')
  const canArchive = schemaOf(editing, '/archived', 'archiveFeature') !== undefined
  const isArchiving = own.archived === true && base.archived !== true
  return (
    <section class="edited" aria-label="On or off">
      <div class="switch-line">
        {schema?.properties?.enabled === undefined ? (
          <Shown label="Flag">{isOn ? 'on' : 'off'}</Shown>
        ) : (
          <Edited part={part} path="/enabled" name="flag">
            <Toggle
              label={`Flag in ${place.environment}`}
              value={isOn}
              words={[`On in ${place.environment}`, `Off in ${place.environment}`]}
              onChange={(next) => change((one) => ({ ...withOwn(one, '/enabled', next), activates: undefined }))}
            />
          </Edited>
        )}
        {canArchive && !isArchiving && (
          <MoreMenu
            label="Archive the flag"
            help="In all environments: apps then evaluate it as off everywhere."
            onChoose={() => change((one) => withOwn(one, '/archived', true))}
          />
        )}
      </div>
      {errorAt(part, '/enabled') && <p class="error">{errorAt(part, '/enabled')}</p>}
      {schema?.properties?.shouldActivateDisabledStrategies && <Activation edit={edit} />}
      {isArchiving && (
        <Notice
          tone="care"
          icon="inbox"
          title="This archives the flag in all environments"
          actions={
            <Button
              icon="undo"
              onClick={({ currentTarget }) => {
                currentTarget.closest('section')?.querySelector<HTMLElement>('button')?.focus()
                change((one) => undo(one, '/archived'))
              }}
            >
              Undo archiving
            </Button>
          }
        >
          Apps then evaluate it as off, in every environment of the project. Other changes of an archived flag
          can&apos;t be applied.
        </Notice>
      )}
      <Conflicts part={part} path="/archived" name="archived" />
    </section>
  )
}

/** A flag that is switched on while all its strategies are switched off: what becomes of these. */
function Activation({ edit }: { readonly edit: FlagEdit }) {
  const { change } = useEditing()
  const name = useId()
  const strategies = activatable(edit)
  if (strategies.length === 0) return null
  const names = listed(strategies.map((one) => `“${nameOf(one)}”`))
  const choices = [
    [true, strategies.length === 1 ? 'Use it again' : 'Use them again'],
    [false, 'Leave it at that, and add the default strategy of the environment'],
  ] as const
  return (
    <fieldset class="part ask">
      <legend>
        {strategies.length === 1 ? 'The only strategy' : 'All strategies'} of the flag{' '}
        {strategies.length === 1 ? 'is' : 'are'} switched off: {names}.
      </legend>
      {choices.map(([activates, words]) => (
        <label key={words} class="check">
          <input
            type="radio"
            name={name}
            checked={(edit.activates === true) === activates}
            onChange={() => change((one) => ({ ...one, activates: activates || undefined }))}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}

function FlagVariants({ part }: { readonly part: Part }) {
  const { edit } = part
  const schema = schemaOf(useEditing(), '/variants', 'patchVariant', 'variants')
  const { variants } = edit.own
  if (schema === undefined && listOf(variants).length === 0) return null
  return (
    <section aria-labelledby="variants">
      <div class="sec-head">
        <h2 id="variants">Variants</h2>
      </div>
      <div class="panel part">
        <Variants part={part} path="/variants" value={variants} label="Variants" schema={schema} />
      </div>
    </section>
  )
}
