import type { Missing } from '../../../core/api/missing'

/**
 * The messages by the path of the value, such as `/payload/id`. For a value that is none of those allowed, the path of the
 * error is the name of its property; in a list, the message ends with its path (contract 11.3).
 */
export function messagesByPath(problems: readonly Missing[]): ReadonlyMap<string, string> {
  return new Map(
    problems.map(({ path = '', message }) => {
      const [, found = path] = / at (\/\S+)$/.exec(message) ?? []
      return [found.replace('/body/', '/'), message]
    }),
  )
}
