import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode, stopAll } from '../support/child'
import { removeFolders, root, temporaryFolder } from '../support/folders'
import { blocks, readText, section } from '../support/markdown'

afterEach(async () => {
  await stopAll()
  removeFolders()
})

describe('docs/storage.md, "Migrate"', () => {
  const all = blocks(section(readText('docs/storage.md'), '## Migrate'))
  const [commands = ''] = all.filter(({ language }) => language === 'sh').map(({ text }) => text)
  const codes = all.filter(({ language }) => language === 'js').map(({ text }) => text)

  it('contains commands that work in sequence', async () => {
    const cwd = temporaryFolder()
    const named = [...commands.matchAll(/^npx express-change-requests (\w+) +(--connection \S+)/gm)]
    expect(named.map(([, command]) => command)).toEqual(['status', 'migrate', 'print'])
    const run = ([, command = '', options = '']: RegExpExecArray | string[]) =>
      runNode([join(root, 'dist/cli.js'), command, ...options.split(' ')], { cwd }).exit
    const answers = []
    for (const line of [...named.slice(1), ...named.slice(0, 1)]) answers.push(await run(line))
    expect(answers.map(({ status, stderr }) => [status, stderr])).toEqual(answers.map(() => [0, '']))
  })

  it('contains code that works', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'node_modules'))
    symlinkSync(root, join(cwd, 'node_modules/express-change-requests'))
    for (const name of ['knex', 'better-sqlite3']) {
      symlinkSync(join(root, 'node_modules', name), join(cwd, 'node_modules', name))
    }
    const around = `import knex from 'knex'
const database = knex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true })\n`
    const after = `
console.log((await database('knex_migrations').pluck('name')).join(), (await database('ffcr_meta').first()).name)
console.log((await database('flags')).length)
await database.destroy()\n`
    writeFileSync(join(cwd, 'app.mjs'), around + codes.join('\n') + after)
    const { status, stdout, stderr } = await runNode(['app.mjs'], { cwd }).exit
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toBe('change_requests_0001_initial,flags_001 schema_version\n0\n')
    expect(readFileSync(join(cwd, 'change-requests.sql'), 'utf8')).toContain('create table "ffcr_events"')
  })
})
