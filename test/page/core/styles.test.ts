import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../../..')
const folder = join(root, 'src/page/app')
const tokens = 'style/tokens.css'

/** Every value of the stylesheets that is no token, and why. 0, 1px, percentages, ch and fr need no reason. */
const allowed: Readonly<Record<string, string>> = {
  // Media queries cannot read tokens.
  '@media (max-width: 48rem)': 'phones',
  '@media (width > 48rem)': 'all others',
  '@media (max-width: 62rem)': 'one column',
  '@media (max-height: 30rem)': 'low windows, and large zooms: nothing is sticky',
  // Icons are as high as their line.
  '1lh': 'icons next to words',
  // Sizes of the window.
  '100vw': 'what opens beside its button is not wider than a phone',
  '100dvh': 'the sign-in is centred; what is sticky scrolls by itself where it is higher; a screen is not lower',
  // Icons and charts are drawn in units of their own.
  'stroke-width: 1.5': 'icons',
  'stroke-width: 1': 'large icons, and lines of charts',
  'stroke-width: 2': 'cuts of icons',
  'stroke-width: 3': 'the small tick of an avatar',
  'stroke-dasharray: 2 2': 'an unmet requirement, and a share that goes away',
  // Directions and times.
  '0.55': 'rows of the filter before',
  '90deg': 'the mark of what is open',
  '0s': 'nothing moves',
  '0.3s': 'an answer in this time needs no "Loading"',
}

/** 0, 1px, percentages and columns. An integer without a unit counts something: layers, lines, weights. */
const plain = /^(?:\d+|1px|[\d.]+(?:%|ch|fr))$/

const value =
  /(?<![\w.#-])(?:\d*\.)?\d+(?:%|[a-z]+)?(?![\w.])|#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|color-mix|light-dark)\([^)]*\)|(?<![\w-])(?:black|white|red|green|blue|gr[ae]y)(?![\w-])/gi

/** Numbers without a unit that are a length nevertheless. */
const drawn = /^(?:line-height|stroke-(?:width|dasharray))$/

/** The values of a stylesheet, each as it stands in the list. */
function valuesIn(css: string): string[] {
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/"[^"]*"/g, '""')
  const queries = (text.match(/@media [^{]*/g) ?? []).map((query) => query.trim()).filter((query) => /\d/.test(query))
  const declarations = [...text.matchAll(/(?<=[;{]\s*)([\w-]+):\s*([^;{}]+)(?=[;}])/g)]
  return [
    ...queries,
    ...declarations.flatMap(([, property = '', words = '']) => {
      const found = words.replaceAll(/var\(--[\w-]+\)|-(?=[\d.])/g, '').match(value) ?? []
      return drawn.test(property)
        ? found.map(() => `${property}: ${words.trim()}`)
        : found.filter((each) => !plain.test(each))
    }),
  ]
}

const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css') && name !== tokens)
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

describe('the stylesheets of the page', () => {
  it('use tokens, and no other value than those with a reason', () => {
    const found = sheets.flatMap(([name, css]) => valuesIn(css).map((words) => [words, name] as const))
    expect(found.filter(([words]) => allowed[words] === undefined)).toEqual([])
    const used = new Set(found.map(([words]) => words))
    expect(Object.keys(allowed).filter((words) => !used.has(words))).toEqual([])
  })

  it.each([
    ['a length', '.a { padding: 0 7px }', ['7px']],
    ['a length in a calculation', '.a { width: calc(100% - 2.5rem) }', ['2.5rem']],
    ['a color', '.a { color: #fff; background: rgb(0 0 0 / 50%) }', ['#fff', 'rgb(0 0 0 / 50%)']],
    ['a leading', '.a { line-height: 2 }', ['line-height: 2']],
    ['a time', '.a { transition: opacity 0.2s }', ['0.2s']],
    ['a query', '@media (max-width: 40rem) { .a { top: 1px } }', ['@media (max-width: 40rem)']],
    ['no token, no column and no count', '.a { margin: 0 var(--ecr-space-4) -1px; width: 20ch; flex: 1 1 50% }', []],
  ])('are read for %s', (_, css, expected) => {
    expect(valuesIn(css)).toEqual(expected)
  })

  it('use each token and no other, and those of the guide', () => {
    const names = (css: string, pattern: RegExp) => new Set(Array.from(css.matchAll(pattern), ([, name]) => name))
    const defined = names(readFileSync(join(folder, tokens), 'utf8'), /(--ecr-[\w-]+):/g)
    const used = names(sheets.map(([, css]) => css).join(''), /var\((--ecr-[\w-]+)/g)
    expect([...used].sort()).toEqual([...defined].sort())
    const published = names(readFileSync(join(root, 'docs/page.md'), 'utf8'), /(--ecr-[\w-]+):/g)
    expect([...published].filter((name) => !defined.has(name))).toEqual([])
  })
})
