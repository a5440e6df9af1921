import { percentages } from '../../../../../domain/content/reach'
import { TextField } from '../../../parts/controls/field'
import { labelOf } from '../../../words/fields/labels'
import { splitList } from '../../../words/fields/lists'
import { listParameters } from '../../../words/fields/parameters'
import { type Json, type JsonObject, objectOf, shown } from '../../../words/json'
import { Value } from '../../authoring/fields'
import type { Schema } from '../../authoring/model/schema'
import { wasAt, withOwn } from '../model/edit'
import { ContextFieldName } from './choice'
import { Edited, Shown } from './edited'
import { errorAt, type Part, useEditing } from './editing'
import { Rollout, rolloutWords } from './rollout'
import { Tokens } from './tokens'

interface ParametersProps {
  readonly part: Part
  /** Of the parameters. */
  readonly path: string
  readonly names: readonly string[]
  readonly value: JsonObject
  /** Undefined where they cannot be edited. */
  readonly schema: Schema | undefined
}

/** The parameters with these names, each with its own control. */
export function Parameters({ part, path, names, value, schema }: ParametersProps) {
  return (
    <>
      {names.map((name) => {
        const own = { part, path: `${path}/${name}`, name, value: value[name] }
        return isOffered(schema, name) ? <Parameter key={name} {...own} /> : <ShownParameter key={name} {...own} />
      })}
    </>
  )
}

/** Whether the schema has the parameter; most have any. */
export function isOffered(schema: Schema | undefined, name: string): boolean {
  if (schema === undefined) return false
  return schema.properties?.[name] !== undefined || schema.additionalProperties !== false
}

interface ParameterProps {
  readonly part: Part
  readonly path: string
  readonly name: string
  readonly value: Json
}

const isPercentageName = (name: string): boolean => percentages.has(name)

function ShownParameter({ name, value }: ParameterProps) {
  if (isPercentageName(name)) return <Shown label="Rollout">{rolloutWords(value)}</Shown>
  return value === undefined || value === '' ? null : <Shown label={labelOf(name)}>{shown(value)}</Shown>
}

function Parameter({ part, path, name, value }: ParameterProps) {
  const { change } = useEditing()
  const write = (next: string) => change((edit) => withOwn(edit, path, next))
  const field = { label: labelOf(name), error: errorAt(part, path) }
  const text = value === undefined || value === null ? '' : shown(value)
  if (isPercentageName(name)) return <Rollout {...{ part, path, value }} />
  return (
    <Edited part={part} path={path} name={labelOf(name).toLowerCase()}>
      {listParameters.has(name) ? (
        <Tokens
          {...field}
          values={splitList(value) ?? []}
          before={part.isNew ? undefined : (splitList(wasAt(part.edit, path)) ?? [])}
          onChange={(values) => write(values.join(','))}
        />
      ) : name === 'stickiness' ? (
        <ContextFieldName {...field} isSticky value={text} onChoose={write} />
      ) : (
        <TextField {...field} value={text} onText={write} />
      )}
    </Edited>
  )
}

interface OtherParametersProps extends Omit<ParametersProps, 'names' | 'schema'> {
  readonly schema: Schema
  /** Those that have controls of their own. */
  readonly except: readonly string[]
}

/** The parameters of a kind that only the host knows: the form of the schema. */
export function OtherParameters({ part, path, value, schema, except }: OtherParametersProps) {
  const { change } = useEditing()
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !except.includes(name)))
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => except.includes(name)))
  return (
    <Edited part={part} path={path} name="parameters">
      <Value
        form={{ errors: part.errors, choices: () => [], describe: () => '' }}
        label="Parameters"
        name="parameters"
        path={path}
        schema={schema}
        value={others}
        onChange={(next) => change((edit) => withOwn(edit, path, { ...own, ...objectOf(next) }))}
      />
    </Edited>
  )
}
