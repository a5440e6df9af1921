import type { Logger } from '../ports/logger'
import { errorText } from './error-text'

/** The default of the option `logger`: warnings and errors, one line each, with the stacks of `err` and its causes. */
export const consoleLogger: Logger = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(lineOf(facts, message)),
  error: (facts, message) => console.error(lineOf(facts, message)),
}

/** The value `false` of the option `logger`. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

function lineOf({ err, ...facts }: { readonly err?: unknown }, message: string): string {
  // A message can quote what a hook or a caller sent: a line break in it would forge a line of the log.
  const line = `express-change-requests: ${message.replace(/\p{Cc}+/gu, ' ')}`
  const details = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`
  return `${line}${details}${err === undefined ? '' : `\n${errorText(err)}`}`
}
