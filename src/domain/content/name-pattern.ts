/** True if the name matches the pattern, in which `*` is any text. Runs in linear time for any pattern. */
export function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop() ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let position = first.length
  for (const part of others) {
    const found = name.indexOf(part, position)
    if (found < 0 || found + part.length > end) return false
    position = found + part.length
  }
  return true
}
