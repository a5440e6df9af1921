import { badData, echo } from '../core/problems'
import { parseDigits, type QueryReader } from './query-reader'

/** The description of a parameter in `openapi.json`. */
export interface Parameter {
  readonly description: string
  readonly schema: object
}

export interface QueryParameter<Value> extends Parameter {
  /** @throws BadDataError that names the parameter and the expected value */
  readonly read: (query: QueryReader, name: string) => Value
}

type Table = Readonly<Record<string, QueryParameter<unknown>>>

type Values<Parameters extends Table> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends QueryParameter<infer Value> ? Value : never
}

export function readParameters<Parameters extends Table>(table: Parameters, query: QueryReader): Values<Parameters> {
  const read = Object.entries(table).map(([name, parameter]) => [name, parameter.read(query, name)])
  return Object.fromEntries(read)
}

export function describeParameters(table: Table): Readonly<Record<string, Parameter>> {
  const described = Object.entries(table).map(([name, { description, schema }]) => [name, { description, schema }])
  return Object.fromEntries(described)
}

interface Rule<Value, Absent> {
  readonly description: string
  /** By default, any text. */
  readonly schema?: object
  /** Completes the sentence "the parameter …". */
  readonly expected: string
  /** The value of an absent parameter. */
  readonly absent?: Absent
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => Value | undefined
}

/** A parameter that may be given once. */
export function singleParameter<Value, Absent = undefined>(rule: Rule<Value, Absent>): QueryParameter<Value | Absent> {
  const { description, schema = { type: 'string' }, expected, absent, parse } = rule
  return {
    description,
    schema,
    read(query, name) {
      const text = query.one(name)
      if (text === undefined) return absent as Absent
      const value = parse(text)
      if (value !== undefined) return value
      throw badData([{ path: `/query/${name}`, message: `${expected}, got ${echo(text)}` }])
    },
  }
}

export function text(description: string): QueryParameter<string | undefined> {
  return { description, schema: { type: 'string' }, read: (query, name) => query.one(name) }
}

/** Texts, one per parameter of the same name. */
export function texts(description: string): QueryParameter<string[]> {
  const schema = { type: 'array', items: { type: 'string' } }
  return { description, schema, read: (query, name) => query.all(name) }
}

export function oneOf<Value extends string, Absent>(
  description: string,
  values: readonly Value[],
  absent: Absent,
): QueryParameter<Value | Absent> {
  return singleParameter({
    description,
    schema: { type: 'string', enum: values, ...(typeof absent === 'string' && { default: absent }) },
    expected: `must be ${values.join(' or ')}`,
    absent,
    parse: (given) => values.find((value) => value === given),
  })
}

interface Bounds {
  readonly minimum: number
  readonly maximum?: number
  readonly default: number
}

export function wholeNumber(description: string, bounds: Bounds): QueryParameter<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds
  return singleParameter({
    description,
    schema: { type: 'integer', ...bounds },
    expected: `must be a whole number from ${minimum} to ${maximum}`,
    absent: bounds.default,
    parse(given) {
      const number = parseDigits(given)
      return number !== undefined && number >= minimum && number <= maximum ? number : undefined
    },
  })
}

/** A whole number that counts as absent when it is malformed or out of its bounds. */
export function lenientNumber(description: string, bounds: Bounds): QueryParameter<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds
  return {
    description,
    schema: { type: 'integer', ...bounds },
    read(query, name) {
      const number = Number(query.one(name))
      const fits = Number.isSafeInteger(number) && number >= minimum && number <= maximum
      // Adding 0 turns -0 into 0.
      return fits ? number + 0 : bounds.default
    },
  }
}
