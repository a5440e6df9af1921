import { peerDependencies, peerDependenciesMeta } from 'express-change-requests/package.json'

/** `^` and `<` have an upper bound; so does each part of a range with `||`. */
const hasUpperBound = (range: string) => range.split('||').every((part) => /\^|</.test(part))

it('has an upper bound for each peer dependency', () => {
  const open = Object.entries(peerDependencies).filter(([, range]) => !hasUpperBound(range))
  expect(open).toEqual([])
  expect(Object.keys(peerDependencies)).toEqual(expect.arrayContaining(Object.keys(peerDependenciesMeta)))
})
