import { ChangeRequestError } from '../../src/errors'

/** Runs what must be refused and gives back the refusal. */
export function refusal(run: () => unknown): ChangeRequestError {
  try {
    run()
  } catch (error) {
    if (ChangeRequestError.is(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}
