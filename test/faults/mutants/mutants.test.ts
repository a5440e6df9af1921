import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Mutant {
  readonly id: string
  readonly edits: readonly { readonly file: string; readonly text: string; readonly by: string }[]
  readonly project: string
}

const mutants: readonly Mutant[] = jest.requireActual('./mutants')
const projects: { projects: { displayName: string }[] } = jest.requireActual('../../../jest.config.js')
const source = (file: string) => readFileSync(join(__dirname, '../../..', file), 'utf8')

describe('the list of mutants, of which run.js shows that each turns a test red', () => {
  it('names each once, with a project of Jest', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
    const known = projects.projects.map(({ displayName }) => displayName)
    expect(mutants.filter(({ project }) => !known.includes(project))).toEqual([])
    expect(existsSync(join(__dirname, 'run.js'))).toBe(true)
  })

  it.each(mutants.map(({ id, edits }) => ({ id, edits })))(
    '$id fits the code: its texts stand there once',
    ({ edits }) => {
      for (const { file, text, by } of edits) {
        expect({ text, times: source(file).split(text).length - 1 }).toEqual({ text, times: 1 })
        expect(by).not.toBe(text)
      }
    },
  )
})
