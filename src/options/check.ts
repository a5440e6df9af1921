import { checkOption } from '../check-options'

/** The function that takes the options, as errors name it. */
export const owner = 'createChangeRequestRouter'

/** @throws TypeError that names the option unless the value fits. */
export function check(name: string, fits: boolean, expected: string): void {
  checkOption(owner, name, fits, expected)
}
