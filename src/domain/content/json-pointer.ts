/** JSON pointers (RFC 6901): `/variants/a~1b` names the element `a/b` of `variants`. */

/** A name as a part of a JSON pointer. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The names in a JSON pointer. */
export function namesIn(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
