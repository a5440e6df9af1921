import { checkOption } from '../check-options'

/** The name of the function in error messages. */
export const owner = 'createChangeRequestRouter'

/** @throws TypeError that names the option unless the value is valid. */
export function check(name: string, fits: boolean, expected: string): void {
  checkOption(owner, name, fits, expected)
}
