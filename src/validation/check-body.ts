import { badData, firstProblem } from './core/problems'
import { validatorOfBody } from './core/registry'

/** Checks a body against its schema. @throws BadDataError with the first problem */
export function checkBody<Body>(kind: Parameters<typeof validatorOfBody>[0], body: unknown): Body {
  const problem = firstProblem(validatorOfBody(kind), body, ['body'])
  if (problem) throw badData([problem])
  return body as Body
}
