import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from '@swc/core'
import { root } from './folders'

/** A node of the syntax tree, as far as it is looked at here. */
export type Node = { readonly type: string; readonly [property: string]: unknown }

export interface Declaration {
  readonly name: string
  /** Below the root of the package. */
  readonly file: string
  /** Without the docstring. */
  readonly text: string
  /** The docstring without its stars; undefined when there is none. */
  readonly doc: string | undefined
  readonly node: Node
}

/** A declaration file of the build. */
export interface DeclarationFile {
  readonly file: string
  readonly text: string
  readonly body: readonly Node[]
  /** What the file declares itself, exported or not. */
  readonly declared: ReadonlyMap<string, Declaration>
  /** Where a name comes from that the file imports. */
  readonly imported: ReadonlyMap<string, { readonly from: string; readonly name: string }>
  /** The module that the file re-exports a name from. */
  readonly passedOn: readonly { readonly from: string; readonly as: string; readonly name: string }[]
  /** The modules that the file re-exports whole. */
  readonly passedOnWhole: readonly string[]
}

const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>
}

/** The entries that a host imports from. */
export const entryNames = Object.keys(entries).filter((entry) => typeof entries[entry] === 'object')

const files = new Map<string, DeclarationFile>()

export function entryFile(entry: string): DeclarationFile {
  return readDeclarations(join(root, (entries[entry] as { types: string }).types))
}

/** All that an entry exports, by name. */
export function exportsOf(file: DeclarationFile): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const from of file.passedOnWhole) {
    for (const [name, declaration] of exportsOf(resolved(file, from))) found.set(name, declaration)
  }
  for (const { from, name, as } of file.passedOn) found.set(as, lookUp(resolved(file, from), name))
  for (const node of file.body.filter(({ type }) => type === 'ExportDeclaration')) {
    for (const name of namesOf(node.declaration as Node)) found.set(name, lookUp(file, name))
  }
  return found
}

/** The declaration that a name stands for in a file; undefined for one of another package or of the language. */
export function declarationOf(file: DeclarationFile, name: string): Declaration | undefined {
  const source = file.imported.get(name)
  if (source === undefined) return file.declared.get(name)
  return source.from.startsWith('.') ? lookUp(resolved(file, source.from), source.name) : undefined
}

/** The file and all that it leads to. */
export function reachable(file: DeclarationFile, seen = new Set<DeclarationFile>()): Set<DeclarationFile> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const from of modulesOf(file).filter((module) => module.startsWith('.'))) reachable(resolved(file, from), seen)
  return seen
}

/** The modules that a file names, those of `import('...')` included. */
export function modulesOf({ body }: DeclarationFile): string[] {
  const sources = body.flatMap(({ source }) => (source ? [(source as { value: string }).value] : []))
  const inline = [...nodesOf(body)].filter(({ type }) => type === 'TsImportType')
  return [...sources, ...inline.map(({ argument }) => (argument as { value: string }).value)]
}

/** Every node in a value, itself included. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (typeof (value as Node).type === 'string') yield value as Node
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

function lookUp(file: DeclarationFile, name: string): Declaration {
  const found = file.declared.get(name) ?? declarationOf(file, name) ?? exportsOf(file).get(name)
  if (found === undefined) throw new Error(`${file.file} has no ${name}`)
  return found
}

function resolved(file: DeclarationFile, from: string): DeclarationFile {
  const path = join(dirname(join(root, file.file)), from)
  return readDeclarations(existsSync(`${path}.d.ts`) ? `${path}.d.ts` : join(path, 'index.d.ts'))
}

function readDeclarations(path: string): DeclarationFile {
  const known = files.get(path)
  if (known !== undefined) return known
  const text = readFileSync(path, 'utf8')
  const file = relative(root, path).replaceAll('\\', '/')
  const body = parseSync(text, { syntax: 'typescript' }).body as unknown as readonly Node[]
  const declared = new Map<string, Declaration>()
  for (const node of body) {
    const declaration = node.type === 'ExportDeclaration' ? (node.declaration as Node) : node
    for (const name of namesOf(declaration)) {
      declared.set(name, { name, file, node: declaration, ...textOf(text, name) })
    }
  }
  const read = { file, text, body, declared, ...connections(body) }
  files.set(path, read)
  return read
}

function namesOf(node: Node): string[] {
  const identifier = node.id ?? node.identifier
  if (identifier !== undefined) return [(identifier as { value: string }).value]
  return ((node.declarations ?? []) as readonly Node[]).map(({ id }) => (id as { value: string }).value)
}

function connections(body: readonly Node[]) {
  const imported: Map<string, { from: string; name: string }> = new Map()
  const passedOn: { from: string; as: string; name: string }[] = []
  const passedOnWhole: string[] = []
  type Specifier = Record<'local' | 'imported' | 'orig' | 'exported', { value: string } | null | undefined>
  for (const { type, source, specifiers } of body) {
    const from = (source as { value: string } | null)?.value
    if (from === undefined) continue
    if (type === 'ExportAllDeclaration') passedOnWhole.push(from)
    for (const { local, imported: original, orig, exported } of (specifiers ?? []) as readonly Specifier[]) {
      if (local) imported.set(local.value, { from, name: original?.value ?? local.value })
      if (orig) passedOn.push({ from, name: orig.value, as: exported?.value ?? orig.value })
    }
  }
  return { imported, passedOn, passedOnWhole }
}

/** The text of a declaration that begins a line, and the docstring above it. */
function textOf(text: string, name: string): { text: string; doc: string | undefined } {
  const head = `(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const) ${name}\\b`
  const start = text.search(new RegExp(`^${head}`, 'm'))
  const end = text.slice(start).search(/^(?:\}|\S.*;)$/m)
  const doc = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text.slice(0, start))?.[1]
  return { text: text.slice(start, start + end), doc: doc && withoutStars(doc) }
}

export function withoutStars(comment: string): string {
  return comment.replace(/^[ \t]*\* ?/gm, '').trim()
}
