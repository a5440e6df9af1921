import { versions } from 'node:process'

/** As `engines` of package.json. */
const needed = { major: 20, minor: 19 }

export function isNodeAtLeast(wanted: { major: number; minor: number }, version = versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > wanted.major || (major === wanted.major && minor >= wanted.minor)
}

/** Why this package does not run on a version of Node; undefined if it does. */
export function nodeProblem(version = versions.node): string | undefined {
  if (isNodeAtLeast(needed, version)) return undefined
  return `express-change-requests needs Node ${needed.major}.${needed.minor} or later; this is Node ${version}.`
}

/** Called by each entry point that needs Node: an older version would fail later. @throws Error */
export function checkNode(): void {
  const problem = nodeProblem()
  if (problem !== undefined) throw new Error(problem)
}
