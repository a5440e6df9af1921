import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { escaped } from '../../../../../domain/content/json-pointer'
import { Button } from '../../../parts/controls/button'
import { Field, TextField } from '../../../parts/controls/field'
import { isObject, type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { percent } from '../../../words/numbers'
import { focusLast, Value } from '../../authoring/fields'
import { isEqual, valueAt } from '../../authoring/model/merge'
import { optionsOf, type Schema } from '../../authoring/model/schema'
import { type FlagEdit, undo, wasAt, withOwn } from '../model/edit'
import { payloadProblem } from '../model/payload-problem'
import {
  balanced,
  isFixed,
  shareOf,
  weightOf,
  weightsMessage,
  withoutVariant,
  withVariant,
  withWeight,
} from '../model/weights'
import { Choice, ContextFieldName } from './choice'
import { Conflicts, Removed, Shown, Was } from './edited'
import { errorAt, type Part, useEditing } from './editing'
import { selectFirst } from './rollout'

interface VariantsProps {
  readonly part: Part
  /** Of the list. */
  readonly path: string
  readonly value: Json
  readonly label: string
  /** Of the list; undefined where it cannot be edited. */
  readonly schema: Schema | undefined
  /** Of the first variant of a strategy; those of flags need none. */
  readonly stickiness?: string
}

const wordsOf = (list: Json): string =>
  listOf(list)
    .filter(isObject)
    .map((one) => `${textIn(one, 'name')} ${percent(shareOf(one.weight))}`)
    .join(', ') || 'none'

/** Variants as a table: when one share is edited, the others adjust. */
export function Variants({ part, path, value, label, schema, stickiness }: VariantsProps) {
  const { change } = useEditing()
  const element = useRef<HTMLFieldSetElement>(null)
  const added = useRef(false)
  useLayoutEffect(() => {
    if (!added.current) return
    added.current = false
    const names = element.current?.querySelectorAll<HTMLInputElement>('.variant-name input')
    names?.[names.length - 1]?.select()
  })
  const own = listOf(value).filter(isObject)
  if (schema === undefined) return own.length === 0 ? null : <Shown label={label}>{wordsOf(own)}</Shown>
  const { properties = {} } = schema.items ?? {}
  const names = new Set(own.map((one) => one.name))
  // The variants share it; where they do not, choosing one gives it to all.
  const sticky = [...new Set(own.flatMap((one) => one.stickiness ?? []))]
  const before = part.isNew ? [] : listOf(wasAt(part.edit, path)).filter(isObject)
  const removed = before.filter((one) => !names.has(one.name))
  const write = (make: (variants: readonly JsonObject[]) => readonly JsonObject[]) =>
    change((edit) => withOwn(edit, path, make(own)))
  const problem = weightsMessage(own) ?? errorAt(part, path, true)
  return (
    <div class="edited">
      <fieldset ref={element} class="part">
        <legend class={stickiness === undefined ? 'vh' : 'label'}>{label}</legend>
        {own.length > 0 && (
          <table class="grid-table variants">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Share in %</th>
                {properties.payload && <th scope="col">Payload</th>}
                <th scope="col">
                  <span class="vh">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {own.map((one, index) => (
                <Variant
                  key={index}
                  {...{ part, path, index, variants: own, value: one, properties }}
                  onWrite={(next) => write((all) => all.map((other, at) => (at === index ? next : other)))}
                  onShare={(weight) => write((all) => withWeight(all, index, weight))}
                  onRemove={() => write((all) => withoutVariant(all, index))}
                />
              ))}
            </tbody>
          </table>
        )}
        {properties.stickiness && sticky.length > 0 && (
          <ContextFieldName
            label="Stickiness"
            isSticky
            value={sticky.length === 1 ? String(sticky[0]) : ''}
            onChoose={(next) => write((all) => all.map((one) => ({ ...one, stickiness: next })))}
          />
        )}
        {properties.overrides &&
          own.map((one, index) =>
            listOf(one.overrides).length === 0 ? null : (
              <Value
                key={index}
                form={{ errors: part.errors, choices: () => [], describe: () => '' }}
                label={`Users who always get ${one.name}`}
                name="overrides"
                path={`${path}/${escaped(textIn(one, 'name'))}/overrides`}
                schema={properties.overrides ?? {}}
                value={one.overrides}
                onChange={(overrides) =>
                  write((all) => all.map((other, at) => (at === index ? { ...other, overrides } : other)))
                }
              />
            ),
          )}
        {removed.map((one) => (
          <p key={textIn(one, 'name')} class="removed">
            <Removed
              name={textIn(one, 'name')}
              onRestore={() => change((edit) => restored(edit, path, textIn(one, 'name')))}
            >
              <bdi>{textIn(one, 'name')}</bdi> {percent(shareOf(one.weight))}
            </Removed>
          </p>
        ))}
        {problem && (
          <p class="error" role="status">
            {problem}
          </p>
        )}
        <p>
          <Button
            size="tiny"
            icon="plus"
            onClick={() => {
              added.current = true
              write((all) =>
                withVariant(all, blankVariant(names, sticky.length === 1 ? String(sticky[0]) : stickiness)),
              )
            }}
          >
            Add a variant
          </Button>
        </p>
      </fieldset>
      {!part.isNew && !isEqual(withoutRows(before), withoutRows(own)) && (
        <Was name={label.toLowerCase()} words={wordsOf(before)} onUndo={() => change((edit) => undo(edit, path))} />
      )}
      <Conflicts part={part} path={path} name={label.toLowerCase()} words={wordsOf} />
    </div>
  )
}

/** What no row shows: which variants there are, and what they are besides their shares and payloads. */
function withoutRows(variants: readonly JsonObject[]): Json {
  return variants.map(({ weight, payload, ...others }) => others)
}

/** With all that a variant of a strategy must have. */
function blankVariant(names: ReadonlySet<unknown>, stickiness: string | undefined): JsonObject {
  let number = 1
  while (names.has(`variant-${number}`)) number += 1
  return { name: `variant-${number}`, weightType: 'variable', ...(stickiness !== undefined && { stickiness }) }
}

/** The others adjust to what comes back. */
function restored(edit: FlagEdit, path: string, name: string): FlagEdit {
  const next = undo(edit, `${path}/${escaped(name)}`)
  const all = listOf(valueAt(next.own, path)).filter(isObject)
  const index = all.findIndex((one) => one.name === name)
  return withOwn(next, path, balanced(all, index))
}

interface VariantProps {
  readonly part: Part
  readonly path: string
  readonly index: number
  readonly variants: readonly JsonObject[]
  readonly value: JsonObject
  readonly properties: Readonly<Record<string, Schema>>
  readonly onWrite: (next: JsonObject) => void
  readonly onShare: (weight: number) => void
  readonly onRemove: () => void
}

function Variant({ part, path, index, variants, value, properties, onWrite, onShare, onRemove }: VariantProps) {
  const name = textIn(value, 'name')
  const at = `${path}/${escaped(name)}`
  const before = part.isNew ? undefined : wasAt(part.edit, at)
  const isTwice = variants.some((one, other) => other < index && one.name === name)
  const was = objectOf(before)
  return (
    <tr>
      <td class="variant-name">
        <TextField
          label="Name"
          value={name}
          error={isTwice ? 'Another variant has this name.' : (errorAt(part, `${at}/name`) ?? errorAt(part, at, true))}
          onText={(next) => onWrite({ ...value, name: next })}
        />
      </td>
      <td class="edited">
        <Share
          label={`Share of ${name}`}
          value={value.weight}
          error={errorAt(part, `${at}/weight`)}
          onShare={onShare}
        />
        {properties.weightType && (
          <label class="check">
            <input
              type="checkbox"
              checked={isFixed(value)}
              onChange={({ currentTarget }) =>
                onWrite({ ...value, weightType: currentTarget.checked ? 'fix' : 'variable' })
              }
            />
            <span>
              Fixed <span class="vh">share of {name}</span>
            </span>
          </label>
        )}
        {before !== undefined && was.weight !== value.weight && (
          <Was
            name={`share of ${name}`}
            words={percent(shareOf(was.weight))}
            onUndo={() => onShare(Number(was.weight ?? 0))}
          />
        )}
      </td>
      {properties.payload && (
        <td class="edited">
          <Payload
            name={name}
            schema={properties.payload}
            value={objectOf(value.payload)}
            error={errorAt(part, `${at}/payload`)}
            onWrite={(payload) => {
              const { payload: _, ...rest } = value
              onWrite(payload === undefined ? rest : { ...rest, payload })
            }}
          />
          {before !== undefined && !isEqual(was.payload, value.payload) && (
            <Was
              name={`payload of ${name}`}
              words={textIn(was.payload, 'value') || 'none'}
              onUndo={() => {
                const { payload: _, ...rest } = value
                onWrite(was.payload === undefined ? rest : { ...rest, payload: was.payload })
              }}
            />
          )}
        </td>
      )}
      <td>
        <Button
          kind="quiet"
          icon="trash"
          class="icon-btn"
          aria-label={`Remove ${name}`}
          onClick={({ currentTarget }) => {
            focusLast(currentTarget)
            onRemove()
          }}
        />
      </td>
    </tr>
  )
}

interface ShareProps {
  readonly label: string
  readonly value: Json
  readonly error: string | undefined
  readonly onShare: (weight: number) => void
}

/** A percentage with one decimal. It is written as soon as it is one. */
function Share({ label, value, error, onShare }: ShareProps) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && weightOf(typed) === undefined
  return (
    <Field label={label} error={isWrong ? 'A share from 0 to 100, such as 33.3.' : error}>
      {(control) => (
        <input
          {...control}
          class="input"
          inputmode="decimal"
          autocomplete="off"
          value={typed ?? String(shareOf(value))}
          onMouseDown={selectFirst}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            const weight = weightOf(currentTarget.value)
            if (weight !== undefined) onShare(weight)
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  )
}

interface PayloadProps {
  readonly name: string
  readonly schema: Schema
  readonly value: JsonObject
  readonly error: string | undefined
  readonly onWrite: (payload: JsonObject | undefined) => void
}

const typeWords: Readonly<Record<string, string>> = {
  '': 'None',
  json: 'JSON',
  csv: 'CSV',
  string: 'Text',
  number: 'Number',
}

/** A payload is checked while it is typed. */
function Payload({ name, schema, value, error, onWrite }: PayloadProps) {
  const type = textIn(value, 'type')
  const text = textIn(value, 'value')
  const isLong = type === 'json' || text.includes('\n')
  const types = optionsOf(schema.properties?.type ?? {}, type)
  return (
    <div class="payload">
      <Choice
        label={`Payload of ${name}`}
        value={type}
        options={types}
        describe={(one) => typeWords[one] ?? one}
        onChoose={(next) => onWrite(next === '' ? undefined : { ...value, type: next, value: text })}
      />
      {type !== '' && (
        <Field
          label={`Value of the payload of ${name}`}
          error={(text === '' ? undefined : payloadProblem(type, text)) ?? error}
        >
          {(control) => {
            const input = {
              ...control,
              value: text,
              spellcheck: false,
              onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
                onWrite({ ...value, value: currentTarget.value }),
            }
            return isLong ? <textarea class="mono" rows={3} {...input} /> : <input class="input" {...input} />
          }}
        </Field>
      )}
    </div>
  )
}
