import { badData, echo, step } from './problems'

export interface GuardLimits {
  readonly depth: number
  /** Maximum number of values: objects, arrays, strings, numbers, booleans and nulls. */
  readonly nodes: number
}

/** An object or array that the walk has entered. */
type Open = ReturnType<typeof open>

function open(container: object) {
  const keys = Array.isArray(container) ? undefined : Object.keys(container)
  return { container, keys, size: keys?.length ?? (container as unknown[]).length, next: 0 }
}

const loneSurrogate = /\p{Surrogate}/u

function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'the character NUL'
  return loneSurrogate.test(text) ? 'half of a surrogate pair' : undefined
}

/** True for plain objects and arrays. A Buffer, a Date or a Map would be something else after JSON. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return true
  return (
    Object.prototype.toString.call(value) === '[object Object]' &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  )
}

function flawOfScalar(value: unknown, inArray: boolean): string | undefined {
  if (typeof value === 'string') return flawOfText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'boolean' || value === null || (value === undefined && !inArray)) return undefined
  const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value
  return `a value that JSON does not have (${kind})`
}

function flawOfKey(key: string): string | undefined {
  if (key === '__proto__') return 'a property of this name'
  const flaw = flawOfText(key)
  return flaw && `${flaw} in the name of a property`
}

/** JSON pointer to the current value of the walk. */
function pathOf(stack: readonly Open[], root: string): string {
  return root + stack.map(({ keys, next }) => step(keys?.[next - 1] ?? next - 1)).join('')
}

/**
 * Rejects a body that a database would reject or that would be expensive to validate, before anything else reads it. Does not
 * recurse, because the caller controls the nesting. @throws BadDataError with the first problem
 */
export function guardBody(body: unknown, limits: GuardLimits, root = '/body'): void {
  const reject = (path: string, message: string) => badData([{ path, message }])
  if (!isContainer(body)) throw reject(root, `must be an object or an array, got ${kindOf(body)}`)
  if (limits.depth < 1) throw reject(root, 'is nested too deeply')
  const stack = [open(body)]
  let nodes = 1
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.next === top.size) {
      stack.pop()
      continue
    }
    const key = top.keys?.[top.next] ?? top.next
    top.next += 1
    const badKey = typeof key === 'string' ? flawOfKey(key) : undefined
    if (badKey) {
      const path = key === '__proto__' ? pathOf(stack, root) : pathOf(stack.slice(0, -1), root)
      throw reject(path, `${badKey} is not allowed`)
    }
    nodes += 1
    if (nodes > limits.nodes) throw reject(root, `must have at most ${limits.nodes} values`)
    const value = (top.container as Record<string | number, unknown>)[key]
    if (isContainer(value)) {
      if (stack.length === limits.depth) {
        throw reject(pathOf(stack, root), `must not nest deeper than ${limits.depth} objects and arrays`)
      }
      stack.push(open(value))
      continue
    }
    const flaw = flawOfScalar(value, top.keys === undefined)
    if (flaw) throw reject(pathOf(stack, root), `${flaw} is not allowed`)
  }
}

function kindOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return echo(body)
  return Object.prototype.toString.call(body).slice(8, -1)
}
