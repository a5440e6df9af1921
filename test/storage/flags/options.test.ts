import { knex as createKnex } from 'knex'
import { applyRecords, plainFlags } from '../../../src/storage/knex'

const knex = createKnex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true })
const other = createKnex({ client: 'cockroachdb', connection: 'postgres://127.0.0.1:1/none' })
afterAll(() => Promise.all([knex.destroy(), other.destroy()]))

const columns = { name: 'name', enabled: 'enabled' }
const options = { knex, table: 'flags', columns, project: 'default', environment: 'production' }
/** JavaScript checks no types. */
const make = { plainFlags, applyRecords } as unknown as {
  [name in 'plainFlags' | 'applyRecords']: (given: unknown) => object
}

const noKnex = [undefined, null, {}, () => undefined, 'postgres://']
const noName = ['', '1a', 'a as b', 'x"; drop table "y', 'ä', 'a\n', 'a'.repeat(64), null, ['a']]
const noTable = [...noName, 'a.b.c', '.a', 'a.']
const aTable = 'the name of a table, such as "flags" or "app.flags"'

describe('plainFlags(options) rejects, naming the option', () => {
  const wrong = [
    ...noKnex.map((value) => ['knex', { knex: value }, 'a Knex instance'] as const),
    [
      'knex',
      { knex: other },
      'a Knex with the client "pg" or "better-sqlite3"; for flags in another database, see applyRecords in docs/flag-gateway.md',
    ] as const,
    ...[undefined, ...noTable].map((value) => ['table', { table: value }, aTable] as const),
    ...(['name', 'enabled', 'rollout', 'archived'] as const).flatMap((name) =>
      [...noName, 'a.b'].map(
        (value) => [`columns.${name}`, { columns: { ...columns, [name]: value } }, 'the name of a column'] as const,
      ),
    ),
    ['columns.name', { columns: { enabled: 'enabled' } }, 'the name of a column'] as const,
    ['columns.enabled', { columns: { name: 'name' } }, 'the name of a column'] as const,
    ['columns', { columns: { ...columns, archived: 'enabled' } }, 'different columns'] as const,
    ...(['project', 'environment'] as const).flatMap((name) =>
      [undefined, null, '', 5].map((value) => [name, { [name]: value }, 'a name'] as const),
    ),
  ]
  it.each(wrong)('%s: %j', (name, given, expected) => {
    const message = `plainFlags: option "${name}" must be ${expected}.`
    expect(() => make.plainFlags({ ...options, ...given })).toThrow(new TypeError(message))
  })

  it('an unknown option or column, and anything but an object', () => {
    const unknown = 'unknown option "colums". Known options: knex, table, columns, project, environment.'
    expect(() => make.plainFlags({ ...options, colums: {} })).toThrow(new TypeError(`plainFlags: ${unknown}`))
    const column = 'plainFlags: columns: unknown option "rolout". Known options: name, enabled, rollout, archived.'
    expect(() => make.plainFlags({ ...options, columns: { ...columns, rolout: 'x' } })).toThrow(new TypeError(column))
    expect(() => make.plainFlags({ ...options, columns: undefined })).toThrow('the options must be an object.')
    expect(() => make.plainFlags(undefined)).toThrow('plainFlags: the options must be an object.')
  })

  it('accepts a schema, upper case, and columns that are left out', () => {
    const given = { ...options, table: 'app.Flags', columns: { ...columns, name: 'flagName', rollout: undefined } }
    expect(Object.keys(make.plainFlags(given))).toEqual(['flags', 'validate', 'directory'])
  })
})

describe('applyRecords(options) rejects, naming the option', () => {
  it.each([
    ...noKnex.map((value) => ['knex', value, 'a Knex instance'] as const),
    ...noTable.map((value) => ['table', value, aTable] as const),
  ])('%s: %j', (name, value, expected) => {
    const given = { knex, [name]: value }
    expect(() => make.applyRecords(given)).toThrow(new TypeError(`applyRecords: option "${name}" must be ${expected}.`))
  })

  it('an unknown option', () => {
    expect(() => make.applyRecords({ knex, tabel: 'x' })).toThrow(
      new TypeError('applyRecords: unknown option "tabel". Known options: knex, table.'),
    )
  })
})
