import { codeOf } from './support/compiled-examples'
import { type Declaration, entryFile, entryNames, exportsOf } from './support/declarations'

const documented = entryNames.flatMap((entry) => [...exportsOf(entryFile(entry)).values()])

/** What is missing in the docstring. */
function lacks({ doc = '', node }: Declaration): string[] {
  const [first = ''] = doc.split(/\n\s*\n|^@/m)
  return [
    ...(/^[A-Z`{].{10,}\.(?:\s|$)/s.test(first) ? [] : ['a sentence with its purpose']),
    ...(codeOf(doc).length > 0 || !/Function|Class|Variable/.test(node.type) ? [] : ['an example']),
    ...(/@throws (?!\w+Error\b)/.test(doc) ? ['the name of the error that it throws'] : []),
  ]
}

/** The lines of a declaration that begin a member and have no docstring above them. */
function bareMembers({ text }: Declaration): string[] {
  const lines = text.split('\n')
  return lines.filter(
    (line, at) => /^ {4}(?!constructor|readonly \[)[\w'].*[;{(]$/.test(line) && !/\*\/$/.test(lines[at - 1] ?? ''),
  )
}

describe('the docstrings', () => {
  it('document every export of the package, with an example of each function and class', () => {
    const poor = documented.map((declaration) => [declaration.name, ...lacks(declaration)])
    expect(poor.filter(([, ...missing]) => missing.length > 0)).toEqual([])
    expect(documented.length).toBeGreaterThan(150)
  })

  it('document every member of options and ports', () => {
    // A property of a schema that is only a reference has the docstring of its type.
    const own = documented.filter(({ file, node }) => !file.includes('generated') && /Interface|Class/.test(node.type))
    const bare = own.flatMap((declaration) => bareMembers(declaration).map((line) => [declaration.name, line.trim()]))
    expect(bare).toEqual([])
    expect(own.length).toBeGreaterThan(50)
  })
})
