import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './support/folders'

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The folders of all packages that the package in this folder depends on, directly or not. */
function installedWith(folder: string, found = new Map<string, string>()): Map<string, string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue
    const place = folderOf(name, folder)
    found.set(name, place)
    installedWith(place, found)
  }
  return found
}

/** Where Node finds a package, seen from a folder. Its manifest may be missing in its exports. */
function folderOf(name: string, from: string): string {
  const place = join(from, 'node_modules', name)
  if (statSync(join(place, 'package.json'), { throwIfNoEntry: false }) !== undefined) return place
  if (dirname(from) === from) throw new Error(`${name} is not installed.`)
  return folderOf(name, dirname(from))
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'node_modules') return sum
    return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size)
  }, 0)
}

describe('what a host installs', () => {
  it('depends on seven small packages, none of which runs a script when it is installed', () => {
    const packages = installedWith(root)
    const ofAjv = ['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string']
    expect([...packages.keys()].sort()).toEqual([...ofAjv, 'fresh'].sort())
    expect([...packages.values()].reduce((sum, folder) => sum + bytesIn(folder), 0)).toBeLessThan(2_000_000)
    for (const folder of packages.values()) {
      const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        scripts?: Record<string, string>
      }
      expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([])
    }
  })
})

describe('what a browser loads of the review page, as gzip', () => {
  const folder = join(root, 'dist/page/app')
  const chunks: Record<string, { file: string; name?: string; imports?: string[] }> = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  )

  /** The files of chunks and of what they cannot run without. */
  function filesOf(...entries: string[]): string[] {
    const keys = new Set(entries)
    for (const key of keys) for (const imported of chunks[key]?.imports ?? []) keys.add(imported)
    return [...keys].map((key) => chunks[key]?.file ?? `nothing for ${key}`)
  }

  const compressed = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0)

  it.each(['inbox', 'schedule', 'request', 'log', 'settings', 'sign-in', 'flag', 'new'])(
    'is at most 75 kB of script where the first screen is %s',
    (screen) => {
      const [key = screen] = Object.keys(chunks).filter((key) => chunks[key]?.name === screen)
      expect(compressed(filesOf('main.tsx', key))).toBeLessThanOrEqual(75_000)
    },
  )

  it('is at most 205 kB in all', () => {
    const files = Object.values(chunks).map(({ file }) => file)
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(6)
    expect(compressed(files)).toBeLessThanOrEqual(205_000)
  })
})
