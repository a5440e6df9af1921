import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the page, with its compressed forms. */
export interface PageFile {
  readonly type: string
  readonly body: Buffer
  readonly gzip?: Buffer
  readonly br?: Buffer
}

/** The page as Vite built it. */
export interface BuiltPage {
  /** The scripts that are loaded first: names in {@link files}. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly icon: string | undefined
  /** The files by name; a name contains a hash of the file. */
  readonly files: ReadonlyMap<string, PageFile>
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Reads the page into memory: it is small, and a request can then never reach another file.
 * @throws Error if the page is not built
 */
export function readBuiltPage(folder: string): BuiltPage {
  const manifest = join(folder, 'manifest.json')
  if (!existsSync(manifest))
    throw new Error(
      `The files of the review page are missing: ${manifest} does not exist. If you bundle your app, leave ` +
        'express-change-requests external. In a checkout of the package, run "npm run build".',
    )
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(manifest, 'utf8'))
  const first = withImports(chunks, 'main.tsx')
  const files = readFiles(join(folder, 'assets'))
  return {
    scripts: first.map(({ file }) => assetName(file)),
    styles: [...files.keys()].filter((name) => name.endsWith('.css')),
    icon: [...files.keys()].find((name) => /^icon-.*\.svg$/.test(name)),
    files,
  }
}

/** A chunk and everything that it imports statically. */
function withImports(chunks: Readonly<Record<string, Chunk>>, entry: string): Chunk[] {
  const keys = new Set([entry])
  for (const key of keys) for (const imported of chunks[key]?.imports ?? []) keys.add(imported)
  return [...keys].flatMap((key) => chunks[key] ?? [])
}

function assetName(file: string): string {
  return file.replace(/^assets\//, '')
}

function readFiles(folder: string): Map<string, PageFile> {
  const names = new Set(readdirSync(folder))
  const read = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = types[name.slice(name.lastIndexOf('.') + 1)]
    const body = type === undefined ? undefined : read(name)
    if (type === undefined || body === undefined) continue
    const [gzip, br] = [read(`${name}.gz`), read(`${name}.br`)]
    files.set(name, { type, body, ...(gzip && { gzip }), ...(br && { br }) })
  }
  return files
}
