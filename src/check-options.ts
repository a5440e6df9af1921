/** Returns what an option must be, such as `a boolean`; undefined if the value is valid. */
export type OptionCheck<Value, Options = unknown> = (value: Value, options: Options) => string | undefined

/** The check of each option, in the order in which they are checked. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: OptionCheck<Options[Name], Options>
}

/** Checks the options of a function: none is unknown, and each is valid. @throws TypeError that names the option */
export function checkOptions<Options extends object>(
  owner: string,
  options: Options,
  table: OptionTable<Options>,
): void {
  refuseUnknownOptions(owner, options, Object.keys(table))
  for (const name of Object.keys(table) as (keyof Options & string)[]) {
    const expected = table[name](options[name], options)
    checkOption(owner, name, expected === undefined, expected ?? '')
  }
}

/** Rejects unknown options; otherwise a typo would silently mean the default. @throws TypeError that names the option */
export function refuseUnknownOptions(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${owner}: the options must be an object.`)
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`${owner}: unknown option "${name}". Known options: ${known.join(', ')}.`)
    }
  }
}

/** True if one letter is added, missing, different or swapped with its neighbour, or if only the case differs. */
function isTypoOf(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()]
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const rest = (skipA: number, skipB: number) => a.slice(start + skipA) === b.slice(start + skipB)
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start] && rest(2, 2)
  return rest(1, 0) || rest(0, 1) || rest(1, 1) || isSwapped
}

interface Typo {
  readonly name: string
  /** The known name. */
  readonly meant: string
}

/** The first name that is almost a known one, if the object does not have that. */
export function typoIn(names: readonly string[], object: object, known: readonly string[]): Typo | undefined {
  for (const name of names) {
    const meant = known.includes(name) ? undefined : typoOf(name, known)
    if (meant !== undefined && (object as Readonly<Record<string, unknown>>)[meant] === undefined)
      return { name, meant }
  }
  return undefined
}

/** The known name that a name was meant to be; undefined if it is not similar to one. */
export function typoOf(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => isTypoOf(name, one))
}

/** For objects that can have properties of the host app. @throws TypeError that names a property that looks like a typo */
export function refuseTyposIn(
  owner: string,
  option: string,
  object: object,
  known: readonly string[],
  guide: string,
): void {
  const typo = typoIn(Object.keys(object), object, known)
  checkOption(owner, `${option}.${typo?.name}`, typo === undefined, `left out, or named "${typo?.meant}"; see ${guide}`)
}

/** @throws TypeError that names the option, unless its value is valid */
export function checkOption(owner: string, name: string, fits: boolean, expected: string): asserts fits {
  if (!fits) throw new TypeError(`${owner}: option "${name}" must be ${expected}.`)
}

export function optional<Value, Options>(check: OptionCheck<Value, Options>): OptionCheck<Value | undefined, Options> {
  return (value, options) => (value === undefined ? undefined : check(value, options))
}

export function must<Options = unknown>(
  test: (value: unknown, options: Options) => boolean,
  expected: string,
): OptionCheck<unknown, Options> {
  return (value, options) => (test(value, options) ? undefined : expected)
}

export function each<Value, Options>(...checks: readonly OptionCheck<Value, Options>[]): OptionCheck<Value, Options> {
  return (value, options) => {
    for (const check of checks) {
      const expected = check(value, options)
      if (expected !== undefined) return expected
    }
    return undefined
  }
}

/** A function. @param expected what it returns */
export function aFunction(expected = 'a function'): OptionCheck<unknown> {
  return must((value) => typeof value === 'function', expected)
}

export const aBoolean = must((value) => typeof value === 'boolean', 'a boolean')

/** `"refuse" or "allow"` */
export function oneOf(...values: readonly string[]): OptionCheck<unknown> {
  const quoted = values.map((value) => `"${value}"`)
  return must((value) => values.includes(value as string), `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`)
}

export function matching(pattern: RegExp, expected: string): OptionCheck<unknown> {
  return must((value) => typeof value === 'string' && pattern.test(value), expected)
}

/** True for a list of one or more texts: an empty one would select nothing. */
export function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}

/** The longest duration of a timer in milliseconds: 24 days. Node and browsers wait only 1 ms for a longer one. */
export const maxTimerMs = 2 ** 31 - 1

export const aTimeout = each(
  must((value) => Number.isSafeInteger(value) && (value as number) > 0, 'a positive whole number of milliseconds'),
  must((value) => (value as number) <= maxTimerMs, `at most ${maxTimerMs} milliseconds`),
)

/** The longest duration in milliseconds that is only compared with times: 100 years. A sum with a time is still a time. */
export const maxDurationMs = 36_525 * 86_400_000
