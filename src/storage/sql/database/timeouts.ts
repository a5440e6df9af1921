import { checkOption, maxTimerMs } from '../../../check-options'

/** @throws TypeError that names the first option that is not a time limit */
export function checkTimeouts(owner: string, timeouts: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(timeouts)) {
    checkOption(owner, name, Number.isSafeInteger(value) && value > 0, 'a positive whole number of milliseconds')
    checkOption(owner, name, value <= maxTimerMs, `at most ${maxTimerMs} milliseconds`)
  }
}
