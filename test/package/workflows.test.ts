import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './support/folders'

const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const textOf = (name: string) => workflows.find(({ file }) => file === name)?.text ?? ''
const { scripts, publishConfig } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  publishConfig: object
}

describe('the workflows', () => {
  it('run each part of the nightly tests', () => {
    const [, list = ''] = /^ +part: \[(.*)\]$/m.exec(textOf('nightly.yml')) ?? []
    const { parts } = require('../support/run-nightly') as { parts: readonly string[] }
    expect(list.split(', ')).toEqual(parts)
  })

  it('release after the gate; to write, they may only sign the provenance and comment', () => {
    expect(textOf('release.yml')).toMatch(/^ +uses: \.\/\.github\/workflows\/check\.yml$/m)
    expect(textOf('release.yml')).toMatch(/^ +needs: check$/m)
    expect(textOf('release.yml')).toMatch(/^ +id-token: write$/m)
    expect(textOf('release.yml')).toMatch(/^ +- run: \.ci\/release$/m)
    expect(publishConfig).toEqual({ access: 'public', provenance: true })
    const rights = workflows.flatMap(({ text }) => [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, name]) => name))
    expect(rights).toEqual(['id-token', 'pull-requests'])
  })

  it.each(workflows)('$file has only read permissions unless it declares others', ({ text }) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text.match(/actions\/checkout@/g)?.length ?? 0).toBe(text.match(/persist-credentials: false/g)?.length ?? 0)
  })

  it.each(workflows)('$file uses actions of a fixed major version', ({ text }) => {
    const used = [...text.matchAll(/^[ -]+uses: (.*)$/gm)].map(([, action = '']) => action)
    expect(
      used.filter((action) => !/^(?:actions\/[\w-]+@v\d+|\.\/\.github\/workflows\/[\w-]+\.yml)$/.test(action)),
    ).toEqual([])
  })

  it('call existing, executable scripts', () => {
    const scriptsOfCi = ['.ci/run', '.ci/release'].map((file) => readFileSync(join(root, file), 'utf8'))
    const called = [...workflows.map(({ text }) => text), ...scriptsOfCi].join('\n')
    const files = [...called.matchAll(/(?:^|\s)(\.ci\/[\w-]+)/gm)].map(([, file = '']) => file)
    expect(files).toEqual(expect.arrayContaining(['.ci/run', '.ci/release', '.ci/subjects']))
    for (const file of files) expect([file, statSync(join(root, file)).mode & 0o111]).toEqual([file, 0o111])
    const names = [...called.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    expect(names).toContain('check:package')
  })
})
