import { useRef, useState } from 'preact/hooks'
import { escaped } from '../../../../../domain/content/json-pointer'
import { Button } from '../../../parts/controls/button'
import { type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { Suggested } from '../../authoring/fields'
import { useFlagNames } from '../../authoring/use-found'
import { undo, wasAt, withOwn } from '../model/edit'
import { Choice } from './choice'
import { Conflicts, Edited, Removed, Shown } from './edited'
import { errorAt, type Part, schemaOf, useEditing, withPart } from './editing'
import { Tokens } from './tokens'

const path = '/dependencies'

type Condition = 'on' | 'off' | 'variants'

function conditionOf(dependency: JsonObject): Condition {
  if (dependency.enabled === false) return 'off'
  return Array.isArray(dependency.variants) && dependency.variants.length > 0 ? 'variants' : 'on'
}

const conditions: Readonly<Record<Condition, string>> = {
  on: 'is on',
  off: 'is off',
  variants: 'is on, with one of these variants',
}

function wordsOf(dependency: Json): string {
  if (dependency === undefined) return 'not there'
  const one = objectOf(dependency)
  const condition = conditionOf(one)
  return condition === 'variants' ? `is on, with ${listOf(one.variants).join(' or ')}` : conditions[condition]
}

/** The flags that this one depends on; removed ones stay in sight. */
export function Dependencies({ part }: { readonly part: Part }) {
  const editing = useEditing()
  const { change, place } = editing
  const [typed, setTyped] = useState('')
  const [round, setRound] = useState(0)
  const found = useFlagNames(place, typed)
  const element = useRef<HTMLElement>(null)
  const { base, own } = part.edit
  const parents = listOf(own.dependencies).map(objectOf)
  const before = listOf(base.dependencies).map(objectOf)
  const removed = before.filter((one) => !parents.some(({ feature }) => feature === one.feature))
  const addSchema = schemaOf(editing, path, 'addDependency')
  const canRemove = schemaOf(editing, path, 'deleteDependency') !== undefined
  if (!addSchema && parents.length + removed.length === 0) return null
  const isThere = (name: string) => parents.some(({ feature }) => feature === name)
  const add = (feature: string) => {
    if (feature === '' || feature === place.feature || isThere(feature)) return
    change((edit) => withPart(edit, 'dependencies', (all) => [...listOf(all), { feature, enabled: true }]))
    setTyped('')
    // The field for the next one is empty.
    setRound(round + 1)
  }
  const remove = (feature: string | undefined) =>
    change((edit) =>
      withPart(edit, 'dependencies', (all) =>
        listOf(all).filter((one) => feature !== undefined && textIn(one, 'feature') !== feature),
      ),
    )
  return (
    <section ref={element} aria-labelledby="dependencies">
      <div class="sec-head">
        <h2 id="dependencies">Depends on</h2>
        <span class="muted small">The flag is on only while its parents are in these states.</span>
      </div>
      <fieldset class="panel part" aria-labelledby="dependencies">
        {errorAt(part, path, true) && <p class="error">{errorAt(part, path, true)}</p>}
        <Conflicts
          part={{ ...part, conflicts: part.conflicts.filter((one) => one.path === path) }}
          path={path}
          name="parents"
        />
        {parents.map((one) => {
          const name = textIn(one, 'feature')
          const isNew = !before.some(({ feature }) => feature === name)
          return (
            <Parent
              key={name}
              part={{ ...part, isNew }}
              value={one}
              canEdit={addSchema !== undefined}
              canNameVariants={addSchema?.properties?.variants !== undefined}
              onRemove={isNew || canRemove ? () => remove(name) : undefined}
            />
          )
        })}
        {removed.map(({ feature, ...one }) => (
          <div key={String(feature)} class="removed">
            <Removed
              name={String(feature)}
              onRestore={() => change((edit) => undo(edit, `${path}/${escaped(String(feature))}`))}
            >
              <bdi class="flag">{String(feature)}</bdi> {wordsOf(one)}
            </Removed>
            <Conflicts
              part={part}
              path={`${path}/${escaped(String(feature))}`}
              name={String(feature)}
              words={wordsOf}
            />
          </div>
        ))}
        {addSchema && (
          <Suggested
            key={round}
            label="Add a parent"
            help="The name of a flag of this project."
            value=""
            options={found.filter((name) => name !== place.feature && !isThere(name))}
            onType={setTyped}
            onChoose={add}
          />
        )}
        {canRemove && parents.length > 1 && (
          <p>
            <Button
              size="tiny"
              icon="trash"
              onClick={() => {
                element.current?.querySelector('input')?.focus()
                remove(undefined)
              }}
            >
              Remove all parents
            </Button>
          </p>
        )}
      </fieldset>
    </section>
  )
}

interface ParentProps {
  readonly part: Part
  readonly value: JsonObject
  readonly canEdit: boolean
  readonly canNameVariants: boolean
  readonly onRemove: (() => void) | undefined
}

function Parent({ part, value, canEdit, canNameVariants, onRemove }: ParentProps) {
  const { change } = useEditing()
  const name = textIn(value, 'feature')
  const at = `${path}/${escaped(name)}`
  const [isNaming, setNaming] = useState(false)
  const condition = isNaming && value.enabled !== false ? 'variants' : conditionOf(value)
  const write = (next: JsonObject) => change((edit) => withOwn(edit, at, next))
  const options = (['on', 'off', 'variants'] as const).filter((one) => one !== 'variants' || canNameVariants)
  if (!canEdit) return <Shown label={name}>{wordsOf(value)}</Shown>
  return (
    <Edited part={part} path={at} name={name} words={wordsOf} class="parent">
      <div class="with-btn">
        <Choice
          label={<bdi class="flag">{name}</bdi>}
          error={errorAt(part, at)}
          value={condition}
          options={options}
          describe={(one) => conditions[one as Condition]}
          onChoose={(next) => {
            setNaming(next === 'variants')
            const { variants, ...others } = value
            const keeps = next === 'variants' && variants !== undefined
            write({ ...others, enabled: next !== 'off', ...(keeps && { variants }) })
          }}
        />
        {onRemove && (
          <Button
            kind="quiet"
            icon="trash"
            class="icon-btn"
            aria-label={`Remove ${name}`}
            onClick={({ currentTarget }) => {
              currentTarget.closest('section')?.querySelector<HTMLElement>('.panel > .field input')?.focus()
              onRemove()
            }}
          />
        )}
      </div>
      {condition === 'variants' && (
        <Tokens
          label={`Variants of ${name}`}
          values={listOf(value.variants).map(String)}
          before={part.isNew ? undefined : listOf(objectOf(wasAt(part.edit, at)).variants).map(String)}
          onChange={(variants) => write({ ...value, enabled: true, variants })}
        />
      )}
    </Edited>
  )
}
