import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './folders'

/** Files of `src` with their texts, by path below `src`. */
export type Files = ReadonlyMap<string, string>

const source = join(root, 'src')
export const files: Files = new Map(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(source, path), 'utf8')]),
)

const statement =
  /^import (?:type )?(?:\w+(?:, )?)?(?:\* as \w+|\{[^}]*\})? ?from '([^']+)'|^import '([^']+)'|^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from '([^']+)'|\b(?:import|require)\('([^']+)'\)/gm

/** What a file imports, exports from or loads, as it is written. Comments are left out: they show imports of host apps. */
export function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(statement)].map(([, ...found]) => found.find((one) => one !== undefined) as string)
}

/** The file of `src` that an import with a relative path means. */
export function fileOf(path: string, specifier: string, all: Files): string {
  const base = posix.join(posix.dirname(path), specifier)
  const name = base === '.' ? 'index' : base
  const candidates = [name, `${name}.ts`, `${name}.tsx`, `${name}/index.ts`, `${name}/index.tsx`]
  return candidates.find((candidate) => all.has(candidate)) ?? name
}
