import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '../../package/support/child'
import { removeFolders } from '../../package/support/folders'
import { borrow, installed, makeHost, packTarball } from '../../package/support/hosts'
import { postgres } from '.'

/**
 * The packed package in a separate host, `test/package/hosts/orms/<orm>.mts`, whose gateway writes with the transaction of an
 * ORM.
 *
 * @param packages what the host has installed: its name, and where it is, relative to our development dependencies.
 */
export function describeOrmHost(orm: string, packages: Readonly<Record<string, string>>): void {
  describe(`the packed package in a host with ${orm}`, () => {
    afterAll(removeFolders)

    it('compiles with strict settings, applies a change request, and rolls one back', async () => {
      const host = makeHost(packTarball(), { express: 'express', '@types/express': '@types/express' })
      for (const [name, source] of Object.entries({ pg: 'pg', '@types/pg': '@types/pg', ...packages })) {
        borrow(host, name, source)
      }
      // The declarations of Drizzle import packages that it does not need.
      const compilerOptions = { skipLibCheck: orm === 'drizzle', outDir: '../out' }
      const config = { extends: '../tsconfig.json', compilerOptions, files: [`${orm}.mts`] }
      writeFileSync(join(host, 'orms/tsconfig.json'), JSON.stringify(config))
      const tsc = [join(installed, 'typescript/bin/tsc'), '-p', 'orms', '--pretty', 'false']
      expect(await runNode(tsc, { cwd: host }).exit).toMatchObject({ stdout: '', status: 0 })

      const open = await postgres.open({ migrate: false })
      if (open.place.knex.client !== 'pg') throw new Error('The store is not on Postgres.')
      try {
        await open.knex.raw('create table flags (name text primary key)')
        const { connection, searchPath } = open.place.knex
        const env = { DATABASE_URL: connection, PGOPTIONS: `-c search_path=${searchPath}` }
        const { stdout, stderr, status } = await runNode([`out/${orm}.mjs`], { cwd: host, env }).exit
        const printed = JSON.parse(stdout || '{}')
        expect({ stderr, status, ...printed }).toEqual({ stderr: '', status: 0, applied: [200, 500], events: 1 })
        expect(await open.knex('flags').pluck('name')).toEqual(['checkout'])
      } finally {
        await open.close()
      }
    })
  })
}
