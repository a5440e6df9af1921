import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runNode, type Server, startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'
import { blocks, readText, section } from '../package/support/markdown'
import { type OpenDatabase, postgres } from '../support/databases'
import { describeWithNightlyModules, nightlyModules } from '../support/nightly-modules'

const files = {
  'change-requests.ts':
    blocks(section(readText('docs/mounting.md'), '## Mount it in NestJS with TypeORM'))[0]?.text ?? '',
  'flag.entity.ts': `import { Column, Entity, PrimaryColumn } from 'typeorm'
    @Entity('flags')
    export class Flag {
      @PrimaryColumn('text') name!: string
      @Column('boolean') enabled!: boolean
    }`,
  'keys.ts': `const grants = (...names: string[]) => names.map((permission) => ({ permission }))
    export const keys = [
      { key: 'ann', user: { id: 1, username: 'ann' }, grants: grants('CREATE_CHANGE_REQUEST') },
      { key: 'ben', user: { id: 2, username: 'ben' }, grants: grants('APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST') },
    ]`,
  'main.ts': `import { Module } from '@nestjs/common'
    import { NestFactory } from '@nestjs/core'
    import { DataSource } from 'typeorm'
    import { ChangeRequests } from './change-requests'
    import { Flag } from './flag.entity'
    const { DATABASE_URL: url = '', SCHEMA: schema = '' } = process.env
    const options = { type: 'postgres' as const, url, entities: [Flag], extra: { options: '-c search_path=' + schema } }
    @Module({ providers: [{ provide: DataSource, useFactory: () => new DataSource(options).initialize() }, ChangeRequests] })
    class AppModule {}
    async function main() {
      const app = await NestFactory.create(AppModule, { logger: false })
      app.use(app.get(ChangeRequests).router)
      await app.listen(Number(process.env.PORT), '127.0.0.1')
      console.log('listening on ' + (await app.getUrl()))
    }
    void main()`,
}

/** A NestJS app with the code of the guide. */
function createHost(): string {
  const host = temporaryFolder()
  const link = (target: string, name: string) => {
    mkdirSync(dirname(join(host, 'node_modules', name)), { recursive: true })
    symlinkSync(target, join(host, 'node_modules', name))
  }
  mkdirSync(join(host, 'src'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(host, 'src', name), text)
  copyFileSync(join(root, 'examples/nestjs/tsconfig.json'), join(host, 'tsconfig.json'))
  writeFileSync(join(host, 'package.json'), '{}')
  for (const name of ['common', 'core', 'platform-express'])
    link(join(nightlyModules, '@nestjs', name), `@nestjs/${name}`)
  for (const name of ['@types/node', 'pg']) link(join(root, 'node_modules', name), name)
  link(join(root, 'test/handles/node_modules/typeorm'), 'typeorm')
  link(root, 'express-change-requests')
  return host
}

/** @see docs/mounting.md, "Mount it in NestJS with TypeORM" */
describeWithNightlyModules('a NestJS app with TypeORM', () => {
  let database: OpenDatabase
  let server: Server

  beforeAll(async () => {
    database = await postgres.open({ migrate: false })
    await database.knex.schema.createTable('flags', (table) => {
      table.text('name').primary()
      table.boolean('enabled').notNullable()
    })
    await database.knex('flags').insert({ name: 'checkout', enabled: false })
    const cwd = createHost()
    const compiled = await runNode([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd }).exit
    expect([compiled.status, compiled.stdout]).toEqual([0, ''])
    const { connection, searchPath } = database.place.knex as { connection: string; searchPath: string[] }
    const env = { DATABASE_URL: connection, SCHEMA: searchPath[0] ?? '' }
    server = await startServer(['dist/main.js'], { cwd, env })
  })

  afterAll(async () => {
    await stopAll()
    removeFolders()
    await database.close()
  })

  it('applies an approved change in one transaction', async () => {
    const send = async (key: string, method: string, path: string, body: object) => {
      const headers = { Authorization: key, 'Content-Type': 'application/json' }
      const url = `${server.url}/api/admin/projects/shop/${path}`
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
      return ((await response.json()) as { state: string }).state
    }
    const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
    expect(await send('ann', 'POST', 'environments/production/change-requests', change)).toBe('Draft')
    expect(await send('ann', 'PUT', 'change-requests/1/state', { state: 'In review' })).toBe('In review')
    expect(await send('ben', 'PUT', 'change-requests/1/state', { state: 'Approved' })).toBe('Approved')
    expect(await send('ben', 'PUT', 'change-requests/1/state', { state: 'Applied' })).toBe('Applied')
    expect(await database.knex('flags')).toEqual([{ name: 'checkout', enabled: true }])
  })
})
