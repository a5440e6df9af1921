import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { runNode } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main']
const git = (cwd: string, ...words: string[]) => execFileSync('git', [...author, ...words], { cwd, stdio: 'ignore' })
const commit = (cwd: string, subject: string) => git(cwd, 'commit', '--allow-empty', '-m', subject)

function repository(...subjects: string[]): string {
  const folder = temporaryFolder()
  git(folder, 'init')
  for (const subject of subjects) commit(folder, subject)
  return folder
}

/** A clone with a branch of its own. */
function clone(origin: string): string {
  const folder = temporaryFolder()
  git(folder, 'clone', origin, '.')
  git(folder, 'checkout', '-b', 'topic')
  return folder
}

async function check(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = await runNode([join(root, '.ci/subjects'), ...args], { cwd }).exit
  return { status, stdout: stdout.trim(), problems: stderr.trim().replace(/^\w+: /gm, '') }
}

describe('.ci/subjects', () => {
  afterAll(removeFolders)

  it('accepts the subjects of a branch, and ignores those of the default branch of origin', async () => {
    const folder = clone(repository('Everything so far'))
    commit(folder, 'apply: reject a vote whose digest is outdated')
    commit(folder, `storage, page: ${'é'.repeat(57)}`)
    const stdout = 'Commits checked: 2, to reword: 0.'
    expect(await check(folder)).toEqual({ status: 0, stdout, problems: '' })
  })

  it.each([
    ['Reject a vote', 'the subject must read "area: what changes": Reject a vote'],
    ['two words: reject', 'the subject must read "area: what changes": two words: reject'],
    ['fixup! apply: reject', 'the subject must read "area: what changes": fixup! apply: reject'],
    [`a: ${'é'.repeat(70)}`, `the subject has 73 characters, at most 72 are allowed: a: ${'é'.repeat(70)}`],
  ])('rejects "%s"', async (subject, problems) => {
    const folder = clone(repository('a: start'))
    commit(folder, subject)
    expect(await check(folder)).toEqual({ status: 1, stdout: 'Commits checked: 1, to reword: 1.', problems })
  })

  it('leaves out merge commits', async () => {
    const folder = clone(repository('a: start'))
    git(folder, 'checkout', '-b', 'other')
    commit(folder, 'b: change one thing')
    git(folder, 'checkout', 'topic')
    commit(folder, 'c: change another thing')
    git(folder, 'merge', '--no-ff', '-m', 'Merge other into topic', 'other')
    expect(await check(folder)).toMatchObject({ status: 0, stdout: 'Commits checked: 2, to reword: 0.' })
  })

  it('starts from the newest tag where there is no origin', async () => {
    const folder = repository('Everything so far')
    git(folder, 'tag', 'v1.0.0')
    commit(folder, 'No area')
    const problems = 'the subject must read "area: what changes": No area'
    expect(await check(folder)).toMatchObject({ status: 1, problems })
  })

  it('starts from a commit that is named, and rejects one that is unknown', async () => {
    const folder = repository('Everything so far', 'a: change')
    expect(await check(folder, 'HEAD~1')).toMatchObject({ status: 0, stdout: 'Commits checked: 1, to reword: 0.' })
    expect(await check(folder, 'nowhere')).toMatchObject({
      status: 2,
      problems: 'nowhere is not a commit of this repository.',
    })
  })
})
