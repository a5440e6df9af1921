import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/folders'

interface Mutant {
  readonly id: string
  readonly edits: readonly { readonly file: string; readonly text: string }[]
}

const mutants: readonly Mutant[] = jest.requireActual('../../faults/mutants/mutants')
const edits = mutants.flatMap(({ id, edits }) => edits.map(({ file, text }) => ({ id, file, text })))

describe('the mutants', () => {
  // They run at night only, but a change that moves their code must move them, too.
  it('edit a text that occurs once in its file', () => {
    const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')
    const outdated = edits.filter(({ file, text }) => read(file).split(text).length !== 2)
    expect(outdated).toEqual([])
  })

  it('are at most 40: StrykerJS covers what needs no database, process or HTTP', () => {
    expect(mutants.length).toBeGreaterThan(0)
    expect(mutants.length).toBeLessThanOrEqual(40)
  })
})
