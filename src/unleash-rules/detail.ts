import type { ErrorDetail } from '../errors'

/** The problems of one value, at a path of the request. */
export type Check<Value> = (value: Value, path: string) => readonly ErrorDetail[]

/** A problem where the condition does not hold. */
export function expectThat(holds: boolean, path: string, message: string): readonly ErrorDetail[] {
  return holds ? [] : [{ message, path }]
}

/** A text of the caller, shortened: an error never returns a whole body. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 200)]
  const kept = characters.length > 90 ? `${characters.slice(0, 90).join('')}…` : text
  return JSON.stringify(kept)
}
