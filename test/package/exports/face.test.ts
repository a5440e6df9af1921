import {
  type Declaration,
  declarationOf,
  entryFile,
  entryNames,
  exportsOf,
  modulesOf,
  type Node,
  nodesOf,
  reachable,
} from '../support/declarations'

const everywhere = [...exportsOf(entryFile('.')).values(), ...exportsOf(entryFile('./types')).values()]
const places = new Set(entryNames.flatMap((entry) => [...reachable(entryFile(entry))]))
const homes = new Map([...places].map((file) => [file.file, file]))

/** The names of the types in a declaration, without its type parameters. */
function namesIn({ node }: Declaration): string[] {
  const nodes = [...nodesOf(node)]
  const leftmost = (name: Node): string => ('left' in name ? leftmost(name.left as Node) : (name.value as string))
  const parameters = nodes.flatMap(({ type, name }) => (type === 'TsTypeParameter' ? [leftmost(name as Node)] : []))
  const used = nodes.flatMap((inner) => {
    if (inner.type === 'TsTypeReference') return [leftmost(inner.typeName as Node)]
    if (inner.type === 'TsExpressionWithTypeArguments') return [leftmost(inner.expression as Node)]
    return inner.superClass ? [leftmost(inner.superClass as Node)] : []
  })
  return [...new Set(used)].filter((name) => !parameters.includes(name))
}

/** The types that an entry point mentions but that a host cannot import. */
function unnameable(entry: string): string[] {
  const own = exportsOf(entryFile(entry))
  const exported = new Set([...everywhere, ...own.values()])
  return [...own.values()].flatMap((declaration) =>
    namesIn(declaration).flatMap((name) => {
      const file = homes.get(declaration.file)
      const found = file && declarationOf(file, name)
      return found === undefined || exported.has(found) ? [] : [`${declaration.name}: ${name} of ${found.file}`]
    }),
  )
}

describe('the types of the package', () => {
  it.each(entryNames)('that %s mentions are exported there, by the main entry or by ./types', (entry) => {
    expect(exportsOf(entryFile(entry)).size).toBeGreaterThan(['./page', './webhooks'].includes(entry) ? 1 : 4)
    expect(unnameable(entry)).toEqual([])
  })

  it.each(entryNames)('contain no any in %s and the files that it imports', (entry) => {
    const anys = [...reachable(entryFile(entry))].filter(({ body }) =>
      [...nodesOf(body)].some(({ type, kind }) => type === 'TsKeywordType' && kind === 'any'),
    )
    expect(anys.map(({ file }) => file)).toEqual([])
  })

  it.each([
    ['.', ['express']],
    ['./knex', ['express', 'knex']],
    ['./postgres', ['express']],
    ['./sqlite', ['express']],
    ['./handles', []],
    ['./testing', []],
    ['./types', []],
  ])('import only packages that a host of %s has installed', (entry, packages) => {
    const modules = [...reachable(entryFile(entry))].flatMap(modulesOf).filter((module) => !/^\.|^node:/.test(module))
    expect(packages).toEqual(expect.arrayContaining([...new Set(modules)]))
  })
})
