import { types } from 'node:util'
import type { Logger } from '../ports/logger'

/** The value `false` of the option `logger`. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** The default of the option `logger`: warnings and errors, one line each, with the stacks of `err` and its causes. */
export const consoleLogger: Logger = {
  ...silentLogger,
  warn: (facts, message) => console.warn(lineOf(facts, message)),
  error: (facts, message) => console.error(lineOf(facts, message)),
}

function lineOf({ err, ...facts }: { readonly err?: unknown }, message: string): string {
  // A message can quote what a hook or a caller sent: a line break in it would forge a line of the log.
  const line = `express-change-requests: ${message.replace(/\p{Cc}+/gu, ' ')}`
  const details = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`
  return `${line}${details}${err === undefined ? '' : `\n${errorText(err)}`}`
}

const maxErrors = 10

/**
 * The stack of an error, followed by those of its causes and of the errors of an AggregateError, at most 10 in all. Other
 * properties are left out, because those of drivers contain stored values. Never throws.
 */
function errorText(error: unknown): string {
  const seen = new Set<unknown>()
  const texts: string[] = []
  const waiting: [label: string, error: unknown][] = [['', error]]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [label, value] = next
    if (texts.length === maxErrors) return [...texts, `${waiting.length + 1} more errors are left out.`].join('\n')
    if (seen.has(value)) {
      texts.push(`${label}an error that is shown above`)
      continue
    }
    texts.push(label + textOf(value))
    if (typeof value !== 'object' || value === null) continue
    seen.add(value)
    waiting.unshift(...innerErrors(value))
  }
  return texts.join('\n')
}

function innerErrors(error: object): [label: string, error: unknown][] {
  const cause = read(error, 'cause')
  const errors = read(error, 'errors')
  const listed: unknown[] = isError(error) && Array.isArray(errors) ? errors : []
  const inner = listed.map((one): [string, unknown] => ['One of its errors: ', one])
  return cause === undefined || cause === null ? inner : [['Caused by: ', cause], ...inner]
}

function textOf(value: unknown): string {
  const stack = isError(value) ? read(value, 'stack') : undefined
  if (typeof stack === 'string' && stack !== '') return stack
  try {
    return String(value)
  } catch {
    return 'a value without a text'
  }
}

/** Also for errors of another realm, such as a test runner. */
function isError(value: unknown): value is object {
  return types.isNativeError(value) || value instanceof Error
}

/** A property; undefined if its getter throws. */
function read(object: object, name: string): unknown {
  try {
    return (object as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}
