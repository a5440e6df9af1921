import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/folders'
import { type Files, fileOf, files, importsOf } from '../support/source-files'

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly types: string }>>
}

/** What host apps import. */
const entries: ReadonlySet<string> = new Set(
  Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '$1.ts')],
  ),
)

/** Small files with one importer that stay, each with its reason. */
const smallFilesKept: Readonly<Record<string, string>> = {
  'page/app/read-config.ts': 'its importer needs a document when it is loaded, and the tests have none',
  'page/app/screens/sign-in/return-to.ts': 'its importer draws elements, and the tests of the address have no document',
}

const reexport = /^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from '[^']+'$/gm

/** Files that hold nothing but exports of other files, apart from those that host apps import. */
function barrelsIn(all: Files): string[] {
  return [...all].flatMap(([path, text]) => {
    if (entries.has(path)) return []
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
    const rest = code.replaceAll(reexport, '').replaceAll(/^import .*$/gm, '')
    return code.trim() !== '' && rest.trim() === '' ? [path] : []
  })
}

/** Files below 20 lines with one importer, which could hold them. The port is a list of interfaces of its own. */
function smallFilesIn(all: Files): string[] {
  const importers = new Map<string, Set<string>>()
  for (const [path, text] of all) {
    for (const specifier of importsOf(text).filter((one) => one.startsWith('.'))) {
      const target = fileOf(path, specifier, all)
      importers.set(target, (importers.get(target) ?? new Set()).add(path))
    }
  }
  return [...all].flatMap(([path, text]) => {
    const isExempt = entries.has(path) || /^(?:ports|generated)\//.test(path)
    return !isExempt && importers.get(path)?.size === 1 && text.trimEnd().split('\n').length < 20 ? [path] : []
  })
}

describe('the files of src', () => {
  it('has no barrels except those that host apps import', () => {
    expect(barrelsIn(files)).toEqual([])
  })

  it('has no file below 20 lines with one importer, except those with a stated reason', () => {
    expect(smallFilesIn(files).sort()).toEqual(Object.keys(smallFilesKept).sort())
  })
})
