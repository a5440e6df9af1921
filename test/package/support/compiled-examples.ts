import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './child'
import { entryFile, entryNames, exportsOf, withoutStars } from './declarations'
import { root, temporaryFolder } from './folders'
import { blocks } from './markdown'

/** Code of the documentation, and where it stands. */
export interface Example {
  readonly place: string
  readonly code: string
}

/** What every example may use without saying where it comes from. */
const prelude = `
import type { Express, RequestHandler } from 'express'
import type { Authenticate, ChangeRequestRouter, Storage } from 'express-change-requests'
import type { Runner } from 'express-change-requests/testing'
import type { Knex } from 'knex'

declare global {
  const app: Express
  const updateFlag: RequestHandler
  const knex: Knex
  const database: Knex
  const storage: Storage
  const router: ChangeRequestRouter
  const authenticate: Authenticate
  const describe: Runner['describe']
  const it: Runner['it']
  const expect: Runner['expect']
}
`

const options = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What code without types cannot meet. */
const lenient = {
  strict: false,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: false,
  noPropertyAccessFromIndexSignature: false,
}

/** The examples in the docstrings of a declaration file, each under the name of what it stands above. */
export function examplesIn(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8')
  const documented =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:(?:export|declare|type|interface|class|const|function) )*(\w+)/g
  return [...text.matchAll(documented)].flatMap(([, comment = '', name]) =>
    codeOf(withoutStars(comment)).map((code, index) => ({ place: `${file}: ${name} ${index + 1}`, code })),
  )
}

/** The code of each `@example`. */
export function codeOf(doc: string): string[] {
  return [...doc.matchAll(/@example\n```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
}

/** The blocks of a document that are in this language. */
export function examplesOfMarkdown(file: string, wanted: 'ts' | 'js'): Example[] {
  const all = blocks(readFileSync(join(root, file), 'utf8')).filter(({ language }) => language === wanted)
  return all.map(({ text }, index) => ({ place: `${file}: ${wanted} ${index + 1}`, code: text }))
}

/**
 * Compiles each example as a module of its own, all in one run; answers what the compiler says of them.
 *
 * @param settings `strict: false` for JavaScript, which names no types.
 */
export async function compile(examples: readonly Example[], { strict = true } = {}): Promise<string> {
  const folder = temporaryFolder()
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'express-change-requests'))
  for (const name of ['express', 'knex', 'kysely', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  linkOrms(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const compilerOptions = strict ? options : { ...options, ...lenient }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.d.ts'] }))
  writeFileSync(join(folder, 'prelude.mts'), prelude)
  for (const [index, { place, code }] of examples.entries()) {
    // Some names differ in nothing but case.
    const name = `${index} ${place}`.replace(/[^\w.-]+/g, '_')
    writeFileSync(join(folder, `${name}.mts`), `${importsFor(code)}\nexport {}\n${code}`)
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return (await runNode([tsc, '-p', 'tsconfig.json', '--pretty', 'false'], { cwd: folder }).exit).stdout
}

/** Their types are checked where `test/handles` is installed, as in the nightly run. */
function linkOrms(folder: string): void {
  for (const name of ['drizzle-orm', 'postgres', 'typeorm']) {
    const installed = join(root, 'test/handles/node_modules', name)
    if (existsSync(installed)) symlinkSync(installed, join(folder, 'node_modules', name))
    else writeFileSync(join(folder, `${name}.d.ts`), `declare module '${name}'\ndeclare module '${name}/*'\n`)
  }
  const prisma = join(root, 'test/handles/prisma/node_modules')
  if (existsSync(join(prisma, '.prisma/client')))
    symlinkSync(join(prisma, '@prisma'), join(folder, 'node_modules/@prisma'))
  else writeFileSync(join(folder, 'prisma.d.ts'), "declare module '@prisma/*'\n")
}

/** The lines that import what the code uses of the package and does not import or declare itself. */
function importsFor(code: string): string {
  const own = code.matchAll(/\b(?:const|let|class|interface|type|function)\s+(\w+)|import\s+([^'"]+?)\s+from\b/g)
  const taken = new Set([...own].flatMap(([, name = '', list = '']) => [name, ...list.split(/\W+/)]))
  const words = new Set(code.replace(/'(?:[^'\\\n]|\\.)*'|\/\/.*/g, '').match(/\w+/g))
  return entryNames
    .map((entry) => {
      const used = [...exportsOf(entryFile(entry)).keys()].filter((name) => words.has(name) && !taken.has(name))
      for (const name of used) taken.add(name)
      return `import { ${used.join(', ')} } from '${entry.replace(/^\./, 'express-change-requests')}'`
    })
    .join('\n')
}
