import { guides, readText } from '../support/markdown'

const text = readText('llms.txt')
const entries = [...text.matchAll(/^- \[(.+?)\]\((.+?)\)(?:: (.+))?$/gm)]

describe('llms.txt', () => {
  it('has the title and the description of the package, in the form of llmstxt.org', () => {
    const { name, description } = JSON.parse(readText('package.json'))
    expect(text.startsWith(`# ${name}\n\n> ${description}\n\n`)).toBe(true)
    expect(text.match(/^## .*$/gm)).toEqual(['## Guides', '## Optional'])
  })

  it('links to each guide once', () => {
    const linked = entries.map(([, , link = '']) => link).filter((link) => link.endsWith('.md'))
    expect([...linked].sort()).toEqual(guides.filter((guide) => guide !== 'docs/README.md').sort())
  })

  it('repeats the descriptions of the list of guides', () => {
    const list = readText('docs/README.md')
    const answers = entries.filter(([, , link = '']) => link.startsWith('docs/') && !link.includes('/decisions/'))
    expect(answers.length).toBeGreaterThan(10)
    for (const [, title, link = '', answer] of answers) {
      const cells =
        list
          .split('\n')
          .find((line) => line.includes(`](${link.replace('docs/', '')})`))
          ?.split('|') ?? []
      expect(cells.map((cell) => cell.trim()).slice(1, 3)).toEqual([`[${title}](${link.replace('docs/', '')})`, answer])
    }
  })
})
