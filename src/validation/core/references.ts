type Node = Readonly<Record<string, unknown>>

/** What a reference names, and the `$id` that references inside it are relative to. */
export interface Referred {
  readonly part: unknown
  readonly base: string
}

/**
 * Finds what a reference names. `open` are the references that contain it, each as it was given.
 *
 * @throws Error for a reference that cannot be resolved
 */
export type Resolve = (reference: unknown, base: string, open: readonly unknown[]) => Referred

const annotations = ['title', 'description', 'default', 'examples']

/** Inserts what a schema refers to. What is next to a reference holds in addition to it. */
export function withoutReferences(node: unknown, resolve: Resolve, base = '', open: readonly unknown[] = []): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, resolve, base, open))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, $defs: _defs, $schema: _schema, $id = base, ...rest } = node as Node & { readonly $id?: string }
  const entries = Object.entries(rest).map(([key, value]) => [key, withoutReferences(value, resolve, $id, open)])
  const own = Object.fromEntries(entries) as { readonly allOf?: readonly unknown[] }
  if ($ref === undefined) return own
  const { part, base: inside } = resolve($ref, $id, open)
  const referred = withoutReferences(part, resolve, inside, [...open, $ref]) as Node
  const isInBoth = Object.keys(own).some((key) => Object.hasOwn(referred, key) && !annotations.includes(key))
  return isInBoth ? { ...own, allOf: [...(own.allOf ?? []), referred] } : { ...referred, ...own }
}

/** What a JSON Pointer, such as `#/$defs/name`, names in a schema. */
export function partAt(pointer: string, schema: unknown): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], schema)
}
