import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from '../support/folders'
import { anchors, guides, prose, quoted, readText, relativeLinks, table } from '../support/markdown'

const packed = (() => {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ files }] = JSON.parse(answer) as [{ files: { path: string }[] }]
  return new Set(files.map(({ path }) => path))
})()

const inRepository = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))

/** Documents outside the tarball, and the changelog, whose older entries name former files. */
const papers = inRepository.filter(
  (file) => file.endsWith('.md') && !guides.includes(file) && file !== 'CHANGELOG.md' && !file.startsWith('.github/'),
)

/** The broken links of a document if only these files exist. */
function broken(document: string, files: ReadonlySet<string>): string[] {
  return relativeLinks(readText(document)).filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : posix.join(posix.dirname(document), path)
    const isFolder = [...files].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`))
    if (!files.has(target)) return !isFolder || anchor !== undefined
    return anchor !== undefined && !anchors(readText(target)).has(anchor)
  })
}

/** Not in the tarball. */
const pictures = inRepository.filter((file) => file.startsWith('docs/pictures/'))

/** Guarantees link to their tests, which only the source has. */
const proofs = inRepository.filter((file) => /^test\/.*\.test\.ts$/.test(file))

describe('the links', () => {
  it.each(guides)('of %s lead to files and headings of the tarball', (guide) => {
    const others = guide === 'docs/guarantees.md' ? [...pictures, ...proofs] : pictures
    expect(broken(guide, new Set([...packed, ...others]))).toEqual([])
  })

  it.each(papers)('of %s lead to files and headings of the repository', (paper) => {
    expect(broken(paper, new Set(inRepository))).toEqual([])
  })

  it('lead to every guide from the README, and to every decision from the list of guides', () => {
    const from = (document: string) =>
      relativeLinks(readText(document)).map((link) => posix.join(posix.dirname(document), link.split('#')[0] ?? ''))
    const linked = new Set([...from('README.md'), ...from('docs/README.md')])
    expect(guides.filter((guide) => guide !== 'README.md' && !linked.has(guide))).toEqual([])
    expect(guides.filter((guide) => guide.startsWith('docs/decisions/')).length).toBeGreaterThanOrEqual(6)
  })

  it('of llms.txt lead to files of the tarball, which has it', () => {
    expect(broken('llms.txt', packed)).toEqual([])
    expect(packed.has('llms.txt')).toBe(true)
  })

  it('lead to a test from each guarantee', () => {
    const text = readText('docs/guarantees.md')
    const headings = ['## Events and commits', '## Review', '## Applying', '## Operation']
    const rows = headings.flatMap((heading) => table(text, heading, 'Guarantee'))
    expect(rows.length).toBeGreaterThan(20)
    for (const [guarantee = '', tests = ''] of rows) {
      const names = [...tests.matchAll(/\]\[([\w-]+)\]/g)].map(([, name = '']) => name)
      const files = names.map((name) => new RegExp(`^\\[${name}\\]: \\.\\./(.+)$`, 'm').exec(text)?.[1] ?? name)
      expect([guarantee, files.filter((file) => !proofs.includes(file)), files.length > 0]).toEqual([
        guarantee,
        [],
        true,
      ])
    }
  })

  it('lead to a guide from each example', () => {
    const examples = papers.filter((paper) => paper.startsWith('examples/') && !paper.includes('custom-storage'))
    expect(examples.length).toBeGreaterThanOrEqual(4)
    for (const example of examples) {
      expect([example, relativeLinks(readText(example)).filter((link) => link.includes('docs/'))]).not.toEqual([
        example,
        [],
      ])
    }
  })
})

describe('the published package', () => {
  it('contains what its guides name: no guide sends a reader to the repository', () => {
    for (const guide of guides) {
      const text = readText(guide)
      const sent = prose(text).match(/\b(?:the|this|our|a) repository\b|\bclone\b/gi)
      expect([guide, sent]).toEqual([guide, null])
      const examples = text.match(/(?<!\btest\/)\bexamples\/[\w./-]*\w/g) ?? []
      const isPacked = (path: string) => packed.has(path) || [...packed].some((file) => file.startsWith(`${path}/`))
      expect([guide, examples.filter((path) => !isPacked(path))]).toEqual([guide, []])
    }
  })

  it('names an address only if it is a real one', () => {
    const { homepage, bugs, author, repository } = JSON.parse(readText('package.json'))
    const stated = JSON.stringify([homepage, bugs, author, repository])
    expect(stated).not.toMatch(/example|localhost|todo|your|owner\/|<|""|\{\}/i)
  })
})

describe('a path that the guides name without a link', () => {
  it.each(guides)('in %s exists, and is no source file', (guide) => {
    const named = quoted(prose(readText(guide))).filter((name) =>
      /^(?:src|dist|test|examples|schemas|\.ci)\//.test(name),
    )
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
    expect(named.filter((name) => /^(?:src|test)\//.test(name))).toEqual([])
  })

  it('is of this project: no local path, and only addresses of public sites', () => {
    for (const guide of guides) {
      const text = readText(guide)
      expect([guide, text.match(/(?:^|[\s'"`(])\/(?:home|root|tmp|usr|var|work|Users)\//gm)]).toEqual([guide, null])
    }
  })
})
