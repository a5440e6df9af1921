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

/** True for a list of one or more texts: an empty one would select nothing. */
export function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}

/** @throws TypeError that names the option, unless its value is valid */
export function checkOption(owner: string, name: string, fits: boolean, expected: string): asserts fits {
  if (!fits) throw new TypeError(`${owner}: option "${name}" must be ${expected}.`)
}

/** The longest duration of a timer in milliseconds: 24 days. Node and browsers wait only 1 ms for a longer one. */
export const maxTimerMs = 2 ** 31 - 1

/** The longest duration in milliseconds that is only compared with times: 100 years. A sum with a time is still a time. */
export const maxDurationMs = 36_525 * 86_400_000
