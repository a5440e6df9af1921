import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './folders'

/** A fenced block of a document. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The last line of text before it, without backquotes. */
  readonly before: string
}

/** The guide of coding agents. */
export const skill = 'skills/express-change-requests/SKILL.md'

/** What the tarball holds for readers: the README and all guides, below the root of the package. */
export const guides: readonly string[] = [
  'README.md',
  skill,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort(),
]

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The fenced blocks of a document, in order. */
export function blocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: text = '', index }) => {
    const lines = markdown.slice(0, index).trimEnd().split('\n')
    return { language, text, before: (lines.at(-1) ?? '').replaceAll('`', '') }
  })
}

/** A document without its fenced blocks. */
export function prose(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '')
}

/** What stands below a heading, up to the next one of its level or above. @throws Error when there is no such heading. */
export function section(markdown: string, heading: string): string {
  const [, level = '', text = ''] = /^(#+) (.*)$/.exec(heading) ?? []
  const start = `\n${markdown}`.indexOf(`\n${heading}\n`)
  if (text === '' || start < 0) throw new Error(`There is no heading ${heading}.`)
  const below = markdown.slice(start + heading.length)
  const end = new RegExp(`^#{1,${level.length}} `, 'm').exec(below)?.index
  return below.slice(0, end)
}

/** The headings without their marks. */
export function headings(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text)
}

/** What a link to each of the headings names, as GitHub makes it. */
export function anchors(markdown: string): Set<string> {
  const seen = new Map<string, number>()
  return new Set(
    headings(markdown).map((text) => {
      const name = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-')
      const count = seen.get(name) ?? 0
      seen.set(name, count + 1)
      return count === 0 ? name : `${name}-${count}`
    }),
  )
}

/** The targets of the links that lead to a file or a heading, and not to another site. */
export function relativeLinks(markdown: string): string[] {
  return [...prose(markdown).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** The rows of the first table below a heading whose first column is headed so; backquotes are left in. */
export function table(markdown: string, heading: string, firstColumn: string): string[][] {
  const lines = section(markdown, heading).split('\n')
  const first = lines.findIndex((line) => cells(line)[0] === firstColumn)
  if (first < 0) throw new Error(`There is no table of ${firstColumn} below ${heading}.`)
  const rows = lines.slice(first + 2)
  const length = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, length < 0 ? undefined : length).map(cells)
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

export const plain = (cell: string) => cell.replaceAll('`', '')

/** What stands between backquotes. */
export function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
