import type { ErrorDetail } from '../errors'

/** Returns a problem unless the condition holds. */
export function expectThat(holds: boolean, path: string, message: string): readonly ErrorDetail[] {
  return holds ? [] : [{ message, path }]
}

/** Quotes a text of the caller, shortened: an error never contains a whole body. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 200)]
  const short = characters.length > 90 ? `${characters.slice(0, 90).join('')}…` : text
  return JSON.stringify(short)
}
