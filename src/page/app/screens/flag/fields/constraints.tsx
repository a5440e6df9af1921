import { useLayoutEffect, useRef } from 'preact/hooks'
import { comparedProperty } from '../../../../../domain/content/operators'
import { RichText } from '../../../parts/changes/rich-text'
import { Button } from '../../../parts/controls/button'
import { TextField } from '../../../parts/controls/field'
import { capitalized, conditionWords, operatorWords, pairConstraints } from '../../../words/fields/constraints'
import { isObject, type Json, type JsonObject, listOf, textIn } from '../../../words/json'
import { textOf } from '../../../words/spans'
import { focusLast } from '../../authoring/fields'
import { isEqual } from '../../authoring/model/merge'
import { optionsOf, type Schema } from '../../authoring/model/schema'
import { wasAt, withOwn } from '../model/edit'
import { maxValues } from '../model/values'
import { Choice, ContextFieldName } from './choice'
import { Conflicts, Removed, Shown, Was } from './edited'
import { errorAt, type Part, useEditing } from './editing'
import { Tokens } from './tokens'

interface ConstraintsProps {
  readonly part: Part
  /** Of the list. */
  readonly path: string
  readonly value: Json
  /** The schema of the list; undefined where it cannot be edited. */
  readonly schema: Schema | undefined
}

const wordsOf = (constraint: JsonObject): string =>
  `${textIn(constraint, 'contextName')} ${textOf(conditionWords(constraint))}`

/** What a constraint was, without what is still the same. */
function wasWords(old: JsonObject, now: JsonObject): string {
  if (old.contextName !== now.contextName) return wordsOf(old)
  const words = textOf(conditionWords(old))
  const same = operatorWords(now)
  return keyOf(old) === keyOf(now) && words.startsWith(same) ? words.slice(same.length).trim() : words
}

/** Conditions that must all be true, each in a row; removed ones stay in sight. */
export function Constraints({ part, path, value, schema }: ConstraintsProps) {
  const { change, contextFields } = useEditing()
  const element = useRef<HTMLFieldSetElement>(null)
  const added = useRef(false)
  const own = listOf(value).filter(isObject)
  useLayoutEffect(() => {
    if (!added.current) return
    added.current = false
    const rows = element.current?.querySelectorAll<HTMLElement>('.constraint')
    rows?.[rows.length - 1]?.querySelector<HTMLElement>('select, input')?.focus()
  })
  const pairs = pairConstraints(part.isNew ? [] : wasAt(part.edit, path), own)
  const before = new Map(pairs.flatMap(([old, next]) => (old && next ? [[next, old] as const] : [])))
  const removed = pairs.flatMap(([old, next]) => (old && !next ? [old] : []))
  if (schema === undefined) {
    return own.length === 0 ? null : (
      <Shown label="Only users">
        {own.map((one, index) => (
          <p key={index}>
            whose <bdi>{textIn(one, 'contextName')}</bdi> <RichText words={conditionWords(one)} />
          </p>
        ))}
      </Shown>
    )
  }
  const write = (next: readonly JsonObject[]) => change((edit) => withOwn(edit, path, next))
  const replace = (index: number, next: JsonObject) => write(own.map((one, at) => (at === index ? next : one)))
  return (
    <fieldset ref={element} class={`part edited ${own.length + removed.length === 0 ? 'none' : ''}`}>
      <legend class="label">Only users whose…</legend>
      {errorAt(part, path, true) && <p class="error">{errorAt(part, path, true)}</p>}
      {own.map((one, index) => {
        const old = before.get(one)
        const isEdited = old !== undefined && !isEqual({ constraints: [old] }, { constraints: [one] })
        return (
          <div key={index} class="constraint edited">
            <Constraint
              part={part}
              path={`${path}/${index}`}
              schema={schema.items ?? {}}
              value={one}
              before={part.isNew ? undefined : (old ?? {})}
              onChange={(next) => replace(index, next)}
            />
            <Button
              kind="quiet"
              icon="trash"
              class="icon-btn"
              aria-label={`Remove the constraint ${wordsOf(one)}`}
              onClick={({ currentTarget }) => {
                focusLast(currentTarget)
                write(own.filter((other) => other !== one))
              }}
            />
            {isEdited && (
              <Was
                name={`constraint of ${textIn(one, 'contextName')}`}
                words={wasWords(old, one)}
                onUndo={() => replace(index, old)}
              />
            )}
          </div>
        )
      })}
      {removed.map((one, index) => (
        <p key={index} class="removed">
          <Removed name={`the constraint ${wordsOf(one)}`} onRestore={() => write([...own, one])}>
            <bdi>{wordsOf(one)}</bdi>
          </Removed>
        </p>
      ))}
      <Conflicts
        part={part}
        path={path}
        name="constraints"
        words={(list) => listOf(list).filter(isObject).map(wordsOf).join('; ') || 'none'}
      />
      <p>
        <Button
          size="tiny"
          icon="plus"
          onClick={() => {
            added.current = true
            const contextName = contextFields?.[0]?.name ?? 'userId'
            write([...own, { contextName, operator: 'IN', values: [] }])
          }}
        >
          Add a constraint
        </Button>
      </p>
    </fieldset>
  )
}

interface ConstraintProps {
  readonly part: Part
  readonly path: string
  readonly schema: Schema
  readonly value: JsonObject
  readonly before: JsonObject | undefined
  readonly onChange: (next: JsonObject) => void
}

function Constraint({ part, path, schema, value, before, onChange }: ConstraintProps) {
  const { contextFields } = useEditing()
  const { properties = {} } = schema
  const contextName = textIn(value, 'contextName')
  const operator = textIn(value, 'operator')
  const options = contextFields?.find(({ name }) => name === contextName)?.legalValues ?? []
  const isList = comparedProperty(operator) !== 'value'
  const words = capitalized(contextName)
  const isText = /^(?:STR_|REGEX)/.test(operator) || value.caseInsensitive === true
  return (
    <div class="condition">
      <ContextFieldName
        label="Field"
        error={errorAt(part, `${path}/contextName`)}
        value={contextName}
        onChoose={(next) => onChange({ ...value, contextName: next })}
      />
      <Choice
        label={
          <>
            Comparison of <bdi>{contextName}</bdi>
          </>
        }
        error={errorAt(part, `${path}/operator`) ?? errorAt(part, `${path}/inverted`) ?? errorAt(part, path, true)}
        value={keyOf(value)}
        options={operatorKeys(properties, value)}
        describe={(key) => operatorWords(ofKey(key))}
        groupOf={groupOf}
        onChoose={(key) => onChange(compared(value, key))}
      />
      {isList ? (
        <Tokens
          label={
            <>
              Values of <bdi>{contextName}</bdi>
            </>
          }
          error={errorAt(part, `${path}/values`)}
          values={listOf(value.values).map(String)}
          before={before && listOf(before.values).map(String)}
          options={options}
          max={maxValues}
          onChange={(values) => onChange({ ...value, values })}
        />
      ) : (
        <TextField
          label={`Value of ${contextName}`}
          error={errorAt(part, `${path}/value`)}
          help={examples[operator.split('_')[0] ?? '']}
          value={textIn(value, 'value')}
          onText={(next) => onChange({ ...value, value: next })}
        />
      )}
      {isText && properties.caseInsensitive !== undefined && (
        <label class="check">
          <input
            type="checkbox"
            checked={value.caseInsensitive === true}
            onChange={({ currentTarget }) => onChange({ ...value, caseInsensitive: currentTarget.checked })}
          />
          <span>
            Ignore case{' '}
            <span class="vh">
              of <bdi>{words}</bdi>
            </span>
          </span>
        </label>
      )}
    </div>
  )
}

const examples: Readonly<Record<string, string>> = {
  NUM: 'A number, such as 18.',
  DATE: 'A time, such as 2030-01-31T12:00:00Z.',
  SEMVER: 'A version, such as 1.2.3.',
  REGEX: 'A regular expression (RE2).',
}

const groups: Readonly<Record<string, string>> = {
  IN: 'List',
  NOT: 'List',
  STR: 'Text',
  NUM: 'Number',
  DATE: 'Time',
  SEMVER: 'Version',
}

const groupOf = (key: string): string => groups[key.replace('!', '').split('_')[0] ?? ''] ?? 'Other'

/** An operator, with `!` where it is inverted. */
const keyOf = (constraint: JsonObject): string =>
  `${constraint.inverted === true ? '!' : ''}${textIn(constraint, 'operator')}`

const ofKey = (key: string): JsonObject => ({ operator: key.replace('!', ''), inverted: key.startsWith('!') })

/** Each operator, then inverted ones that no other operator stands for. */
function operatorKeys({ operator = {}, inverted }: Readonly<Record<string, Schema>>, current: JsonObject): string[] {
  const plain = optionsOf(operator, textIn(current, 'operator')).filter((one) => one !== '')
  const words = new Set(plain.map((key) => operatorWords(ofKey(key))))
  const others = plain
    .map((key) => `!${key}`)
    .filter((key) => inverted !== undefined && key !== '!REGEX' && !words.has(operatorWords(ofKey(key))))
  return [...plain, ...others]
}

/** The constraint with another operator. What it compares with goes along where it can. */
function compared(constraint: JsonObject, key: string): JsonObject {
  const { operator, inverted } = ofKey(key)
  const { values, value, inverted: wasInverted, ...others } = constraint
  const list = listOf(values)
  const isInverted = inverted === true || wasInverted !== undefined
  const next = { ...others, operator, ...(isInverted && { inverted }) }
  if (comparedProperty(String(operator)) === 'value') return { ...next, value: value ?? list[0] ?? '' }
  return { ...next, values: list.length > 0 || !value ? list : [value] }
}
