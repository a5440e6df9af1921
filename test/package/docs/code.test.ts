import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compile, examplesIn, examplesOfMarkdown } from '../support/compiled-examples'
import { removeFolders, root } from '../support/folders'
import { blocks, guides, readText } from '../support/markdown'

describe('the code in the guides', () => {
  afterAll(removeFolders)

  it('and in the docstrings compiles with strict settings if it is TypeScript', async () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    const declarations = files.filter((file) => file.endsWith('.d.ts')).map((file) => `dist/${file}`)
    const examples = guides.flatMap((guide) => examplesOfMarkdown(guide, 'ts'))
    const ofDocstrings = declarations.flatMap(examplesIn)
    expect(await compile([...examples, ...ofDocstrings])).toBe('')
    expect(examples.length).toBeGreaterThan(15)
    expect(ofDocstrings.length).toBeGreaterThan(50)
  })

  it('compiles if it is JavaScript', async () => {
    const examples = guides.flatMap((guide) => examplesOfMarkdown(guide, 'js'))
    expect(await compile(examples, { strict: false })).toBe('')
    expect(examples.length).toBeGreaterThanOrEqual(5)
  })

  it('sets existing custom properties of the page if it is CSS', () => {
    const tokens = readText('src/page/app/style/tokens.css')
    const set = guides.flatMap((guide) => blocks(readText(guide)).filter(({ language }) => language === 'css'))
    const names = set.flatMap(({ text }) => text.match(/--[\w-]+(?=:)/g) ?? [])
    expect(names.filter((name) => !tokens.includes(`${name}:`))).toEqual([])
    expect(names.length).toBeGreaterThan(10)
  })

  it('is in a language that a test checks', () => {
    const languages = new Set(guides.flatMap((guide) => blocks(readText(guide)).map(({ language }) => language)))
    expect([...languages].sort()).toEqual(['css', 'js', 'json', 'mermaid', 'python', 'sh', 'sql', 'text', 'ts', 'yaml'])
    for (const guide of guides) {
      const fences = readText(guide).match(/^```/gm) ?? []
      expect([guide, blocks(readText(guide)).length * 2]).toEqual([guide, fences.length])
    }
  })
})
